/// What people may want to do in a room; what permission rules are about.
public enum RoomAction: String, Hashable, Sendable, CaseIterable {
    case uploadItem
    case startAuction
    case placeBid
    case endAuction
    case setRole
    case archiveRoom
}

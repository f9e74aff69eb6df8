/// Actions of users in a room that permission rules allow or deny.
package enum RoomAction: String, Hashable, Sendable, CaseIterable {
    case uploadItem
    case adjustRules
    case startAuction
    case placeBid
    case retractBid
    case endAuction
    case pause
    case resume
    case cancel
    case setRole
    case kick
    case ban
    case mute
    case setCreditLimit
    case sendMessage
    case removeMessage
    case configurePermissions
    case requestStage
    case manageStage
    case archiveRoom
}

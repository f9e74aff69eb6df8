/// The kind of a handshake's identifier.
public enum StageKind: IdentifierKind { public static let prefix = "stage_" }

/// Names one handshake between a guest and the host.
public typealias StageID = Identifier<StageKind>

/// What a seat makes of whoever takes it.
public enum StageRole: String, Hashable, Sendable, Codable, CaseIterable {
    case auctioneer
    case bidder

    /// The same as a member's role.
    public var role: Role {
        switch self {
        case .auctioneer: .auctioneer
        case .bidder: .bidder
        }
    }
}

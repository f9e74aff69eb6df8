internal import AuctionContract

// The part of the table that follows from the permission table: operations that need one action of a room.
extension AccessTable {
    /// In the order of preference: a derived operation is tried in the first in which its action is allowed to a caller.
    private static let situations: [PermissionTable.Situation] = [.item, .open, .bids, .paused]

    /// The code for a caller with sufficient permissions if the path names an object of another room.
    private static let elsewhere: [String: Outcome] = [
        "{itemId}": (404, "item.not_found"), "{userId}": (404, "member.not_found"), "{messageId}": (404, "message.not_found"),
        "{bidId}": (409, "retract.not_latest"),
    ]

    static func derived(except stated: Set<String>) throws -> [Cell] {
        let permissions = try PermissionTable.specified().cells
        return try Operation.all.filter { !stated.contains($0.name) && $0.isInRoom }.flatMap { operation -> [Cell] in
            guard let action = operation.actions.first else { return [] }
            let asked = permissions.filter { $0.action == action }
            let allowed = Set(asked.filter { $0.rule == nil }.map(\.situation))
            guard let situation = situations.first(where: allowed.contains) else {
                throw PermissionTableError(description: "\(operation.name): allowed in no situation of the access table")
            }
            let rules = asked.filter { $0.situation == situation }.map { ($0.callerKind, $0.rule) }
            return try cells(of: operation, in: Situation(situation), Dictionary(rules) { first, _ in first })
        }
    }

    private static func cells(
        of operation: Operation, in situation: Situation, _ rules: [PermissionTable.CallerKind: String?]
    ) throws -> [Cell] {
        let missing = elsewhere.first { operation.path.contains($0.key) }?.value
        return try CallerKind.allCases.flatMap { callerKind in
            try Place.allCases.filter { $0 != .there || missing != nil }.map { place in
                var outcome: Outcome = (operation.successStatus, nil)
                let program = programOutcome(callerKind, operation.name)
                if case .always(let status, let code) = program {
                    outcome = (status, code)
                } else if let asked = program == .asHost ? .host : callerKind.permission {
                    if place == .private, callerKind.seesPublicOnly {
                        outcome = hidden
                    } else if let rule = rules[asked] ?? nil {
                        guard let status = ProblemCode.named[rule]?.status else {
                            throw PermissionTableError(description: "\(rule) is no code of the contract")
                        }
                        outcome = (status, rule)
                    } else if place == .there, let missing {
                        outcome = missing
                    }
                } else {
                    outcome = callerKind == .expired ? withExpiredToken : withoutToken
                }
                return Cell(
                    operation: operation.name, situation: situation, callerKind: callerKind, place: place,
                    status: outcome.status, code: outcome.code)
            }
        }
    }
}

extension AccessTable.CallerKind {
    /// The same kind in the permission table; nil without a valid token.
    package var permission: PermissionTable.CallerKind? {
        switch self {
        case .host: .host
        case .auctioneer: .owner
        case .bidder: .bidder
        case .viewer: .viewer
        case .muted: .muted
        case .banned: .banned
        case .kicked, .stranger, .foreign: .stranger
        case .anonymous, .expired, .service, .operator: nil
        }
    }

    /// Whether private rooms are hidden from them.
    fileprivate var seesPublicOnly: Bool { [.banned, .kicked, .stranger, .foreign].contains(self) }
}

import AuctionDomain
import EventLog

/// The statement that appends the chains of one round; each chain succeeds or fails independently.
///
/// Existing rooms are locked, skipping those locked by another node; new rooms are inserted unless another node has created them. A
/// room is updated only if its seq and hash (column "tip") match the expected head, and only then are the chain's events and responses
/// written. The result has rows for what the sender does not know: the clock, the chains that were not appended, and positions.
enum AppendStatement {
    /// The call for one round.
    static func call(_ chains: [AppendPlan.Chain], _ rule: TimeRule) -> Call {
        let extent = Extent(of: chains)
        return Call(statements[rule.rawValue][extent.rawValue]) { parameters in
            parameters.addChains(chains)
            parameters.addEvents(chains)
            if extent >= .responses { parameters.addResponses(chains) }
            if extent >= .profiles { parameters.addProfiles(chains) }
            if extent >= .users { parameters.addUsers(chains) }
            if extent >= .transfers { parameters.addTransfers(chains) }
        }
    }

    /// What a statement can write besides events and the columns that change with them; each case includes those before it. A round uses
    /// the least that suffices, because the server takes time for every part, also for one that has nothing to write.
    enum Extent: Int, CaseIterable, Comparable {
        case events
        case responses
        /// Profiles, and thereby new rooms.
        case profiles
        /// The index by user.
        case users
        /// Sales that move to another user there, or are removed.
        case transfers

        init(of chains: [AppendPlan.Chain]) {
            var extent = Self.events
            for chain in chains {
                let needed: Self =
                    if !chain.users.isEmpty {
                        chain.users.changesSales ? .transfers : .users
                    } else if chain.kind == .create || chain.profile != nil {
                        .profiles
                    } else {
                        chain.responses.isEmpty ? .events : .responses
                    }
                extent = max(extent, needed)
            }
            self = extent
        }

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Which chains are deferred for their timestamps.
    enum TimeRule: Int, CaseIterable {
        /// None.
        case anyTime
        /// Those that are too far from the server's clock, whatever the time of their room's last event.
        case byClock
        /// Those that `LogTime` defers. Reading the time of a room's last event would make every bid a twentieth slower for the server.
        case byClockOrHead

        fileprivate var suffix: String {
            switch self {
            case .anyTime: "_any_time"
            case .byClock: ""
            case .byClockOrHead: "_or_head"
            }
        }
    }

    private static let statements = TimeRule.allCases.map { rule in
        Extent.allCases.map { Statement(name: "append_\($0)\(rule.suffix)", sql: sql($0, rule)) }
    }

    // MARK: - The result

    /// The result of one chain.
    struct Outcome {
        /// Whether the chain was appended.
        var isAppended = true
        var deferral: AppendVerdict.Deferral?
        /// The room's actual head if the chain was not appended.
        var found = RoomHead.none
        /// Positions of the chain's responses, in order.
        var positions: [Int64] = []
    }

    /// Decodes the results, in the order of the chains, and the server's clock during the statement.
    ///
    /// A chain without a row was appended; so that a lost row cannot acknowledge anything, the statement also counts what it wrote.
    static func outcomes(
        _ rows: Rows, of chains: [AppendPlan.Chain]
    ) throws(SessionFailure) -> (outcomes: [Outcome], clock: Timestamp) {
        var outcomes = [Outcome](repeating: Outcome(), count: chains.count)
        var summary: (written: Int64, clock: Timestamp)?
        for number in 0..<rows.count {
            let row = rows[number]
            let chain = try row.integer(0) - 1
            if chain == -1 {
                summary = (try row.long(1), try row.instant(5))
                continue
            }
            guard outcomes.indices.contains(chain) else { throw row.unreadable(0, "the number of a chain") }
            let code = try row.long(1)
            if code == positionsCode {
                outcomes[chain].positions = try row.longs(4)
                continue
            }
            outcomes[chain].isAppended = false
            outcomes[chain].deferral = deferral(code)
            outcomes[chain].found = RoomHead(seq: try row.integer(2), headHash: try row.bits(3))
        }
        let acknowledged = zip(chains, outcomes).count { $0.kind != .compare && $1.isAppended }
        guard let summary, summary.written == acknowledged else {
            throw SessionFailure(kind: .noReply, message: "the reply to an append does not say what was written")
        }
        return (outcomes, summary.clock)
    }

    private static func deferral(_ code: Int64) -> AppendVerdict.Deferral? {
        switch code {
        case 1: .locked
        case 2: .stamp
        case 3: .early
        case 4: .outage
        default: nil
        }
    }
}

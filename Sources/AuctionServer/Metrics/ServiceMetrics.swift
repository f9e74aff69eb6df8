internal import AuctionDomain
internal import AuctionService
internal import Permissions
internal import StateMachines

/// Metrics of the service: bids, transitions, rounds and transactions.
///
/// All label values come from the rulebook, so the number of series is bounded by its rules and transitions.
struct ServiceMetrics: Sendable {
    private enum Count: Int, CaseIterable {
        case events, warnings, appendFailures, logFailures, sold, passed, reports, pruned
    }

    private struct TransitionLabels: Hashable {
        let from: String
        let to: String
        let cause: String
    }

    /// Label values of bids: "accepted", the id of the rule that refused the bid, or another reason.
    private let results: [String]
    private let resultIndex: [String: Int]
    private let transitionLabels: [TransitionLabels]
    private let transitionIndex: [TransitionLabels: Int]
    private let bids: CounterBlock
    private let transitions: CounterBlock
    private let counts = CounterBlock(count: Count.allCases.count)
    private let batch = CounterBlock(count: Buckets.batch.width)
    private let commit = CounterBlock(count: Buckets.commit.width)

    init(rulebook: RoomRulebook) {
        let rules = rulebook.permissions.rules.filter { $0.action == .placeBid || $0.action == .placeFloorBid }.map(\.id)
        results = ["accepted"] + rules + ["bid.rate", "failed", "other"]
        resultIndex = Dictionary(results.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        transitionLabels = rulebook.states.table.transitions.map {
            TransitionLabels(from: $0.from.rawValue, to: $0.to.rawValue, cause: $0.trigger.rawValue)
        }
        transitionIndex = Dictionary(transitionLabels.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        bids = CounterBlock(count: results.count)
        transitions = CounterBlock(count: transitionLabels.count)
    }

    func bidAccepted() { bids.add(to: 0) }
    func bidRefused(_ code: String) { bids.add(to: resultIndex[code] ?? results.count - 1) }
    func bidFailed() { bids.add(to: results.count - 2) }

    func committed(_ event: EventBody) {
        switch event {
        case .stateChanged(let change): changed(change)
        case .itemSold: counts.add(to: Count.sold.rawValue)
        case .itemPassed: counts.add(to: Count.passed.rawValue)
        case .messageReported: counts.add(to: Count.reports.rawValue)
        default: break
        }
    }

    func appended(events: Int, nanoseconds: UInt64) {
        counts.add(Int64(events), to: Count.events.rawValue)
        Buckets.batch.record(Int64(events), in: batch)
        Buckets.commit.record(Int64(clamping: nanoseconds), in: commit)
    }

    func appendFailed() { counts.add(to: Count.appendFailures.rawValue) }
    func logFailed() { counts.add(to: Count.logFailures.rawValue) }
    func pruned(_ rooms: Int) { counts.add(Int64(rooms), to: Count.pruned.rawValue) }
    func warned() { counts.add(to: Count.warnings.rawValue) }

    private func changed(_ change: StateChange) {
        let labels = TransitionLabels(
            from: change.from.rawValue, to: change.to.rawValue, cause: change.cause.rawValue)
        if let index = transitionIndex[labels] { transitions.add(to: index) }
    }

    func write(to text: inout MetricsText) {
        text.family(
            "auction_bids_total", .counter, "Bids that reached their room, by result: accepted, or the rule that refused.")
        for (index, result) in results.enumerated() { text.sample("auction_bids_total", ["result": result], bids[index]) }
        text.family("auction_transitions_total", .counter, "Rooms that went from one state to another.")
        for (index, labels) in transitionLabels.enumerated() {
            text.sample(
                "auction_transitions_total", ["from": labels.from, "to": labels.to, "cause": labels.cause], transitions[index])
        }
        text.family("auction_rounds_total", .counter, "Rounds that ended.")
        text.sample("auction_rounds_total", ["result": "sold"], counts[Count.sold.rawValue])
        text.sample("auction_rounds_total", ["result": "passed"], counts[Count.passed.rawValue])
        text.single("auction_reports_total", .counter, "Messages that members reported.", counts[Count.reports.rawValue])
        text.single(
            "auction_rooms_pruned_total", .counter, "Old archived rooms that were deleted.", counts[Count.pruned.rawValue])
        text.single("auction_events_total", .counter, "Events made durable.", counts[Count.events.rawValue])
        text.family("auction_commit_events", .histogram, "Events of one transaction.")
        text.histogram("auction_commit_events", [:], .batch, [batch])
        text.family("auction_commit_seconds", .histogram, "How long a transaction took, its sync included.")
        text.histogram("auction_commit_seconds", [:], .commit, [commit])
        text.family("auction_log_failures_total", .counter, "Transactions that failed, and failures for good.")
        text.sample("auction_log_failures_total", ["kind": "append"], counts[Count.appendFailures.rawValue])
        text.sample("auction_log_failures_total", ["kind": "lost"], counts[Count.logFailures.rawValue])
        text.single(
            "auction_warnings_total", .counter, "Warnings of the service in the log.", counts[Count.warnings.rawValue])
    }
}

import AuctionDomain
import EventLog

/// A batch grouped for execution by SQL statements.
///
/// Consecutive elements of a room, each expecting the head that the previous one produces, form a chain, which is appended
/// completely or not at all. An element that expects another head must see the effect of the elements before it, so it starts a new
/// chain in a later round. A round is one statement; all rounds are one transaction. Nearly every batch has one round.
struct AppendPlan {
    /// The effect of a chain on its room. The raw values are parameters of `AppendStatement`.
    enum Kind: Int64 {
        case compare = 0
        case append = 1
        case create = 2
    }

    /// A class, because every column of the statement's parameters goes through all chains, and a copy counts a dozen references.
    final class Chain {
        let room: RoomID
        let expected: RoomHead
        /// Head after the chain's last element.
        private(set) var head: RoomHead
        /// Indices of its elements in the batch, in order.
        private(set) var elements: [Int] = []
        private(set) var events: [StoredEvent] = []
        private(set) var responses: [StoredResponse] = []
        /// Number of responses per element, in the order of `elements`.
        private(set) var responsesPerElement: [Int] = []
        private(set) var profile: RoomProfile?
        /// Status set by the last element with events; nil if no element has any.
        private(set) var status: RoomStatus?
        private(set) var dueAt: Timestamp?
        private(set) var users = UserChanges()
        /// The latest `notBefore` of its elements.
        private(set) var notBefore: Timestamp?

        var kind: Kind { events.isEmpty ? .compare : expected == .none ? .create : .append }

        init(_ append: RoomAppend) {
            room = append.room
            expected = append.expected
            head = append.expected
        }

        /// Whether the element expects the head that the chain produces.
        func continues(with append: RoomAppend) -> Bool { head == append.expected }

        func take(_ append: RoomAppend, _ element: Int) {
            elements.append(element)
            head = append.newHead
            // The arrays of a chain's only element are shared, not copied.
            if events.isEmpty { events = append.events } else { events += append.events }
            if responses.isEmpty { responses = append.responses } else { responses += append.responses }
            responsesPerElement.append(append.responses.count)
            if let due = append.notBefore { notBefore = max(notBefore ?? due, due) }
            guard !append.events.isEmpty else { return }
            profile = append.profile ?? profile
            if !append.users.isEmpty { users.merge(append.users) }
            status = append.status
            dueAt = append.dueAt
        }
    }

    private(set) var rounds: [[Chain]] = []

    /// - Throws: `.statement` for an invalid element (`RoomAppend.validate`).
    init(_ batch: [RoomAppend]) throws(EventLogError) {
        // Location of the last chain of each room.
        var last: [RoomID: (round: Int, index: Int)] = [:]
        for (element, append) in batch.enumerated() {
            try append.validate()
            let place = last[append.room]
            if let place, rounds[place.round][place.index].continues(with: append) {
                rounds[place.round][place.index].take(append, element)
                continue
            }
            let round = place.map { $0.round + 1 } ?? 0
            if round == rounds.count { rounds.append([]) }
            let chain = Chain(append)
            chain.take(append, element)
            last[append.room] = (round, rounds[round].count)
            rounds[round].append(chain)
        }
    }
}

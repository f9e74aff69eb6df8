import AuctionDomain
import EventLog

/// A batch as statements: what it wants of each room in one piece.
///
/// Elements of a room that are built on each other become one chain, which is appended as a whole or not at all. An element that
/// expects something else is judged by what the ones before it made of the room: it starts another chain, in a later round. A
/// round is one statement; all rounds are one transaction. Nearly every batch is one round.
struct AppendPlan {
    /// What a chain does to its room.
    enum Kind: Int64 {
        case compare = 0
        case append = 1
        case create = 2
    }

    struct Chain {
        let room: RoomID
        let expected: RoomHead
        var head: RoomHead
        /// Which elements of the batch, in order.
        var elements: [Int] = []
        var events: [StoredEvent] = []
        var answers: [AnswerRecord] = []
        /// How many of them are each element's.
        var answersPerElement: [Int] = []
        var profile: RoomProfile?
        /// Of the last element with events; nil while there is none.
        var status: RoomStatus?
        var dueAt: Timestamp?
        var notBefore: Timestamp?

        var kind: Kind {
            events.isEmpty ? .compare : expected == .none ? .create : .append
        }

        init(_ append: RoomAppend) {
            room = append.room
            expected = append.expected
            head = append.expected
        }

        /// Whether it is built on what the chain makes of the room.
        func continues(with append: RoomAppend) -> Bool { head == append.expected }

        mutating func take(_ append: RoomAppend, _ element: Int) {
            elements.append(element)
            head = append.newHead
            events += append.events
            answers += append.answers
            answersPerElement.append(append.answers.count)
            if let due = append.notBefore { notBefore = max(notBefore ?? due, due) }
            guard !append.events.isEmpty else { return }
            profile = append.profile ?? profile
            status = append.status
            dueAt = append.dueAt
        }
    }

    private(set) var rounds: [[Chain]] = []

    /// - Throws: `.statement` for an element that no log may take.
    init(_ batch: [RoomAppend]) throws(EventLogError) {
        // Where the last chain of each room stands.
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
            var chain = Chain(append)
            chain.take(append, element)
            last[append.room] = (round, rounds[round].count)
            rounds[round].append(chain)
        }
    }
}

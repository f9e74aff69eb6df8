internal import AuctionDomain
internal import EventLog

/// The erasure of people in one room: reads its events in order, and collects those that have to be rewritten.
struct RoomErasure: Sendable {
    private static let eventsPerPage = 256
    private static let bytesPerPage = 1 << 20
    /// Pages of one turn of a reader, which others wait for.
    private static let pagesPerTurn = 8

    let room: RoomID
    private let people: [Person]
    private var eraser: NicknameErasure
    private var after = 0
    private var named: Set<UserID> = []
    /// Events with their new bytes, to be named by the next event of the erasure.
    private(set) var found: [StoredEvent] = []
    /// Guests who were linked to one of the people.
    private(set) var guests: [UserID] = []
    /// Whether all events were read.
    private(set) var isAtEnd = false
    /// Whether events were rewritten since an event of the erasure said so.
    private(set) var hasReplaced = false
    /// Sequence number of the latest event of an erasure; 0: there is none.
    private(set) var erasedSeq = 0

    init(of people: [Person], in room: RoomID) {
        (self.room, self.people) = (room, people)
        eraser = NicknameErasure(people)
    }

    /// What the next event of the erasure says.
    var command: EraseMembers {
        EraseMembers(people.filter { named.contains($0.id) }, rewritten: found.map(\.rewrittenEvent))
    }

    /// Whether no more events are to be collected before they are rewritten. The message about a sale belongs to the event before it.
    private var isFull: Bool { found.count >= EraseMembers.rewrittenLimit - 2 && eraser.isBetweenEvents }

    /// Reads on.
    /// - Returns: Whether there is something to do before it reads on.
    mutating func read(from log: any EventLog) throws(EventLogError) -> Bool {
        for _ in 0..<Self.pagesPerTurn {
            let page = try log.events(of: room, after: after, limit: Self.eventsPerPage, bytes: Self.bytesPerPage)
            isAtEnd = page.isEmpty
            if isAtEnd { return true }
            for event in page {
                take(event)
                if isFull { return true }
            }
        }
        return false
    }

    private mutating func take(_ event: StoredEvent) {
        after = event.seq
        if event.erasesNickname { erasedSeq = event.seq }
        guests += eraser.guests(linkedBy: event).filter { guest in
            !people.contains { $0.id == guest } && !guests.contains(guest)
        }
        guard let rewritten = eraser.rewritten(event) else { return }
        found.append(rewritten)
        for person in people where !named.contains(person.id) && NicknameErasure.names(person.id, event) {
            named.insert(person.id)
        }
    }

    /// The events that were found are rewritten.
    mutating func replaced() {
        found = []
        hasReplaced = true
    }
}

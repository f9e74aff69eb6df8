internal import AuctionDomain
package import EventLog

/// Makes durable changes visible, in the order that clients rely on: first the committed room, so that a client that has its response
/// reads at least the state that it reports; then what each event loop sends, responses before events. The threads that take turns
/// of the committer or the sequencer, event loops among them, and the simulator publish through this.
package struct Publisher: Sendable {
    private let rooms: CommittedRooms
    private let loopCount: Int

    /// - Parameter loopCount: Number of event loops; reply addresses number them from 0.
    package init(_ rooms: CommittedRooms, loopCount: Int) { (self.rooms, self.loopCount) = (rooms, loopCount) }

    /// Publishes what the log has appended of a batch.
    /// - Parameters:
    ///   - verdicts: One per room of the batch. Commands of a room that was not appended get no response: the sequencer decides them
    ///     again or answers them with a failure.
    ///   - instant: A reading of `ServiceClock.uptime` from before the log was accessed.
    package func publish(
        _ batch: Batch, _ verdicts: [RoomVerdict], readAt instant: Int64 = 0,
        for observer: (any ServiceObserver)? = nil
    ) -> Deliveries {
        var deliveries = Deliveries(loopCount: loopCount)
        // By index: a copy of a part, or of an entry, counts the references of all that is in it.
        for index in batch.rooms.indices where index < verdicts.count {
            guard case .appended = verdicts[index] else { continue }
            let (append, room) = (batch.rooms[index].append, batch.rooms[index].after.room)
            if append.events.isEmpty {
                rooms[append.room]?.compared(with: room.seq, at: instant)
            } else {
                let committed = rooms.publish(room, append.events, readAt: instant)
                deliveries.add(append.events, of: committed)
                observer?.committed(room, batch.rooms[index].decided)
            }
            let entries = batch.rooms[index].entries
            for place in entries.indices {
                let request = entries[place].request
                if entries[place].isAccepted { observer?.commandCommitted(request.command) }
                deliveries.add(entries[place].response, to: request.reply)
            }
        }
        return deliveries
    }

    /// Publishes a room that was read from the log, with its latest events, which may be none.
    package func publish(_ room: ReplayedRoom, _ events: [StoredEvent], readAt instant: Int64) -> Deliveries {
        let committed = rooms.publish(room.room, events, readAt: instant)
        var deliveries = Deliveries(loopCount: loopCount)
        deliveries.add(events, of: committed)
        return deliveries
    }

    /// Responses that wait for no commit.
    package func deliver(_ responses: [AddressedResponse]) -> Deliveries {
        var deliveries = Deliveries(loopCount: loopCount)
        for addressed in responses { deliveries.add(addressed.response, to: addressed.reply) }
        return deliveries
    }

    /// The end of loading a room.
    /// - Parameter error: Why the room could not be read.
    package func deliverLoadFinished(_ replies: [ReplyAddress], _ error: EventLogError?) -> Deliveries {
        var deliveries = Deliveries(loopCount: loopCount)
        for reply in replies { deliveries.addLoadFinished(reply, error) }
        return deliveries
    }
}

/// What each event loop has to send: responses before events.
package struct Delivery: Sendable {
    /// Responses to commands, with the exchanges that wait for them.
    package var responses: [(exchange: UInt64, response: CommandResponse)] = []
    /// Exchanges whose room is now in memory or does not exist; with an error the room could not be read.
    package var loadFinished: [(exchange: UInt64, error: EventLogError?)] = []
    /// Published events of rooms with watchers.
    package var events: [(room: CommittedRoom, events: [StoredEvent])] = []

    /// An empty delivery.
    package init() {}

    /// Whether there is nothing to deliver.
    package var isEmpty: Bool { responses.isEmpty && loadFinished.isEmpty && events.isEmpty }
}

/// One delivery per event loop.
package struct Deliveries: Sendable {
    private var byLoop: [Delivery]

    init(loopCount: Int) { byLoop = Array(repeating: Delivery(), count: loopCount) }

    /// Calls `deliver` with each loop that has something to send, and with that.
    package func forEach(_ deliver: (_ loop: Int, _ delivery: Delivery) -> Void) {
        for loop in byLoop.indices where !byLoop[loop].isEmpty { deliver(loop, byLoop[loop]) }
    }

    mutating func add(_ response: CommandResponse, to reply: ReplyAddress) {
        guard byLoop.indices.contains(reply.loop) else { return }
        byLoop[reply.loop].responses.append((reply.exchange, response))
    }

    mutating func addLoadFinished(_ reply: ReplyAddress, _ error: EventLogError?) {
        guard byLoop.indices.contains(reply.loop) else { return }
        byLoop[reply.loop].loadFinished.append((reply.exchange, error))
    }

    /// Events go to every loop, unless the room has no watcher: each loop knows which of its subscribers they concern.
    mutating func add(_ events: [StoredEvent], of room: CommittedRoom) {
        guard room.watchers > 0, !events.isEmpty else { return }
        for loop in byLoop.indices { byLoop[loop].events.append((room, events)) }
    }
}

/// How the service delivers to the event loops: one call per loop and batch.
package protocol DeliveryPort: Sendable {
    /// Number of loops; addresses number them from 0.
    var loopCount: Int { get }
    /// Delivers to one loop. Called on the service's threads and the event loops; must not block.
    func deliver(_ delivery: Delivery, to loop: Int)
}

extension DeliveryPort {
    func deliver(_ deliveries: Deliveries) {
        deliveries.forEach { deliver($1, to: $0) }
    }
}

/// A response and where it goes.
package struct AddressedResponse: Hashable, Sendable {
    /// The exchange that waits for the response.
    package let reply: ReplyAddress
    /// The encoded response.
    package let response: CommandResponse

    package init(reply: ReplyAddress, response: CommandResponse) { (self.reply, self.response) = (reply, response) }
}

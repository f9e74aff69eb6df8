package import EventLog

/// How the service delivers to the event loops: one call per loop and batch.
package protocol DeliveryPort: Sendable {
    /// Number of loops; addresses number them from 0.
    var loopCount: Int { get }
    /// Delivers to one loop. Called on the service's threads; must not block.
    func deliver(_ delivery: Delivery, to loop: Int)
}

/// What one loop has to send: responses before events.
package struct Delivery: Sendable {
    /// Responses to commands, with the exchanges that wait for them.
    package var responses: [(exchange: UInt64, answer: CommandResponse)] = []
    /// Exchanges whose room is now in memory or does not exist; with an error the room could not be read.
    package var loadFinished: [(exchange: UInt64, error: EventLogError?)] = []
    /// Published events of rooms with watchers.
    package var events: [(room: CommittedRoom, events: [StoredEvent])] = []

    /// An empty delivery.
    package init() {}

    /// Whether there is nothing to deliver.
    package var isEmpty: Bool { responses.isEmpty && loadFinished.isEmpty && events.isEmpty }
}

/// Collects one delivery per loop.
struct Deliveries {
    private var byLoop: [Delivery]

    init(loopCount: Int) { byLoop = Array(repeating: Delivery(), count: loopCount) }

    mutating func add(_ answer: CommandResponse, to reply: ReplyAddress) {
        guard byLoop.indices.contains(reply.loop) else { return }
        byLoop[reply.loop].responses.append((reply.exchange, answer))
    }

    mutating func addFinishedLoad(_ reply: ReplyAddress, _ error: EventLogError?) {
        guard byLoop.indices.contains(reply.loop) else { return }
        byLoop[reply.loop].loadFinished.append((reply.exchange, error))
    }

    mutating func publish(_ room: CommittedRoom, _ events: [StoredEvent]) {
        guard room.watchers > 0, !events.isEmpty else { return }
        for loop in byLoop.indices { byLoop[loop].events.append((room, events)) }
    }

    func send(through port: any DeliveryPort) {
        for (loop, delivery) in byLoop.enumerated() where !delivery.isEmpty { port.deliver(delivery, to: loop) }
    }
}

public import EventLog

/// How the service reaches the event loops: one call per loop and batch.
public protocol DeliveryPort: Sendable {
    /// How many loops there are; addresses name them 0 ….
    var loopCount: Int { get }
    /// Called on the service's threads; must not block.
    func deliver(_ delivery: Delivery, to loop: Int)
}

/// What one loop gets: answers go out before events.
public struct Delivery: Sendable {
    public var answers: [(exchange: UInt64, answer: Answer)] = []
    /// Exchanges whose room is in memory now, or does not exist; with an error it could not be read.
    public var touched: [(exchange: UInt64, error: EventLogError?)] = []
    public var events: [(room: CommittedRoom, events: [StoredEvent])] = []

    public init() {}

    public var isEmpty: Bool { answers.isEmpty && touched.isEmpty && events.isEmpty }
}

/// Deliveries being gathered, one per loop.
struct Deliveries {
    private var byLoop: [Delivery]

    init(loopCount: Int) { byLoop = Array(repeating: Delivery(), count: loopCount) }

    mutating func add(_ answer: Answer, to reply: ReplyAddress) {
        guard byLoop.indices.contains(reply.loop) else { return }
        byLoop[reply.loop].answers.append((reply.exchange, answer))
    }

    mutating func touch(_ reply: ReplyAddress, _ error: EventLogError?) {
        guard byLoop.indices.contains(reply.loop) else { return }
        byLoop[reply.loop].touched.append((reply.exchange, error))
    }

    mutating func publish(_ room: CommittedRoom, _ events: [StoredEvent]) {
        guard room.watchers > 0, !events.isEmpty else { return }
        for loop in byLoop.indices { byLoop[loop].events.append((room, events)) }
    }

    func send(through port: any DeliveryPort) {
        for (loop, delivery) in byLoop.enumerated() where !delivery.isEmpty { port.deliver(delivery, to: loop) }
    }
}

/// Subscribers of one transport and the messages published to them; runs on the calling thread.
final class StreamLoad {
    let target: StreamTarget
    private var poller: LoadPoller
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private(set) var subscribers: [LoadSubscriber] = []
    private(set) var tracker: DeliveryTracker
    private let publisher: StreamPublisher
    private let inFlight: Int
    /// Nanoseconds between messages; nil: the next is published once all subscribers have received an earlier one.
    private let interval: Int64?
    private var nextDue: Int64 = 0
    private var isPublishing = false
    private var readers = 0
    private(set) var gone = 0
    private var found: [Int] = []

    init(_ target: StreamTarget, subscribers: Int, inFlight: Int, rate: Double?) throws(LoadFailure) {
        self.target = target
        self.inFlight = inFlight
        interval = rate.map { Int64(1e9 / $0) }
        tracker = DeliveryTracker(subscribers: subscribers)
        poller = try LoadPoller()
        publisher = StreamPublisher(target)
    }

    var refused: (count: Int, first: String) { (publisher.refused, publisher.refusal) }

    /// Connects all subscribers, 64 at a time so as not to overflow the server's backlog.
    func open(_ count: Int, stalled: Int) throws(LoadFailure) {
        let deadline = loadClock() + 60_000_000_000
        while subscribers.count < count {
            let end = min(count, subscribers.count + 64)
            let start = subscribers.count
            while subscribers.count < end {
                let subscriber = try LoadSubscriber(target, stalled: subscribers.count >= count - stalled)
                poller.watch(subscriber.descriptor, token: subscribers.count)
                subscribers.append(subscriber)
            }
            while subscribers[start...].contains(where: { !$0.isOpen && !$0.isGone }) {
                guard loadClock() < deadline else { throw LoadFailure("not all subscribers were answered within a minute") }
                try turn(milliseconds: 10)
            }
        }
        try publisher.open(inFlight)
        for (index, descriptor) in publisher.descriptors.enumerated() {
            poller.watch(descriptor, token: subscribers.count + index)
        }
        for subscriber in subscribers where subscriber.isStalled { poller.unwatch(subscriber.descriptor) }
        readers = count - stalled
        // Waits until long-polls are held and the server has published the presence changes.
        try run(seconds: 1)
    }

    func run(seconds: Double) throws(LoadFailure) {
        let end = loadClock() + Int64(seconds * 1e9)
        while loadClock() < end { try turn(milliseconds: 1) }
    }

    func beginPublishing() {
        isPublishing = true
        nextDue = loadClock()
    }

    /// Stops publishing, and waits until all messages are delivered or the time is over.
    func drain(seconds: Double) throws(LoadFailure) {
        isPublishing = false
        let end = loadClock() + Int64(seconds * 1e9)
        while tracker.outstanding > 0, loadClock() < end { try turn(milliseconds: 1) }
        // Waits for duplicate deliveries, which would arrive now.
        try run(seconds: 0.3)
    }

    func measure(_ isMeasuring: Bool) { tracker.isMeasuring = isMeasuring }

    private func turn(milliseconds: Int32) throws(LoadFailure) {
        if isPublishing { try publish() }
        let count = poller.wait(nanoseconds: Int64(milliseconds) * 1_000_000)
        for index in 0..<count { try receive(poller.token(index)) }
    }

    private func publish() throws(LoadFailure) {
        while publisher.canPublish, tracker.count < tracker.capacity {
            let now = loadClock()
            var time = now
            if let interval {
                guard nextDue <= now else { return }
                // The latency counts from the time the message was due, also if it is sent late.
                time = nextDue
                nextDue += interval
            } else if tracker.outstanding >= inFlight {
                return
            }
            try publisher.publish(tracker.publish(at: time, to: readers))
        }
    }

    private func receive(_ token: Int) throws(LoadFailure) {
        guard token < subscribers.count else {
            let count = LoadSocket.receive(into: &buffer, from: publisher.descriptors[token - subscribers.count])
            guard count != 0 else { throw LoadFailure("a publisher's connection was closed") }
            let bytes = buffer
            if count > 0 { publisher.received(bytes.span.extracting(first: count), by: token - subscribers.count) }
            return
        }
        let subscriber = subscribers[token]
        let count = LoadSocket.receive(into: &buffer, from: subscriber.descriptor)
        guard count >= 0 else { return }
        found.removeAll(keepingCapacity: true)
        if count > 0 {
            let bytes = buffer
            try subscriber.received(bytes.span.extracting(first: count), &found)
        } else {
            subscriber.isGone = true
        }
        if !found.isEmpty {
            let now = loadClock()
            for number in found { tracker.delivered(number - target.firstNumber, to: token, at: now) }
        }
        if subscriber.isGone { leave(token) }
    }

    private func leave(_ token: Int) {
        poller.unwatch(subscribers[token].descriptor)
        gone += 1
        readers -= 1
        tracker.left(token)
    }
}

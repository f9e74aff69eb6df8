internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// An event on its way to an endpoint.
struct WebhookDelivery: Hashable, Sendable {
    let key: DeliveryKey
    let room: RoomID
    let seq: Int
    /// `EventHash.headHash` of the event.
    let hash: UInt64
    /// 1 for the first.
    let attempt: Int
    /// Nil for one that is repeated: it is read from the log again.
    let event: StoredEvent?
}

/// What an endpoint's engine has to make durable, all at once.
struct WebhookSave: Sendable {
    /// All wanted events before it are delivered or parked.
    let position: FeedPosition
    let failingSince: Timestamp?
    /// Number of deliveries that are to be repeated.
    let parked: Int
    /// Deliveries that were parked, have failed for good, or, with nil, were delivered at last.
    let changes: [DeliveryKey: ParkedDelivery?]
    /// Nil unless it has changed, and a while has passed since it was written.
    let log: DeliveryLog?
}

/// What is sent to one endpoint, and when: without input and output, so that a test can stop it at every step and begin again from what it
/// has saved.
///
/// Events are taken in windows. All of a window's are sent, several at a time; those that fail are parked and repeated beside the next
/// windows. So are those without an answer for a while, which would hold up later windows otherwise: they are parked while they are in flight,
/// and settled by their answer. What is saved lags behind what was sent: after a crash some events are sent again, with the same ids, and none is left out.
struct WebhookEngine {
    /// Events of a window.
    static let windowLimit = 32
    /// Deliveries in flight that are sent for the first time, …
    static let freshInFlight = 8
    /// … and those that are repeated.
    static let retriesInFlight = 4
    /// Nanoseconds after which a delivery without an answer does not hold up the next window any more.
    static let unansweredPause: Int64 = 1_000_000_000
    /// Most parked deliveries; then later events wait in the log.
    static let parkedLimit = 10_000
    /// So many changes of parked deliveries are saved before anything else is sent: they have to fit into one `RecordStore.write`.
    static let changesLimit = 32
    /// Nanoseconds between savings of what was delivered, of the log of deliveries, and of a position that only passed unwanted events.
    static let pauses = (delivered: Int64(1_000_000_000), log: Int64(5_000_000_000), passed: Int64(10_000_000_000))
    /// An endpoint without a success for so long is paused, in milliseconds: five days.
    static let patienceMilliseconds: Int64 = 5 * 86_400_000

    /// A delivery that is in flight.
    private struct Sent {
        let delivery: WebhookDelivery
        /// By the monotonic clock.
        let at: Int64

        /// Whether it is sent again.
        var isRetry: Bool { delivery.event == nil }
    }

    private enum ItemState { case waiting, sending, settled }

    private struct Item {
        let event: FeedEvent
        var state: ItemState
    }

    /// What has changed since it was saved.
    private struct Unsaved {
        var changes: [DeliveryKey: ParkedDelivery?] = [:]
        var isDelivered = false
        var isMoved = false
        var isLogged = false
        /// When something was saved last, by the monotonic clock.
        var savedAt: Int64 = .min / 2
        var loggedAt: Int64 = .min / 2
    }

    private var window: [Item] = []
    /// The position after the window, …
    private var windowEnd: FeedPosition
    /// … and before it.
    private var start: FeedPosition
    private var parked: ParkedDeliveries
    /// What is in flight; each is in the window or parked, or both.
    private var inFlight: [DeliveryKey: Sent] = [:]
    private var pace = EndpointPace()
    private var failingSince: Timestamp?
    private var log: DeliveryLog
    private var unsaved = Unsaved()
    /// Why nothing more is sent.
    private(set) var pauseReason: WebhookPause.Reason?

    init(at position: FeedPosition, failingSince: Timestamp?, parked: [ParkedDelivery], log: DeliveryLog = DeliveryLog()) {
        (start, windowEnd, self.failingSince, self.log) = (position, position, failingSince, log)
        self.parked = ParkedDeliveries(parked)
    }

    /// Where the next window begins.
    var position: FeedPosition { windowEnd }
    /// Whether nothing is in flight.
    var isQuiet: Bool { inFlight.isEmpty }
    /// Deliveries that are to be repeated.
    var parkedCount: Int { parked.count }

    /// Pauses an endpoint without a success for five days, unless an answer is awaited, which decides it. Failures alone do not: after the last
    /// attempt of a delivery there may be no event for days.
    mutating func pauseIfFailing(at now: Now) {
        guard let failingSince, inFlight.isEmpty, isOutOfPatience(since: failingSince, at: now) else { return }
        pause(.failing)
    }

    private func isOutOfPatience(since failure: Timestamp, at now: Now) -> Bool {
        now.wall.milliseconds(since: failure) >= Self.patienceMilliseconds
    }

    /// Sends nothing more.
    mutating func pause(_ reason: WebhookPause.Reason) { pauseReason = pauseReason ?? reason }

    // MARK: - Events

    /// Whether it takes another window: never more than can be parked if all fail.
    var wantsEvents: Bool {
        pauseReason == nil && window.isEmpty && parked.count + Self.windowLimit <= Self.parkedLimit
    }

    /// Takes the events after `position`.
    mutating func take(_ batch: FeedBatch) {
        guard window.isEmpty else { return }
        // What a crash had left behind the saved position may be parked already.
        window = batch.events.map { Item(event: $0, state: parked[DeliveryKey($0)] == nil ? .waiting : .settled) }
        unsaved.isMoved = unsaved.isMoved || batch.next != windowEnd
        windowEnd = batch.next
        closeWindow()
    }

    private mutating func closeWindow() {
        guard window.allSatisfy({ $0.state == .settled }) else { return }
        window = []
        start = windowEnd
    }

    /// The position before the first event that is neither delivered nor parked.
    private var settledPosition: FeedPosition {
        var position = start
        for (index, item) in window.enumerated() {
            guard item.state == .settled else { return position }
            // Events that follow from one another have one position.
            if index + 1 < window.count, window[index + 1].event.position == item.event.position { continue }
            position = item.event.position
        }
        return windowEnd
    }

    // MARK: - Deliveries

    /// The next delivery to be sent now; nil: none for now. `finished` has to follow.
    mutating func nextDelivery(at now: Now) -> WebhookDelivery? {
        guard pauseReason == nil, unsaved.changes.count < Self.changesLimit,
            pace.allows(inFlight: inFlight.count, at: now.monotonic)
        else { return nil }
        let retries = inFlight.values.count(where: \.isRetry)
        if retries < Self.retriesInFlight, let due = parked.takeDue(at: now.wall) {
            return send(
                WebhookDelivery(
                    key: due.key, room: due.room, seq: due.seq, hash: due.hash, attempt: due.attempts + 1, event: nil), at: now)
        }
        guard inFlight.count - retries < Self.freshInFlight, let index = window.firstIndex(where: { $0.state == .waiting })
        else { return nil }
        window[index].state = .sending
        let event = window[index].event
        return send(
            WebhookDelivery(
                key: DeliveryKey(event), room: event.room, seq: event.event.seq, hash: event.event.hash.headHash, attempt: 1,
                event: event.event), at: now)
    }

    private mutating func send(_ delivery: WebhookDelivery, at now: Now) -> WebhookDelivery {
        inFlight[delivery.key] = Sent(delivery: delivery, at: now.monotonic)
        return delivery
    }

    /// Parks the last deliveries of a window that have had no answer for a while, so that it ends. After a crash they are sent again.
    mutating func parkUnanswered(at now: Now) {
        guard window.contains(where: { $0.state == .sending }), !window.contains(where: { $0.state == .waiting }) else {
            return
        }
        for sent in inFlight.values where parked[sent.delivery.key] == nil && now.monotonic - sent.at >= Self.unansweredPause {
            let delivery = sent.delivery
            let parkedNow = ParkedDelivery(
                key: delivery.key, room: delivery.room, seq: delivery.seq, hash: delivery.hash, attempts: delivery.attempt,
                dueAt: now.wall, triedAt: now.wall, status: nil)
            parked.parkTaken(parkedNow)
            unsaved.changes[delivery.key] = parkedNow
            settle(delivery.key)
        }
    }

    /// What came of a delivery.
    enum Result: Hashable, Sendable { case delivered, parked, failed, unsent }

    /// Takes what came of a delivery.
    /// - Parameter jitter: From 0 to 1, at random.
    @discardableResult
    mutating func finished(_ key: DeliveryKey, _ answer: WebhookAnswer, at now: Now, jitter: Double) -> Result {
        guard let delivery = inFlight.removeValue(forKey: key)?.delivery else { return .unsent }
        guard answer.kind != .unsent else {
            putBack(delivery)
            pace.wait(at: now.monotonic)
            return .unsent
        }
        log.add(delivery, answer, at: now.wall)
        unsaved.isLogged = true
        guard answer.isSuccess else { return failed(delivery, answer, at: now, jitter: jitter) }
        failingSince = nil
        pace.succeeded()
        unsaved.isDelivered = true
        if parked[key] != nil {
            parked.remove(key)
            unsaved.changes[key] = .some(nil)
        }
        settle(key)
        return .delivered
    }

    private mutating func putBack(_ delivery: WebhookDelivery) {
        if let again = parked[delivery.key] { return parked.park(again) }
        if let index = index(of: delivery.key) { window[index].state = .waiting }
    }

    private mutating func failed(
        _ delivery: WebhookDelivery, _ answer: WebhookAnswer, at now: Now, jitter: Double
    ) -> Result {
        let delay =
            answer.kind == .unreadable
            ? nil
            : RetrySchedule.delay(after: delivery.attempt, asked: answer.retryAfterMilliseconds, jitter: jitter)
        let parkedNow = ParkedDelivery(
            key: delivery.key, room: delivery.room, seq: delivery.seq, hash: delivery.hash, attempts: delivery.attempt,
            dueAt: delay.map { now.wall.advanced(byMilliseconds: $0) }, triedAt: now.wall, status: answer.status)
        parked.park(parkedNow)
        unsaved.changes[delivery.key] = parkedNow
        settle(delivery.key)
        if answer.kind != .unreadable { judge(answer, at: now) }
        return delay == nil ? .failed : .parked
    }

    /// Whether the endpoint gets more, and how fast.
    private mutating func judge(_ answer: WebhookAnswer, at now: Now) {
        if EndpointPace.isBusy(answer.status) { pace.slow(at: now.monotonic, asked: answer.retryAfterMilliseconds) }
        let since = failingSince ?? now.wall
        failingSince = since
        if answer.status == 410 { pause(.gone) }
        if isOutOfPatience(since: since, at: now) { pause(.failing) }
    }

    private func index(of key: DeliveryKey) -> Int? { window.firstIndex { DeliveryKey($0.event) == key } }

    private mutating func settle(_ key: DeliveryKey) {
        guard let index = index(of: key) else { return }
        window[index].state = .settled
        closeWindow()
    }

    // MARK: - What is durable

    /// Whether anything but the log of deliveries has changed since it was saved.
    var isUnsaved: Bool { unsaved.isDelivered || unsaved.isMoved || !unsaved.changes.isEmpty }

    /// What has to be saved now; nil: nothing yet. `saved` follows once it is durable.
    /// - Parameters:
    ///   - isForced: Whether it is saved although it is not due.
    ///   - withLog: Whether the log of deliveries is too.
    func save(at monotonic: Int64, isForced: Bool = false, withLog: Bool = false) -> WebhookSave? {
        let isLogDue = unsaved.isLogged && (withLog || monotonic - unsaved.loggedAt >= Self.pauses.log)
        let isChanged = unsaved.isDelivered || !unsaved.changes.isEmpty
        let elapsed = monotonic - unsaved.savedAt
        let isDue =
            isForced || unsaved.changes.count >= Self.changesLimit || isLogDue
            || isChanged && elapsed >= Self.pauses.delivered || unsaved.isMoved && elapsed >= Self.pauses.passed
        guard isDue else { return nil }
        return WebhookSave(
            position: settledPosition, failingSince: failingSince, parked: parked.count, changes: unsaved.changes,
            log: isLogDue ? log : nil)
    }

    /// What `save` returned is durable; nothing has happened since.
    mutating func saved(_ save: WebhookSave, at monotonic: Int64) {
        unsaved.changes = [:]
        (unsaved.isDelivered, unsaved.isMoved, unsaved.savedAt) = (false, false, monotonic)
        if save.log != nil { (unsaved.isLogged, unsaved.loggedAt) = (false, monotonic) }
    }
}

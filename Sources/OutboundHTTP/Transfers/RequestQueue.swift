internal import Synchronization

/// Requests on their way from any thread to the client's, and what counts those in flight.
final class RequestQueue: Sendable {
    private struct State {
        var slots: RequestSlots
        var waiting: [OutboundJob] = []
        var isStopped = false
    }

    private let state: Mutex<State>
    private let limits: OutboundLimits
    private let waker: MultiWaker

    init(_ limits: OutboundLimits, _ waker: MultiWaker) {
        self.limits = limits
        self.waker = waker
        state = Mutex(State(slots: RequestSlots(total: limits.requests, perHost: limits.requestsPerHost)))
    }

    func add(_ job: OutboundJob) throws(OutboundFailure) {
        guard job.request.headers.allSatisfy(\.isOneLine), job.request.body.count <= limits.requestBytes else {
            throw .invalidRequest
        }
        let isFirst = try state.withLock { state throws(OutboundFailure) in
            guard !state.isStopped else { throw .stopped }
            guard state.slots.take(for: job.url.host) else { throw .tooManyInFlight }
            state.waiting.append(job)
            return state.waiting.count == 1
        }
        // For the others the thread has been woken already, and has not taken them yet.
        if isFirst { waker.wake() }
    }

    /// What has been added since the last call; nil once the client was stopped.
    func take() -> [OutboundJob]? {
        state.withLock { state in
            guard !state.isStopped else { return nil }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// What no transfer was begun for, after the stop.
    func takeRest() -> [OutboundJob] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// A request is no longer in flight.
    func release(_ job: OutboundJob) { state.withLock { $0.slots.release(job.url.host) } }

    func stop() {
        state.withLock { $0.isStopped = true }
        waker.wake()
    }
}

/// Counts requests in flight, in all and for each host.
struct RequestSlots {
    private let total: Int
    private let perHost: Int
    private var taken = 0
    private var ofHost: [String: Int] = [:]

    init(total: Int, perHost: Int) { (self.total, self.perHost) = (total, perHost) }

    /// False if a bound is reached.
    mutating func take(for host: String) -> Bool {
        guard taken < total, ofHost[host, default: 0] < perHost else { return false }
        taken += 1
        ofHost[host, default: 0] += 1
        return true
    }

    mutating func release(_ host: String) {
        guard let count = ofHost[host] else { return }
        taken -= 1
        ofHost[host] = count > 1 ? count - 1 : nil
    }

    /// Hosts with requests in flight.
    var hosts: Int { ofHost.count }
}

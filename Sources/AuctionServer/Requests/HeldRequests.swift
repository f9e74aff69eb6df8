internal import AuctionService
internal import EventLog
internal import MicroHTTP

/// Requests of one event loop that wait for their room or for a value from another thread. Used on that loop's thread only.
final class HeldRequests {
    /// Requests that wait for their room, and are then handled anew.
    private var requests: [ExchangeID: RequestContext] = [:]
    /// Requests that wait for a value: a `Continuation` each.
    private var continuations: [ExchangeID: AnyObject] = [:]

    /// How a request goes on once another thread has the value that it waits for.
    ///
    /// It stays on its loop: the other thread has the id of the exchange only, and cannot release what `proceed` holds.
    private final class Continuation<Value> {
        let proceed: (Value) -> Void

        init(_ proceed: @escaping (Value) -> Void) { self.proceed = proceed }
    }

    func hold(_ context: RequestContext) { requests[context.exchange.id] = context }

    /// Removes and returns a request that waits for its room; nil if it does not.
    func takeRequest(_ id: ExchangeID) -> RequestContext? { requests.removeValue(forKey: id) }

    /// Holds a request until it gets a value. A request waits for one value at a time.
    func hold<Value>(_ id: ExchangeID, until proceed: @escaping (Value) -> Void) {
        assert(continuations[id] == nil, "a request waits for one value at a time")
        continuations[id] = Continuation(proceed)
    }

    /// Removes and returns how a request goes on with its value; nil if it does not wait for one.
    func takeContinuation<Value>(_ id: ExchangeID, for _: Value) -> ((Value) -> Void)? {
        let continuation = continuations.removeValue(forKey: id) as? Continuation<Value>
        assert(continuation != nil, "each value is waited for once")
        return continuation?.proceed
    }
}

// Requests that wait for other threads.
extension LoopHandler {
    /// Begins work on another thread, then calls `proceed` on this loop with its value, also if the client has disconnected meanwhile.
    /// - Parameter begin: is given the function that takes the value, to be called once on any thread. If it throws, nothing follows.
    func wait<Value: Sendable, Failure: Error>(
        _ context: RequestContext, begin: (@escaping @Sendable (Value) -> Void) throws(Failure) -> Void,
        then proceed: @escaping (Value) -> Void
    ) throws(Failure) {
        try wait(for: context.exchange.id, begin: begin, then: proceed)
    }

    /// The same for work of an exchange that may not be there.
    func wait<Value: Sendable, Failure: Error>(
        for id: ExchangeID, begin: (@escaping @Sendable (Value) -> Void) throws(Failure) -> Void,
        then proceed: @escaping (Value) -> Void
    ) throws(Failure) {
        let (registry, index) = (shared.registry, loop.index)
        try begin { value in
            registry.post(to: index) { handler in
                handler.held.takeContinuation(id, for: value)?(value)
                // It may have submitted commands, and the loop calls `turnEnded` only in turns with new requests.
                handler.turnEnded()
            }
        }
        held.hold(id, until: proceed)
    }

    /// Goes on with a request that has waited, unless its client has disconnected; responds with the problem that `work` throws.
    func proceed(_ context: RequestContext, _ work: () throws(Problem) -> Void) {
        guard loop.exchange(context.exchange.id) != nil else { return }
        do throws(Problem) {
            try work()
        } catch {
            respond(error, to: context.exchange, context.requestID, context.language)
        }
    }

    /// Reads or writes records on a thread that may block, then goes on with the request.
    func readRecords<Value: Sendable>(
        _ context: RequestContext, for caller: String, atMost count: Int = .max,
        _ work: @escaping @Sendable (any EventLog) throws(EventLogError) -> Value,
        then proceeding: @escaping (Value) throws(Problem) -> Void
    ) throws(Problem) {
        try wait(context) { (finish) throws(Problem) in
            let isTaken = shared.service.read(for: caller, atMost: count) { log -> Result<Value, EventLogError> in
                Result { () throws(EventLogError) in try work(log) }
            } then: {
                finish($0)
            }
            guard isTaken else { throw .tooManyReads }
        } then: { [unowned self] (result: Result<Value, EventLogError>) in
            proceed(context) { () throws(Problem) in
                switch result {
                case .success(let value): try proceeding(value)
                case .failure(let error):
                    shared.log.report(error, of: context.requestID)
                    throw .unavailable
                }
            }
        }
    }

    /// Reads a number from the log on a reader thread, then calls `proceed` with it on this loop.
    func count(
        _ context: RequestContext, _ count: @escaping @Sendable (any EventLog) throws(EventLogError) -> Int,
        then proceed: @escaping (Int) throws(Problem) -> Void
    ) {
        wait(context) { finish in
            shared.service.readForCommand { log in finish(Result { () throws(EventLogError) in try count(log) }) }
        } then: { [unowned self] (counted: Result<Int, EventLogError>) in
            self.proceed(context) { () throws(Problem) in
                guard case .success(let number) = counted else { throw .unavailable }
                try proceed(number)
            }
        }
    }
}

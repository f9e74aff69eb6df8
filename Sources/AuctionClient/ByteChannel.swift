import AuctionClientCore

/// Bytes on their way from a delegate's callbacks to one reader, bounded.
final class ByteChannel: Sendable {
    private typealias HeadReader = CheckedContinuation<Result<HTTPHead, TransportError>, Never>
    private typealias Reader = CheckedContinuation<Result<[UInt8]?, TransportError>, Never>

    private struct State {
        var head: HTTPHead?
        var pending: [UInt8] = []
        var ending: Result<Void, TransportError>?
        var headReader: HeadReader?
        var reader: Reader?
    }

    private let limit: Int
    private let state = Locked(State())

    /// - Parameter limit: the most bytes that wait for the reader.
    init(limit: Int) { self.limit = limit }

    // MARK: - The delegate

    func receive(_ head: HTTPHead) {
        let reader = state.withLock { state in
            state.head = head
            defer { state.headReader = nil }
            return state.headReader
        }
        reader?.resume(returning: .success(head))
    }

    /// False if there are more bytes than the bound; the channel has ended then.
    func receive(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        let (waiting, isWithinLimit): (Reader?, Bool) = state.withLock { state in
            guard state.ending == nil else { return (nil, true) }
            if let waiting = state.reader {
                state.reader = nil
                return (waiting, true)
            }
            guard state.pending.count + bytes.count <= limit else { return (nil, false) }
            state.pending += bytes
            return (nil, true)
        }
        waiting?.resume(returning: .success(bytes))
        if !isWithinLimit { finish(.failure(.tooManyPendingBytes(limit: limit))) }
        return isWithinLimit
    }

    /// The first end counts.
    func finish(_ result: Result<Void, TransportError>) {
        let (waitingForHead, waiting): (HeadReader?, Reader?) = state.withLock { state in
            guard state.ending == nil else { return (nil, nil) }
            state.ending = result
            defer {
                state.headReader = nil
                state.reader = nil
            }
            return (state.headReader, state.reader)
        }
        waitingForHead?.resume(returning: .failure(Self.headError(result)))
        waiting?.resume(returning: result.map { nil })
    }

    /// Why there is no head after this end.
    private static func headError(_ ending: Result<Void, TransportError>) -> TransportError {
        if case .failure(let error) = ending { error } else { .interrupted("the connection ended without a response") }
    }

    // MARK: - The reader

    func readHead() async throws(TransportError) -> HTTPHead {
        let result = await withCheckedContinuation { (continuation: HeadReader) in
            let known: Result<HTTPHead, TransportError>? = state.withLock { state in
                if let head = state.head { return .success(head) }
                if let ending = state.ending { return .failure(Self.headError(ending)) }
                state.headReader = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }

    /// The bytes that have arrived since the last call; nil at the end.
    func next() async throws(TransportError) -> [UInt8]? {
        let result = await withCheckedContinuation { (continuation: Reader) in
            let known: Result<[UInt8]?, TransportError>? = state.withLock { state in
                if !state.pending.isEmpty {
                    defer { state.pending = [] }
                    return .success(state.pending)
                }
                if let ending = state.ending { return ending.map { nil } }
                state.reader = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }
}

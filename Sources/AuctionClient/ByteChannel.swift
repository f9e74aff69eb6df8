import AuctionClientCore
import Foundation

/// Bytes on their way from a delegate's callbacks to one reader, bounded.
///
/// `@unchecked Sendable`: all mutable state is only used while `lock` is held.
final class ByteChannel: @unchecked Sendable {
    private typealias HeadReader = CheckedContinuation<Result<HTTPHead, TransportError>, Never>
    private typealias Reader = CheckedContinuation<Result<[UInt8]?, TransportError>, Never>

    private let lock = NSLock()
    private let limit: Int
    private var head: HTTPHead?
    private var pending: [UInt8] = []
    private var ending: Result<Void, TransportError>?
    private var headReader: HeadReader?
    private var reader: Reader?

    /// - Parameter limit: the most bytes that wait for the reader.
    init(limit: Int) { self.limit = limit }

    // MARK: - The delegate

    func receive(_ head: HTTPHead) {
        let reader = lock.withLock {
            self.head = head
            defer { headReader = nil }
            return headReader
        }
        reader?.resume(returning: .success(head))
    }

    /// False if there are more bytes than the bound; the channel has ended then.
    func receive(_ bytes: some Collection<UInt8>) -> Bool {
        let (waiting, isWithinLimit): (Reader?, Bool) = lock.withLock {
            guard ending == nil else { return (nil, true) }
            guard pending.count + bytes.count <= limit || reader != nil else { return (nil, false) }
            guard let waiting = reader else {
                pending.append(contentsOf: bytes)
                return (nil, true)
            }
            reader = nil
            return (waiting, true)
        }
        waiting?.resume(returning: .success(Array(bytes)))
        if !isWithinLimit { finish(.failure(.tooManyPendingBytes(limit: limit))) }
        return isWithinLimit
    }

    /// The first end counts.
    func finish(_ result: Result<Void, TransportError>) {
        let (waitingForHead, waiting): (HeadReader?, Reader?) = lock.withLock {
            guard ending == nil else { return (nil, nil) }
            ending = result
            defer {
                headReader = nil
                reader = nil
            }
            return (headReader, reader)
        }
        waitingForHead?.resume(returning: .failure(Self.error(result) ?? .interrupted("no response")))
        waiting?.resume(returning: result.map { nil })
    }

    private static func error(_ result: Result<Void, TransportError>) -> TransportError? {
        if case .failure(let error) = result { error } else { nil }
    }

    // MARK: - The reader

    func readHead() async throws(TransportError) -> HTTPHead {
        let result = await withCheckedContinuation { (continuation: HeadReader) in
            let known: Result<HTTPHead, TransportError>? = lock.withLock {
                if let head { return .success(head) }
                if let ending { return .failure(Self.error(ending) ?? .interrupted("no response")) }
                headReader = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let result = await withCheckedContinuation { (continuation: Reader) in
            let known: Result<[UInt8]?, TransportError>? = lock.withLock {
                if !pending.isEmpty {
                    defer { pending = [] }
                    return .success(pending)
                }
                if let ending { return ending.map { nil } }
                reader = continuation
                return nil
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }
}

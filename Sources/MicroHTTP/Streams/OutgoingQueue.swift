internal import CMicroHTTPDShims
internal import Glibc

/// Chunks on their way to one peer, which may be half through the first. The chunks are shared, so a thousand queues of the same
/// events cost a thousand references.
struct OutgoingQueue {
    enum Progress {
        case drained
        /// The peer's and the system's buffers are full.
        case blocked
        /// The connection is broken.
        case failed
    }

    private var chunks: [SharedBytes] = []
    private var first = 0
    /// How much of the first chunk is gone.
    private var offset = 0
    /// What is still to be sent.
    private(set) var byteCount = 0
    /// Whether each chunk goes out as a chunk of HTTP's own, size and all. Changed only while nothing waits.
    var isFramed = false

    var isEmpty: Bool { byteCount == 0 }

    // sendmsg takes this many at a time.
    private static let vectorCount = 16

    mutating func append(_ bytes: SharedBytes) {
        guard bytes.count > 0 else { return }
        chunks.append(bytes)
        byteCount += bytes.size(isFramed)
    }

    /// Hands to the system what it takes of these bytes if nothing is before them; the rest waits. Whoever keeps up, which is
    /// nearly everybody, costs one system call and no memory.
    mutating func write(_ bytes: SharedBytes, to descriptor: Int32) -> Progress {
        guard isEmpty, bytes.count > 0 else {
            append(bytes)
            return isEmpty ? .drained : .blocked
        }
        let size = bytes.size(isFramed)
        // Safe: the bytes live through the call.
        let count = unsafe send(descriptor, bytes.start(isFramed), size, micro_send_flags())
        if count == size { return .drained }
        if count < 0, errno != EAGAIN, errno != EINTR { return .failed }
        append(bytes)
        if count > 0 { advance(by: count) }
        return .blocked
    }

    /// Drops everything but the rest of a chunk whose beginning the peer has: a frame cut in half would garble what follows.
    mutating func dropUnbegun() {
        guard !isEmpty else { return }
        let begun = offset > 0 ? chunks[first] : nil
        chunks = begun.map { [$0] } ?? []
        first = 0
        byteCount = begun.map { $0.size(isFramed) - offset } ?? 0
    }

    mutating func removeAll() {
        (chunks, first, offset, byteCount) = ([], 0, 0, 0)
    }

    /// Hands to the system what it takes.
    mutating func write(to descriptor: Int32) -> Progress {
        while !isEmpty {
            let count = writeOnce(to: descriptor)
            if count > 0 {
                advance(by: count)
            } else if errno == EAGAIN {
                return .blocked
            } else if errno != EINTR {
                return .failed
            }
        }
        return .drained
    }

    private func writeOnce(to descriptor: Int32) -> Int {
        let count = min(chunks.count - first, OutgoingQueue.vectorCount)
        // Safe: every vector lies within its chunk, which the queue keeps alive through the call.
        return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: count) { vectors in
            for index in 0..<count {
                let chunk = chunks[first + index]
                let gone = index == 0 ? offset : 0
                unsafe vectors.initializeElement(
                    at: index,
                    to: iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: chunk.start(isFramed) + gone),
                        iov_len: chunk.size(isFramed) - gone))
            }
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = count
            return unsafe sendmsg(descriptor, &message, micro_send_flags())
        }
    }

    /// Copies as much as fits, for a writer that has a buffer of its own.
    @unsafe
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count, !isEmpty {
            let chunk = chunks[first]
            let count = min(buffer.count - filled, chunk.size(isFramed) - offset)
            // Safe: the count is within both.
            unsafe buffer.baseAddress?.advanced(by: filled).copyMemory(from: chunk.start(isFramed) + offset, byteCount: count)
            filled += count
            advance(by: count)
        }
        return filled
    }

    private mutating func advance(by count: Int) {
        byteCount -= count
        var rest = offset + count
        while first < chunks.count, rest >= chunks[first].size(isFramed) {
            rest -= chunks[first].size(isFramed)
            first += 1
        }
        offset = rest
        if first == chunks.count {
            (chunks, first) = ([], 0)
        } else if first >= 64 {
            chunks.removeFirst(first)
            first = 0
        }
    }
}

internal import CMicroHTTPDShims
internal import Glibc

/// The unsent chunks of one peer, of which the first may be partly sent. Chunks are shared: a thousand queues of the same events
/// hold a thousand references, not copies.
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
    /// Bytes of the first chunk that were sent already.
    private var offset = 0
    /// Bytes still to be sent.
    private(set) var byteCount = 0
    /// Whether each chunk is sent with the size line and line break of HTTP's chunked encoding. Changed only while the queue is empty.
    var isFramed = false

    var isEmpty: Bool { byteCount == 0 }

    // Most chunks passed to one sendmsg call.
    private static let vectorCount = 16

    /// Framed, empty bytes are the last chunk of a chunked body.
    mutating func append(_ bytes: SharedBytes) {
        guard bytes.size(isFramed) > 0 else { return }
        chunks.append(bytes)
        byteCount += bytes.size(isFramed)
    }

    /// Writes the bytes at once if the queue is empty, and queues what the system does not take. A peer that keeps up, the usual
    /// case, costs one system call and no memory.
    mutating func write(_ bytes: SharedBytes, to descriptor: Int32) -> Progress {
        guard isEmpty, bytes.size(isFramed) > 0 else {
            append(bytes)
            return isEmpty ? .drained : .blocked
        }
        let size = bytes.size(isFramed)
        // SAFETY: the bytes live through the call.
        let count = unsafe send(descriptor, bytes.start(isFramed), size, micro_send_flags())
        if count == size { return .drained }
        if count < 0, errno != EAGAIN, errno != EINTR { return .failed }
        append(bytes)
        if count > 0 { advance(by: count) }
        return .blocked
    }

    /// Drops all chunks except a partly sent one: a truncated frame would corrupt what follows.
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

    /// Writes queued chunks until the queue is empty or the system takes no more.
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
        // SAFETY: every vector is within its chunk, which the queue retains during the call.
        return unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: count) { vectors in
            for index in 0..<count {
                let chunk = chunks[first + index]
                let sentBytes = index == 0 ? offset : 0
                unsafe vectors.initializeElement(
                    at: index,
                    to: iovec(
                        iov_base: UnsafeMutableRawPointer(mutating: chunk.start(isFramed) + sentBytes),
                        iov_len: chunk.size(isFramed) - sentBytes))
            }
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = count
            return unsafe sendmsg(descriptor, &message, micro_send_flags())
        }
    }

    /// Moves as many bytes as fit into libmicrohttpd's buffer. Returns their number.
    @unsafe
    mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count, !isEmpty {
            let chunk = chunks[first]
            let count = min(buffer.count - filled, chunk.size(isFramed) - offset)
            // SAFETY: the count is within the buffer and within the chunk.
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

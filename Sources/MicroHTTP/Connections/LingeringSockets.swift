internal import CMicroHTTPDShims
internal import Glibc

/// Sockets whose response was sent before their request was read completely, or that close at the end of a stream.
///
/// Closing a socket with unread bytes resets it, and the reset may overtake the response. So a duplicate of the descriptor stays open, and
/// further bytes are discarded. It closes when the peer closes or is silent, or has had the allowed time or bytes. Many clients read the
/// response only when they have sent the whole request.
struct LingeringSockets {
    private struct Socket {
        let descriptor: Int32
        let end: UInt64
        var deadline: UInt64
        var allowance = LingeringSockets.discardedBytes
    }

    /// Most bytes that are discarded of one socket: those of a photo as cameras make them.
    static let discardedBytes = 16 << 20
    /// Most bytes that are discarded before other sockets have their turn.
    static let turnBytes = 256 << 10
    /// How long a socket stays open that receives nothing, and at most.
    static let (silentMilliseconds, milliseconds): (UInt64, UInt64) = (2000, 10_000)

    private var sockets: [UInt64: Socket] = [:]
    private var last: UInt64 = 0
    /// Most sockets of one loop.
    static let capacity = 256

    // Serial numbers in exchange identifiers never reach the top bit.
    private static let tokenBit: UInt64 = 1 << 63

    static func isToken(_ token: UInt64) -> Bool { token & tokenBit != 0 }

    /// Keeps a duplicate of a descriptor that is about to be closed; does nothing above `capacity`.
    mutating func keep(_ descriptor: Int32, at now: UInt64, _ poller: Poller) {
        guard sockets.count < LingeringSockets.capacity else { return }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        SocketWriter.end(copy)
        last += 1
        let token = last | LingeringSockets.tokenBit
        guard poller.watch(copy, EPOLLIN.rawValue | EPOLLRDHUP.rawValue, token: token) else {
            _ = close(copy)
            return
        }
        sockets[token] = Socket(
            descriptor: copy, end: now + LingeringSockets.milliseconds, deadline: now + LingeringSockets.silentMilliseconds)
    }

    mutating func read(_ token: UInt64, at now: UInt64, _ poller: Poller) {
        guard var socket = sockets[token] else { return }
        let rest = socket.allowance - LingeringSockets.turnBytes
        while socket.allowance > max(rest, 0) {
            let count = SocketWriter.discard(from: socket.descriptor)
            if count < 0 { break }
            if count == 0 { return end(token, socket.descriptor, poller) }
            socket.allowance -= count
        }
        guard socket.allowance > 0 else { return end(token, socket.descriptor, poller) }
        socket.deadline = min(now + LingeringSockets.silentMilliseconds, socket.end)
        sockets[token] = socket
    }

    mutating func closeExpired(_ now: UInt64, _ poller: Poller) {
        guard !sockets.isEmpty else { return }
        for (token, socket) in sockets where socket.deadline <= now { end(token, socket.descriptor, poller) }
    }

    mutating func closeAll(_ poller: Poller) {
        closeExpired(.max, poller)
    }

    var count: Int { sockets.count }

    private mutating func end(_ token: UInt64, _ descriptor: Int32, _ poller: Poller) {
        sockets[token] = nil
        poller.unwatch(descriptor)
        _ = close(descriptor)
    }
}

/// Direct writes to and reads from a socket, without libmicrohttpd.
enum SocketWriter {
    /// One attempt to send, without blocking; errors are ignored.
    static func send(_ bytes: [UInt8], on descriptor: Int32) {
        // SAFETY: the pointer and the count are the array's own, through the call.
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
    }

    /// Ends the sending side: the peer reads what was sent, and then the end.
    static func end(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads and discards. Returns the number of bytes; 0 at the end or on an error, -1 if none is available yet.
    static func discard(from descriptor: Int32) -> Int {
        // SAFETY: the count is the buffer's own, and its bytes are never read.
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { buffer in
            unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? -1 : 0 }
        return count
    }
}

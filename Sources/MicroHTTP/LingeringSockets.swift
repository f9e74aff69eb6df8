internal import CMicroHTTPDShims
internal import Glibc

/// Sockets that were answered before their request was read to its end.
///
/// Closing a socket with unread bytes resets it, and the reset may overtake the answer. So a copy of the descriptor stays open
/// a little: what still comes is read and thrown away, until the peer closes, time is up, or too much came.
struct LingeringSockets {
    private struct Socket {
        let descriptor: Int32
        let deadline: UInt64
        var allowance = 1 << 20
    }

    private var sockets: [UInt64: Socket] = [:]
    private var last: UInt64 = 0
    private static let capacity = 256

    // Exchange ids have their serial above the slot's bits and never come near the top bit.
    private static let tokenBit: UInt64 = 1 << 63

    static func isToken(_ token: UInt64) -> Bool { token & tokenBit != 0 }

    /// Keeps a copy of a descriptor that is about to be closed; when there are too many, does nothing.
    mutating func keep(_ descriptor: Int32, until deadline: UInt64, _ poller: borrowing Poller) {
        guard sockets.count < LingeringSockets.capacity else { return }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        _ = shutdown(copy, Int32(SHUT_WR))
        last += 1
        let token = last | LingeringSockets.tokenBit
        guard poller.watch(copy, EPOLLIN.rawValue | EPOLLRDHUP.rawValue, token: token) else {
            _ = close(copy)
            return
        }
        sockets[token] = Socket(descriptor: copy, deadline: deadline)
    }

    mutating func read(_ token: UInt64, _ poller: borrowing Poller) {
        guard var socket = sockets[token] else { return }
        while socket.allowance > 0 {
            let count = SocketWriter.discard(from: socket.descriptor)
            if count < 0 {
                sockets[token] = socket
                return
            }
            if count == 0 { break }
            socket.allowance -= count
        }
        end(token, socket.descriptor, poller)
    }

    mutating func closeLate(_ now: UInt64, _ poller: borrowing Poller) {
        guard !sockets.isEmpty else { return }
        for (token, socket) in sockets where socket.deadline <= now { end(token, socket.descriptor, poller) }
    }

    mutating func closeAll(_ poller: borrowing Poller) {
        closeLate(.max, poller)
    }

    var count: Int { sockets.count }

    private mutating func end(_ token: UInt64, _ descriptor: Int32, _ poller: borrowing Poller) {
        sockets[token] = nil
        poller.unwatch(descriptor)
        _ = close(descriptor)
    }
}

/// The two things done to a socket without libmicrohttpd.
enum SocketWriter {
    /// One attempt, never waiting.
    static func send(_ bytes: [UInt8], on descriptor: Int32) {
        // Safe: the pointer and the count are the array's own, through the call.
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
    }

    /// How many bytes were thrown away; 0 at the end or on an error, -1 where none is there yet.
    static func discard(from descriptor: Int32) -> Int {
        // Safe: the buffer is as large as said, and its bytes are never looked at.
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { buffer in
            unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? -1 : 0 }
        return count
    }
}

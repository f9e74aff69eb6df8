import Glibc

/// A blocking client socket, connected to a port of 127.0.0.1; every read has a timeout, so that a test fails instead of hanging.
///
/// `@safe`: each call passes the pointer and the size of the same value, valid during the call.
package final class BlockingSocket {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private enum Received {
        case bytes([UInt8])
        /// The peer has ended the connection in order.
        case end
        case timeout
        case reset
    }

    private var descriptor: Int32
    private var buffered: ArraySlice<UInt8> = []

    /// - Parameters:
    ///   - receiveBytes: size of the kernel's receive buffer; small to simulate a slow reader.
    ///   - source: the client's address, any of 127.0.0.0/8; nil leaves it to the kernel.
    package init(port: UInt16, receiveSeconds: Int = 5, receiveBytes: Int32? = nil, from source: UInt32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: receiveSeconds, tv_usec: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let receiveBytes { setReceiveBuffer(receiveBytes) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        if let source {
            address.sin_addr.s_addr = source.bigEndian
            let bound = unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
            }
            guard bound == 0 else {
                close()
                throw Failure(description: "cannot bind: errno \(errno)")
            }
        }
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard connected == 0 else {
            close()
            throw Failure(description: "cannot connect: errno \(errno)")
        }
    }

    /// A connection that a server has accepted. On a busy machine a client may wait long between its requests.
    init(accepted descriptor: Int32, receiveSeconds: Int = 120) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: receiveSeconds, tv_usec: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    package func close() {
        guard descriptor >= 0 else { return }
        _ = Glibc.close(descriptor)
        descriptor = -1
    }

    /// Closes with a reset.
    package func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Ends the sending side only.
    package func closeSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sets the size of the kernel's receive buffer.
    package func setReceiveBuffer(_ bytes: Int32) {
        var size = bytes
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends each byte by itself, without waiting for more of them.
    package func sendEachByte(of text: String) {
        var on: Int32 = 1
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        for byte in text.utf8 { send([byte]) }
    }

    /// Sends all bytes; false once the peer has closed.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends all bytes; false once the peer has closed.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Whether the peer has closed or reset the connection; bytes before that are dropped.
    package func isClosedByPeer() -> Bool {
        while true {
            switch receive() {
            case .bytes: continue
            case .end, .reset: return true
            case .timeout: return false
            }
        }
    }

    /// Whether the peer has ended the connection in order, and not by a reset; bytes before that are dropped.
    package func isEndedByPeer() -> Bool {
        while true {
            switch receive() {
            case .bytes: continue
            case .end: return true
            case .reset, .timeout: return false
            }
        }
    }

    /// Reads a line, without its end.
    package func readLine() throws -> String {
        while true {
            if let end = buffered.firstIndex(of: 10) {
                defer { buffered = buffered[(end + 1)...] }
                return String(decoding: buffered[..<end].filter { $0 != 13 }, as: UTF8.self)
            }
            try fill()
        }
    }

    package func read(_ count: Int) throws -> [UInt8] {
        while buffered.count < count { try fill() }
        defer { buffered = buffered.dropFirst(count) }
        return Array(buffered.prefix(count))
    }

    /// Reads the next response head, including interim ones.
    package func readHead() throws -> ResponseHead {
        let first = try readLine()
        guard let status = Int(first.split(separator: " ").dropFirst().first ?? "") else {
            throw Failure(description: "no status line: \(first)")
        }
        return ResponseHead(status: status, headers: try readHeaders())
    }

    func readHeaders() throws -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        while true {
            let line = try readLine()
            guard !line.isEmpty else { return headers }
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append((String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
        }
    }

    private func fill() throws {
        switch receive() {
        case .bytes(let more): buffered += more
        case .end, .reset: throw Failure(description: "the server hung up")
        case .timeout: throw Failure(description: "no response in time")
        }
    }

    private func receive() -> Received {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 { return .bytes(Array(chunk.prefix(count))) }
        if count == 0 { return .end }
        return errno == EAGAIN ? .timeout : .reset
    }
}

/// The status and the headers of a response as received.
package struct ResponseHead: Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]

    /// The first header of that name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

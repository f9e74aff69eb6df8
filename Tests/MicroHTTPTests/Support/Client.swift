import Glibc

/// A blocking client socket; every read has a timeout, so that a test fails instead of hanging.
///
/// `@safe`: each call passes the pointer and the size of the same array, valid during the call.
final class Client {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A response as received.
    struct Reply {
        let status: Int
        let headers: [(name: String, value: String)]
        var body: String

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    private(set) var descriptor: Int32
    private var buffered: [UInt8] = []

    /// - Parameter source: the client's address, any of 127.0.0.0/8.
    init(port: UInt16, receiveSeconds: Int = 5, from source: UInt32 = 0x7F00_0001) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: receiveSeconds, tv_usec: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = source.bigEndian
        let bound = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard bound == 0 else {
            close()
            throw Failure(description: "cannot bind: errno \(errno)")
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

    deinit { close() }

    func close() {
        guard descriptor >= 0 else { return }
        _ = Glibc.close(descriptor)
        descriptor = -1
    }

    /// Closes with a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Ends the sending side only.
    func closeSending() {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends all bytes; false once the peer has closed.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
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

    /// Reads one response, skipping 100 Continue; a response to HEAD has no body despite its Content-Length.
    func reply(toHead: Bool = false) throws -> Reply {
        while true {
            let head = try readHead()
            if head.status == 100 { continue }
            var reply = head
            let length = Int(head.header("Content-Length") ?? "0") ?? 0
            if !toHead { reply.body = String(decoding: try read(length), as: UTF8.self) }
            return reply
        }
    }

    /// Reads the next response head, including interim ones.
    func readHead() throws -> Reply {
        var lines: [String] = []
        while true {
            let line = try readLine()
            if line.isEmpty { break }
            lines.append(line)
        }
        guard let first = lines.first, let status = Int(first.split(separator: " ").dropFirst().first ?? "") else {
            throw Failure(description: "no status line: \(lines)")
        }
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        return Reply(status: status, headers: headers, body: "")
    }

    func request(_ text: String) throws -> Reply {
        send(text)
        return try reply()
    }

    /// Whether the peer has closed or reset the connection; bytes before that are dropped.
    func isClosedByPeer() -> Bool {
        while true {
            let more = receive()
            if more == nil { return false }
            if more?.isEmpty == true { return true }
        }
    }

    /// Whether the peer has ended the connection in order, and not by a reset; bytes before that are dropped.
    func isEndedByPeer() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count <= 0 { return count == 0 }
        }
    }

    func readLine() throws -> String {
        while true {
            if let end = buffered.firstIndex(of: 10) {
                let line = buffered[..<end].filter { $0 != 13 }
                buffered.removeFirst(end + 1)
                return String(decoding: line, as: UTF8.self)
            }
            try fill()
        }
    }

    func read(_ count: Int) throws -> [UInt8] {
        while buffered.count < count { try fill() }
        defer { buffered.removeFirst(count) }
        return Array(buffered.prefix(count))
    }

    private func fill() throws {
        guard let more = receive() else { throw Failure(description: "no response in time") }
        if more.isEmpty { throw Failure(description: "closed by the server") }
        buffered += more
    }

    // Nil on a timeout, empty at the end or after a reset.
    private func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0 { return errno == EAGAIN ? nil : [] }
        return Array(buffer.prefix(count))
    }
}

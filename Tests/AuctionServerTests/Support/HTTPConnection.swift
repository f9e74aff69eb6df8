import ExactJSON
import Glibc

/// A keep-alive connection to the server; reads have a timeout, so that a test fails instead of hanging.
final class HTTPConnection {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private var isOpen = true
    private var buffered: [UInt8] = []

    init(port: UInt16, receiveSeconds: Int = 10, receiveBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: receiveSeconds, tv_usec: 0)
        // SAFETY: the pointers are to locals that outlive their calls, with their sizes.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBytes {
            _ = unsafe setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe connect(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        guard connected == 0 else { throw Failure(description: "cannot connect: errno \(errno)") }
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        _ = Glibc.close(descriptor)
    }

    func send(_ request: HTTPRequest) throws {
        let bytes = request.bytes
        var sent = 0
        while sent < bytes.count {
            // SAFETY: the buffer is only used during the call, within its bounds.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress.map { unsafe $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "the server hung up on \(request.path)") }
            sent += count
        }
    }

    /// The response to the oldest outstanding request.
    func receive(toHead: Bool = false) throws -> HTTPResponse {
        let first = try readLine()
        guard let status = Int(first.split(separator: " ").dropFirst().first ?? "") else {
            throw Failure(description: "no status line: \(first)")
        }
        var headers: [(name: String, value: String)] = []
        while true {
            let line = try readLine()
            guard !line.isEmpty else { break }
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append((String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
        }
        var response = HTTPResponse(status: status, headers: headers, body: [])
        let hasBody = !toHead && status != 204 && status != 304
        if hasBody { response.body = try read(Int(response.header("Content-Length") ?? "0") ?? 0) }
        return response
    }

    private func readLine() throws -> String {
        while true {
            if let end = buffered.firstIndex(of: 10) {
                let line = buffered[..<end].filter { $0 != 13 }
                buffered.removeFirst(end + 1)
                return String(decoding: line, as: UTF8.self)
            }
            try fill()
        }
    }

    private func read(_ count: Int) throws -> [UInt8] {
        while buffered.count < count { try fill() }
        defer { buffered.removeFirst(count) }
        return Array(buffered.prefix(count))
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 65536)
        // SAFETY: the kernel writes at most the array's size into it.
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { throw Failure(description: count == 0 ? "the server hung up" : "no answer in time") }
        buffered += chunk.prefix(count)
    }
}

import Glibc
import Synchronization

/// A server on a port of 127.0.0.1 that does with each connection what a test says, on a thread for each.
package final class ScriptedServer: Sendable {
    /// Where it listens.
    package let port: UInt16
    private let descriptor: Int32
    private let accepted = Counter()
    private let isStopped = Mutex(false)

    /// - Parameter serve: Called with each connection, which is closed when it returns.
    package init(_ serve: @escaping @Sendable (BlockingSocket) throws -> Void) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            let address = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return unsafe bind(listening, address, size) == 0 && listen(listening, 64) == 0
                && getsockname(listening, address, &size) == 0
        }
        guard isBound else { throw BlockingSocket.Failure(description: "cannot listen: errno \(errno)") }
        (descriptor, port) = (listening, UInt16(bigEndian: address.sin_port))
        Self.detach { [accepted] in
            while true {
                let connection = accept(listening, nil, nil)
                guard connection >= 0 else { break }
                accepted.count.withLock { $0 += 1 }
                Self.detach {
                    let socket = BlockingSocket(accepted: connection)
                    // A client that hangs up is what many tests are about.
                    try? serve(socket)
                    socket.close()
                }
            }
            close(listening)
        }
    }

    /// A server whose every response is what `respond` returns, over connections that stay open.
    package convenience init(responding respond: @escaping @Sendable (ReceivedRequest) -> String) throws {
        try self.init { socket in
            while true {
                let request = try socket.readRequest()
                socket.send(respond(request))
            }
        }
    }

    /// How many connections it has accepted.
    package var connections: Int { accepted.count.withLock { $0 } }

    deinit { stop() }

    /// Accepts no further connection. Once, as the descriptor is closed after it and may be another socket's then.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func detach(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread, nil,
            { body in
                if let body = unsafe body { unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(failure == 0)
        pthread_detach(thread)
    }
}

/// A request as a server received it.
package struct ReceivedRequest: Sendable {
    package let method: String
    package let target: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// The first header of that name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension BlockingSocket {
    /// Reads a request with its body, whose length is given by `Content-Length`.
    package func readRequest() throws -> ReceivedRequest {
        let words = try readLine().split(separator: " ").map(String.init)
        guard words.count == 3 else { throw Failure(description: "no request line: \(words)") }
        let headers = try readHeaders()
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        return ReceivedRequest(method: words[0], target: words[1], headers: headers, body: try read(length))
    }
}

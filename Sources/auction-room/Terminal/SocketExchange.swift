internal import AuctionClientCore
// Which module of the C library declares the socket types depends on the order of imports.
internal import CMicroHTTPDShims
internal import Dispatch
internal import Glibc
internal import Synchronization

/// One request and its response on a socket. Blocking calls are made on a queue of its own.
final class SocketExchange: Sendable {
    private struct Connection {
        var descriptor: Int32 = -1
        var isCancelled = false
    }
    private struct Reading {
        var parser = ResponseParser()
        var parts: ArraySlice<ResponseParser.Part> = []
    }

    private let call: HTTPCall
    private let address: ServerAddress
    private let queue = DispatchQueue(label: "auction-room.client")
    private let connection = Mutex(Connection())
    private let reading = Mutex(Reading())

    init(_ call: HTTPCall, to address: ServerAddress) { (self.call, self.address) = (call, address) }

    deinit { close() }

    /// Sends the request.
    /// - Returns: the head of the response.
    func start() async throws(TransportError) -> HTTPHead {
        let part = await blocking { () throws(TransportError) in
            try self.connect()
            try self.write(self.call.bytes(to: self.address))
            return try self.nextPart()
        }
        guard case .head(let head) = try part.get() else { throw .interrupted("no response") }
        return head
    }

    /// The next bytes of the body; nil at its end.
    func next() async throws(TransportError) -> [UInt8]? {
        let part = await blocking { () throws(TransportError) in try self.nextPart() }
        guard case .body(let bytes) = try part.get() else {
            close()
            return nil
        }
        return bytes
    }

    /// Ends a blocking call that is in progress, and every later one.
    func cancel() {
        connection.withLock { connection in
            connection.isCancelled = true
            if connection.descriptor >= 0 { _ = shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func close() {
        connection.withLock { connection in
            if connection.descriptor >= 0 { _ = Glibc.close(connection.descriptor) }
            connection = Connection(descriptor: -1, isCancelled: true)
        }
    }

    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(TransportError) -> Value
    ) async -> Result<Value, TransportError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: Result { () throws(TransportError) in try work() }) }
            }
        } onCancel: {
            cancel()
        }
    }
}

// Blocking, on the queue.
extension SocketExchange {
    private func connect() throws(TransportError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        // SAFETY: the list is freed below, and only read before.
        let code = unsafe getaddrinfo(address.host, String(address.port), &hints, &found)
        guard code == 0 else { throw .notSent("the name \(address.host) is not known") }
        defer { unsafe freeaddrinfo(found) }
        var reason = "no address"
        var entry = unsafe found
        while let candidate = unsafe entry {
            let info = unsafe candidate.pointee
            let descriptor = unsafe socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
            if descriptor >= 0 {
                limitTime(of: descriptor)
                if unsafe Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return try take(descriptor) }
                reason = unsafe String(cString: strerror(errno))
                _ = Glibc.close(descriptor)
            }
            unsafe entry = info.ai_next
        }
        throw .notSent("\(address.authority): \(reason)")
    }

    private func limitTime(of descriptor: Int32) {
        let parts = call.timeout.components
        var limit = timeval(tv_sec: Int(clamping: parts.seconds), tv_usec: Int(parts.attoseconds / 1_000_000_000_000))
        // SAFETY: a local variable of the given size that outlives the calls.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private func take(_ descriptor: Int32) throws(TransportError) {
        let isCancelled = connection.withLock { connection in
            if !connection.isCancelled { connection.descriptor = descriptor }
            return connection.isCancelled
        }
        guard isCancelled else { return }
        _ = Glibc.close(descriptor)
        throw .cancelled
    }

    private func descriptor() throws(TransportError) -> Int32 {
        let (descriptor, isCancelled) = connection.withLock { ($0.descriptor, $0.isCancelled) }
        guard !isCancelled, descriptor >= 0 else { throw .cancelled }
        return descriptor
    }

    private func write(_ bytes: [UInt8]) throws(TransportError) {
        var sent = 0
        while sent < bytes.count {
            let descriptor = try descriptor()
            // SAFETY: the pointer is into the array, for the time of the call.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            // A part of the request may have arrived.
            guard count > 0 else { throw .interrupted("the connection ended while the request was sent") }
            sent += count
        }
    }

    private func nextPart() throws(TransportError) -> ResponseParser.Part {
        while true {
            if let part = reading.withLock({ $0.parts.popFirst() }) { return part }
            let descriptor = try descriptor()
            var buffer = [UInt8](repeating: 0, count: 16384)
            // SAFETY: the array has the given size.
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            _ = try self.descriptor()
            guard count >= 0 else { throw .interrupted(errno == EAGAIN ? "no response in time" : "the connection broke") }
            let received = buffer.prefix(count)
            let parts = Result { () throws(TransportError) in
                try reading.withLock { (reading) throws(TransportError) in
                    received.isEmpty ? try reading.parser.finish() : try reading.parser.feed(received)
                }
            }
            let new = try parts.get()
            reading.withLock { $0.parts += new }
            guard !received.isEmpty || !new.isEmpty else { throw .interrupted("the connection ended") }
        }
    }
}

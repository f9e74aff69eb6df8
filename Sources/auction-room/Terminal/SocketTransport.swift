internal import AuctionClientCore

/// Plain HTTP/1.1 over one socket per request: for the terminal, which has a handful of requests at once.
///
/// URLSession would add libcurl to a program that is a server.
struct SocketTransport: HTTPTransport {
    let address: ServerAddress

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPResponse {
        let stream = try await open(call)
        var body: [UInt8] = []
        while let bytes = try await stream.next() {
            body += bytes
            guard body.count <= call.responseLimit else {
                stream.cancel()
                throw .responseTooLarge(limit: call.responseLimit)
            }
        }
        return HTTPResponse(head: stream.head, body: body)
    }

    func open(_ call: HTTPCall) async throws(TransportError) -> HTTPStream {
        let exchange = SocketExchange(call, to: address)
        let head = try await exchange.start()
        return HTTPStream(
            head: head, next: { () async throws(TransportError) in try await exchange.next() }, cancel: { exchange.cancel() })
    }
}

extension HTTPCall {
    /// The request as it is sent. Values with line breaks are left out, as they would add headers.
    func bytes(to address: ServerAddress) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(address.authority)\r\nConnection: close\r\n"
        for header in headers where !"\(header.name)\(header.value)".utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            head += "\(header.name): \(header.value)\r\n"
        }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}

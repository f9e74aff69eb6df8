/// An HTTP/1.1 request as a client sends it.
package struct HTTPRequest {
    /// In upper case, such as `GET`.
    package var method: String
    /// The request target, with the query.
    package var path: String
    /// In addition to `Host` and `Content-Length`, which `bytes` adds.
    package var headers: [(name: String, value: String)] = []
    /// Nil sends no body.
    package var body: [UInt8]?

    package init(
        method: String, path: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// The serialized request.
    package var bytes: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array(head.utf8) + [13, 10] + (body ?? [])
    }
}

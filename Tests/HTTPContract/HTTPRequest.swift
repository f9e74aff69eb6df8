/// What goes over the wire.
package struct HTTPRequest {
    package var method: String
    /// With the query.
    package var path: String
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8]?

    package init(
        method: String, path: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    package var bytes: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for header in headers { head += "\(header.name): \(header.value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        return Array(head.utf8) + [13, 10] + (body ?? [])
    }
}

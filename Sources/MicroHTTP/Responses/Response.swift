/// An HTTP response. The server adds `Content-Length`, `Date` and `Connection`.
package struct Response {
    /// The HTTP status, 200…599.
    package var status: Int
    /// In order; names may repeat.
    package var headers: [(name: String, value: String)]
    /// The body; HEAD requests are sent only its length.
    package var body: [UInt8]
    /// Bytes sent before `body`, as part of the same body; other responses may share them.
    package var prefix: SharedBytes?

    /// A response with a body of bytes.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with a text body, encoded as UTF-8.
    package init(status: Int, contentType: String, text: String) {
        self.init(status: status, headers: [("Content-Type", contentType)], body: Array(text.utf8))
    }

    /// The same response with `prefix` and `body` joined in `body`.
    var joined: Response {
        guard let prefix else { return self }
        return Response(status: status, headers: headers, body: prefix.bytes + body)
    }
}

// `headers` holds tuples, so the conformance has to be explicit: all properties are Sendable values.
extension Response: Sendable {}

/// An answer. `Content-Length`, `Date` and `Connection` are the server's to add.
public struct Response {
    /// 200…599.
    public var status: Int
    /// In order; names may repeat.
    public var headers: [(name: String, value: String)]
    /// Sent to HEAD requests only as its length.
    public var body: [UInt8]
    /// Sent before `body`, as part of the same body: bytes that other responses may share.
    public var prefix: SharedBytes?

    /// An answer with the bytes given.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// An answer with a text, as UTF-8.
    public init(status: Int, contentType: String, text: String) {
        self.init(status: status, headers: [("Content-Type", contentType)], body: Array(text.utf8))
    }

    /// The same with all of its bytes in `body`.
    var joined: Response {
        guard let prefix else { return self }
        return Response(status: status, headers: headers, body: prefix.bytes + body)
    }
}

// `headers` holds tuples, so the conformance is spelled out: strings and bytes, all values.
extension Response: Sendable {}

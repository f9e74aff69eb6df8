/// The content of a request that the handler has read before it made the request of it, such as that of a WebSocket message.
package protocol ReadContent: AnyObject {
    /// Whether it would be an empty body.
    var isEmpty: Bool { get }
    /// The body that a client would have sent by HTTP.
    var bytes: [UInt8] { get }
    /// The number of bytes of the message.
    var receivedCount: Int { get }
}

/// A request that was not received by HTTP, such as one in a WebSocket message. The same handler handles it, with the same
/// responses.
package final class DetachedRequest {
    let target: RequestTarget
    let body: [UInt8]
    let content: (any ReadContent)?
    let method: HTTPMethod
    let headers: [(name: String, value: String)]
    let onResponse: (Response) -> Void
    /// Creates the response's stream or WebSocket; nil if the request supports neither.
    let openStream: ((DetachedStream.Opening) -> DetachedStream)?

    /// - Parameter onResponse: called once with the response, on the loop's thread, unless the loop ends before.
    init(
        method: HTTPMethod, target: RequestTarget, headers: [(name: String, value: String)], body: [UInt8] = [],
        content: (any ReadContent)? = nil, openStream: ((DetachedStream.Opening) -> DetachedStream)? = nil,
        onResponse: @escaping (Response) -> Void
    ) {
        self.target = target
        self.content = content
        (self.method, self.headers) = (method, headers)
        self.body = body
        self.openStream = openStream
        self.onResponse = onResponse
    }

    /// - Parameters:
    ///   - path: percent-encoded, without a query.
    ///   - query: percent-encoded, without the `?`.
    ///   - onResponse: called once with the response, on the loop's thread, unless the loop ends before.
    package convenience init(
        method: HTTPMethod, path: String, query: String? = nil, headers: [(name: String, value: String)],
        content: any ReadContent, onResponse: @escaping (Response) -> Void
    ) {
        let target = RequestTarget(path: path, query: query)
        self.init(method: method, target: target, headers: headers, content: content, onResponse: onResponse)
    }
}

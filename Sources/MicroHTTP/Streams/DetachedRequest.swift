/// A request that was not received by HTTP, such as one in a WebSocket message. The same handler handles it, with the same
/// responses.
package struct DetachedRequest {
    let method: HTTPMethod
    let path: String
    let query: String?
    let body: [UInt8]
    private let fields: [(name: String, value: String)]
    let onResponse: (Response) -> Void
    /// Creates the response's stream or WebSocket; nil if the request supports neither.
    var openStream: ((DetachedStream.Opening) -> DetachedStream)?

    /// - Parameters:
    ///   - path: percent-encoded, without a query.
    ///   - query: percent-encoded, without the `?`.
    ///   - onResponse: called once with the response, on the loop's thread, unless the loop ends before.
    package init(
        method: HTTPMethod, path: String, query: String? = nil, headers: [(name: String, value: String)], body: [UInt8],
        onResponse: @escaping (Response) -> Void
    ) {
        self.method = method
        self.path = path
        self.query = query
        fields = headers
        self.body = body
        self.onResponse = onResponse
    }

    /// The first value of a header; nil without one.
    func header(_ name: String) -> String? {
        for (own, value) in fields where isSameName(own, name) { return value }
        return nil
    }

    func headers(_ name: String) -> [String] {
        fields.filter { isSameName($0.name, name) }.map(\.value)
    }
}

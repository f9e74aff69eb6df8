/// Response headers that many responses have in common, created once. Compared by identity.
package final class SharedHeaders: Sendable {
    /// In order; names may repeat.
    package let fields: [(name: String, value: String)]

    /// Headers in the order given.
    package init(_ fields: [(name: String, value: String)]) { self.fields = fields }
}

extension Exchange {
    /// The response with the headers that every response to this exchange has.
    func withCommonHeaders(_ response: Response) -> Response {
        guard let commonHeaders = notes.commonHeaders else { return response }
        var response = response
        response.headers.append(contentsOf: commonHeaders.fields)
        return response
    }

    /// The same for the headers of a stream.
    func withCommonHeaders(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
        guard let commonHeaders = notes.commonHeaders else { return headers }
        return headers + commonHeaders.fields
    }
}

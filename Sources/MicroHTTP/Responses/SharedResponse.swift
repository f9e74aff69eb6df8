internal import CMicroHTTPD
internal import Synchronization

/// A response that is encoded once and sent on any number of connections of any loop.
///
/// `@unchecked Sendable`: libmicrohttpd counts a response's references under its own lock and only reads the rest; the variants
/// that close the connection or have additional headers are created lazily, under a lock here.
@safe
package final class SharedResponse: @unchecked Sendable {
    private struct Variant {
        let closes: Bool
        let headers: SharedHeaders?
        let encoded: EncodedResponse
    }

    let status: Int
    let response: Response
    private let keepingAlive: EncodedResponse?
    /// As many as there are `SharedHeaders`, twice; a handler has a fixed number of them.
    private let variants = Mutex<[Variant]>([])

    /// Encodes the response.
    package init(_ response: Response) {
        self.response = response
        status = response.status
        keepingAlive = EncodedResponse(response, closes: false)
    }

    /// The encoded response; variants with `Connection: close` and with additional headers are created on first use. Nil if memory is
    /// exhausted.
    func encoded(closes: Bool, with headers: SharedHeaders?) -> EncodedResponse? {
        guard closes || headers != nil else { return keepingAlive }
        return variants.withLock { variants in
            if let known = variants.first(where: { $0.closes == closes && $0.headers === headers }) { return known.encoded }
            var response = response
            response.headers += headers?.fields ?? []
            guard let encoded = EncodedResponse(response, closes: closes) else { return nil }
            variants.append(Variant(closes: closes, headers: headers, encoded: encoded))
            return encoded
        }
    }
}

internal import CMicroHTTPD
internal import Synchronization

/// A response that is encoded once and sent on any number of connections of any loop.
///
/// `@unchecked Sendable`: libmicrohttpd counts a response's references under its own lock and only reads the rest; the variant
/// that closes the connection is created lazily, under a lock here.
@safe
package final class SharedResponse: @unchecked Sendable {
    private struct Closing {
        var handle: EncodedResponse?
    }

    let status: Int
    let response: Response
    private let keepingAlive: EncodedResponse?
    private let closing = Mutex(Closing())

    /// Encodes the response.
    package init(_ response: Response) {
        self.response = response
        status = response.status
        keepingAlive = EncodedResponse(response, closes: false)
    }

    /// The encoded response; the variant with `Connection: close` is created on first use. Nil if memory is exhausted.
    func encoded(closes: Bool) -> EncodedResponse? {
        guard closes else { return keepingAlive }
        return closing.withLock { closing in
            if closing.handle == nil { closing.handle = EncodedResponse(response, closes: true) }
            return closing.handle
        }
    }
}

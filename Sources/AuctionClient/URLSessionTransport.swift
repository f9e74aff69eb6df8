public import AuctionClientCore
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Carries requests by URLSession, on Apple's systems and on Linux alike.
///
/// Bodies are read by a delegate, because `bytes(for:)` does not exist on Linux. Redirects are not followed, so that a token goes to
/// the configured server only; no cookie is kept, and nothing is cached.
public final class URLSessionTransport: HTTPTransport {
    /// The most bytes of a stream that wait for the reader.
    public static let pendingBytes = 1 << 20
    /// Streams stay open, so the few connections that URLSession allows by default would be used up by following a few rooms.
    static let connectionsPerHost = 64

    private let base: String
    private let isAddress: Bool
    #if canImport(FoundationNetworking)
        private let configuration: URLSessionConfiguration
    #endif
    private let session: URLSession

    /// - Parameters:
    ///   - baseURL: address of the service; a path is kept, so that it may be below one. Without http or https and a host every request
    ///     fails with `TransportError.invalidAddress`, which is not tried again.
    ///   - configuration: of the session: proxies, TLS, cellular access and so on. Cookies and caching are switched off in a copy.
    public init(baseURL: URL, configuration: URLSessionConfiguration = .ephemeral) {
        var text = baseURL.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        base = text
        isAddress = ["http", "https"].contains(baseURL.scheme?.lowercased()) && baseURL.host()?.isEmpty == false
        let own = (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.httpCookieAcceptPolicy = .never
        own.urlCache = nil
        own.requestCachePolicy = .reloadIgnoringLocalCacheData
        own.httpMaximumConnectionsPerHost = max(own.httpMaximumConnectionsPerHost, Self.connectionsPerHost)
        #if canImport(FoundationNetworking)
            self.configuration = own
        #endif
        session = Self.session(own)
    }

    private static func session(_ configuration: URLSessionConfiguration) -> URLSession {
        URLSession(configuration: configuration, delegate: SessionDelegate(), delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// The whole response; see `HTTPTransport`.
    /// - Throws: `TransportError`.
    public func send(_ call: HTTPCall) async throws(TransportError) -> HTTPResponse { try await send(call, over: session) }

    /// The response while it arrives; see `HTTPTransport`.
    /// - Throws: `TransportError`.
    public func open(_ call: HTTPCall) async throws(TransportError) -> HTTPStream {
        #if canImport(FoundationNetworking)
            // While a response arrives over a connection that was made for it, URLSession on Linux keeps a thread busy: it goes on
            // waiting until the socket is writable, as it did for the connection, and that it always is. A connection that has
            // carried a request before is not affected. So the stream gets a session of its own, whose connection has.
            let own = Self.session(configuration)
            do {
                var first = call
                first.method = "HEAD"
                first.headers.removeAll { $0.name == "Accept" }
                _ = try await send(first, over: own)
                let stream = try await open(call, over: own, pendingLimit: Self.pendingBytes)
                own.finishTasksAndInvalidate()
                return stream
            } catch {
                own.invalidateAndCancel()
                throw error
            }
        #else
            return try await open(call, over: session, pendingLimit: Self.pendingBytes)
        #endif
    }

    private func send(_ call: HTTPCall, over session: URLSession) async throws(TransportError) -> HTTPResponse {
        let stream = try await open(call, over: session, pendingLimit: call.responseLimit)
        var body: [UInt8] = []
        while let bytes = try await stream.next() {
            guard body.count + bytes.count <= call.responseLimit else {
                stream.cancel()
                throw .responseTooLarge(limit: call.responseLimit)
            }
            body += bytes
        }
        return HTTPResponse(head: stream.head, body: body)
    }

    private func open(
        _ call: HTTPCall, over session: URLSession, pendingLimit: Int
    ) async throws(TransportError) -> HTTPStream {
        let request = try request(call)
        let channel = ByteChannel(limit: pendingLimit)
        let task = session.dataTask(with: request)
        (session.delegate as? SessionDelegate)?.register(channel, for: task.taskIdentifier)
        task.resume()
        let head: Result<HTTPHead, TransportError> = await withTaskCancellationHandler {
            do throws(TransportError) { return .success(try await channel.readHead()) } catch { return .failure(error) }
        } onCancel: {
            channel.finish(.failure(.cancelled))
            task.cancel()
        }
        return HTTPStream(head: try head.get()) { () async throws(TransportError) -> [UInt8]? in
            let result: Result<[UInt8]?, TransportError> = await withTaskCancellationHandler {
                do throws(TransportError) { return .success(try await channel.next()) } catch { return .failure(error) }
            } onCancel: {
                channel.finish(.failure(.cancelled))
                task.cancel()
            }
            return try result.get()
        } cancel: {
            channel.finish(.failure(.cancelled))
            task.cancel()
        }
    }

    private func request(_ call: HTTPCall) throws(TransportError) -> URLRequest {
        guard isAddress, let url = URL(string: base + call.target) else { throw .invalidAddress(base) }
        var request = URLRequest(url: url)
        request.httpMethod = call.method
        request.timeoutInterval = TimeInterval(call.timeout.components.seconds) + 1
        request.httpShouldHandleCookies = false
        for header in call.headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
        request.httpBody = call.body.map { Data($0) }
        return request
    }
}

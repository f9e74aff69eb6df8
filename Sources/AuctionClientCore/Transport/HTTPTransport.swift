/// Carries requests to the service. The library's own uses URLSession; tests and apps with a network layer of their own bring another.
public protocol HTTPTransport: Sendable {
    /// The whole response to a request, of any status. Redirects are not followed: they are responses too.
    ///
    /// Ends the request when the task is cancelled, and when the body has more bytes than `responseLimit`.
    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPResponse

    /// A response whose body is read while it arrives.
    func open(_ call: HTTPCall) async throws(TransportError) -> HTTPStream
}

/// A response that is still arriving.
public struct HTTPStream: Sendable {
    /// Status and headers.
    public let head: HTTPHead
    /// The next bytes; nil at the end.
    public let next: @Sendable () async throws(TransportError) -> [UInt8]?
    /// Ends the request; harmless if it has ended.
    public let cancel: @Sendable () -> Void

    /// A stream from its parts.
    public init(
        head: HTTPHead, next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?,
        cancel: @escaping @Sendable () -> Void
    ) {
        self.head = head
        self.next = next
        self.cancel = cancel
    }
}

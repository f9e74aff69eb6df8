public import WebSocketFrames

/// A client that is sent a stream, whichever transport it chose. It lives on its loop, and so do its methods.
public protocol StreamSink: AnyObject {
    /// Whether it still takes bytes.
    var isOpen: Bool { get }
    /// Bytes that the system has not taken yet; bounded by an option.
    var bufferedBytes: Int { get }
    /// Called once, when it takes no more bytes, for whatever reason: the peer closed or broke off, was too slow, or `close`.
    var onEnd: (() -> Void)? { get set }
    /// Called when everything was taken of what had to wait: the moment to send more to one that is behind.
    var onDrained: (() -> Void)? { get set }
    /// Sends in order. A sink that would hold more than its limit is closed for being too slow instead.
    func send(_ bytes: SharedBytes)
    /// Ends politely: what was sent before goes out, then the transport's own goodbye. Again it does nothing.
    func close(_ status: CloseStatus)
}

/// A WebSocket as the loop's handler has it.
public protocol MessageSocket: StreamSink {
    /// Called with each whole message.
    var onMessage: ((Message) -> Void)? { get set }
    /// Makes an exchange of a request that came in a message, and hands it to the loop's handler.
    func handle(_ request: DetachedRequest)
}

extension MessageSocket {
    /// Sends a message, text or binary.
    public func send(_ message: Message) { send(SharedBytes(ServerFrame.message(message))) }
}

/// What a loop asks of an exchange whose answer is a stream.
protocol LoopStream: AnyObject {
    /// Its socket has something for it, as epoll's bits.
    func ready(_ bits: UInt32)
    /// The time set in the connection table has come.
    func deadlinePassed()
    /// Ends it at once.
    func abort()
    /// What waits for its reader, in bytes.
    var heldBytes: Int { get }
    /// Ends it for being too slow, before its own limit is reached.
    func endAsTooSlow()
    /// libmicrohttpd is done with the exchange, and the descriptor closes.
    func connectionEnded()
}

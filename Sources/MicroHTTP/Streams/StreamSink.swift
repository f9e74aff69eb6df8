package import WebSocketFrames

/// A client that receives a stream, over server-sent events or a WebSocket. Used on its loop's thread only.
package protocol StreamSink: AnyObject {
    /// Bytes that the kernel has not taken yet; bounded by `OutgoingLimits.bytes`.
    var bufferedBytes: Int { get }
    /// Called once, when it takes no more bytes: the peer closed or disconnected, was too slow, or `close` was called.
    var onEnd: (() -> Void)? { get set }
    /// Called when all buffered bytes were taken, so that more can be sent to a lagging client.
    var onDrained: (() -> Void)? { get set }
    /// Sends in order. A sink that would buffer more than its limit is closed as too slow instead.
    func send(_ bytes: SharedBytes)
    /// Closes gracefully: buffered bytes are sent, then the transport's own end. Does nothing if it was called before.
    func close(_ status: CloseStatus)
}

/// A WebSocket as the loop's handler uses it.
package protocol MessageSocket: StreamSink {
    /// Called with each complete message.
    var onMessage: ((Message) -> Void)? { get set }
    /// Creates an exchange of a request received in a message, and passes it to the loop's handler.
    func handle(_ request: DetachedRequest)
}

extension MessageSocket {
    /// Sends a message, text or binary.
    package func send(_ message: Message) { send(SharedBytes(ServerFrame.message(message))) }
}

/// The events and requests that a loop passes to an exchange whose response is a stream.
protocol LoopStream: StreamSink {
    /// Its socket is ready, with epoll's bits.
    func ready(_ bits: UInt32)
    /// The deadline set in the connection table has passed.
    func deadlinePassed()
    /// Ends the stream at once, without sending buffered bytes.
    func abort()
    /// Ends the stream as too slow, before its own limit is reached.
    func endAsTooSlow()
    /// Takes the connection over from libmicrohttpd, or ends it. The loop calls it after `StreamTurns.settleLater`, outside
    /// libmicrohttpd's callbacks, and not while it enumerates streams.
    func settle()
    /// The exchange is complete, and the descriptor closes or is another exchange's.
    func connectionEnded()
}

internal import CMicroHTTPDShims
internal import Glibc

/// The work of a loop's streams in each turn, and the resources that they share. Used on the loop's thread only.
final class StreamTurns {
    private let turns: Turns
    /// Streams to settle before libmicrohttpd's next run.
    private var unsettled: [any LoopStream] = []
    /// WebSockets that have received bytes still to be processed; those that have waited longest come first.
    private var unread: [WebSocketConnection] = []
    /// Takes the place of the descriptors that streams have taken over; -1 before the start.
    var placeholder: Int32 = -1
    /// Buffer for the reads of upgraded sockets, used by one at a time; the most that one read takes.
    private(set) var readBuffer = [UInt8](repeating: 0, count: 65536)

    /// Most WebSockets of `unread` that are processed per turn.
    private static let socketsPerTurn = 16

    init(turns: Turns) { self.turns = turns }

    deinit {
        if placeholder >= 0 { _ = close(placeholder) }
    }

    func openPlaceholder() {
        if placeholder < 0 { placeholder = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }
    }

    /// Has the loop settle a stream before libmicrohttpd's next run.
    func settleLater(_ stream: any LoopStream) {
        unsettled.append(stream)
        turns.requestRun()
    }

    /// Takes connections over from libmicrohttpd, and ends those of finished streams.
    func settle() {
        guard !unsettled.isEmpty else { return }
        let streams = unsettled
        unsettled = []
        for stream in streams { stream.settle() }
        turns.requestRun()
    }

    /// Has the loop process more of what a WebSocket has received, in its next turn.
    func proceedLater(_ socket: WebSocketConnection) { unread.append(socket) }

    /// Whether WebSockets have received bytes still to be processed.
    var hasUnread: Bool { !unread.isEmpty }

    /// Processes more of what WebSockets have received.
    func proceed() {
        guard !unread.isEmpty else { return }
        let sockets = Array(unread.prefix(StreamTurns.socketsPerTurn))
        unread.removeFirst(sockets.count)
        for socket in sockets { socket.proceed() }
    }

    /// Drops what WebSockets have received.
    func dropUnread() { unread = [] }

    /// Reads at most `size` bytes into the beginning of `readBuffer`; returns what `recv` does.
    func read(_ descriptor: Int32, atMost size: Int) -> Int {
        // SAFETY: the kernel writes at most as many bytes into the array as it has.
        unsafe readBuffer.withUnsafeMutableBytes { buffer in
            unsafe recv(descriptor, buffer.baseAddress, min(size, buffer.count), Int32(MSG_DONTWAIT))
        }
    }
}

internal import CMicroHTTPDShims
internal import Glibc
package import WebSocketFrames

/// One WebSocket of a loop, from the 101 response to the close of its socket. Used on the loop's thread only.
///
/// Once the 101 is sent, it takes the connection over. Otherwise libmicrohttpd would keep the request's memory, and walk the list of all
/// upgraded connections whenever it resumes another one.
///
/// `@safe`: libmicrohttpd's upgrade handle is received once, returned once, and not used in between.
@safe
package final class WebSocketConnection: MessageSocket, LoopStream {
    /// The limits of a WebSocket.
    package struct Options: Sendable {
        /// Limits of the protocol: message size, ping and close times.
        package var session = WebSocketSession.Options()
        /// The limits of what the peer has not read.
        package var outgoing = OutgoingLimits()
        /// Close status sent to a peer that exceeds `outgoing.bytes`.
        package var overflow = CloseStatus(.policyViolation, "You read too slowly.")
        /// How long after the last frame the socket stays open for the peer to read that frame and close.
        package var lingerMilliseconds: UInt64 = 2_000

        /// The defaults.
        package init() {}
    }

    private enum State {
        /// The 101 response is being sent; sent bytes are buffered.
        case opening(hasSentClose: Bool)
        case open(hasSentClose: Bool)
        /// Takes no more bytes; the queued ones are being sent.
        case finishing
        /// Sending has ended; received bytes are discarded until the peer closes.
        case lingering
        /// The connection is to be closed, or has been.
        case markedForClosing
    }

    /// Called with each complete message.
    package var onMessage: ((Message) -> Void)?
    /// Called once, when the WebSocket takes no more bytes.
    package var onEnd: (() -> Void)?
    /// Called when all buffered bytes have been written.
    package var onDrained: (() -> Void)?

    private let exchangeID: ExchangeID
    private let connection: Connection
    private var core: LoopCore { connection.core }
    private var descriptor: Int32 { connection.descriptor }
    private let options: Options
    private var session: WebSocketSession
    private var outgoing = OutgoingQueue()
    private var state = State.opening(hasSentClose: false)
    private var handle: OpaquePointer?
    private var isWatchingWrites = false
    /// Whether several frames of the peer are being handled: what is sent meanwhile is queued, and then written at once.
    private var isCorked = false

    /// Bytes of one read, unless the frame that is being received has more. Many small frames leave fewer than this for later.
    private static let readBytes = 4096

    init(_ exchange: Exchange, options: Options) {
        exchangeID = exchange.id
        connection = exchange.connection
        self.options = options
        session = WebSocketSession(options: options.session, now: exchange.connection.core.turns.now)
    }

    /// Whether the WebSocket still takes messages. Differs from `session.isOpen`: after the peer's close frame, messages received
    /// before it may still get replies, until this side's close frame is sent.
    private var isOpen: Bool {
        switch state {
        case .opening(let hasSentClose), .open(let hasSentClose): !hasSentClose
        case .finishing, .lingering, .markedForClosing: false
        }
    }

    /// Whether the 101 response is still being sent.
    private var isOpening: Bool { if case .opening = state { true } else { false } }

    /// Whether the WebSocket has its socket, and receives frames.
    private var receives: Bool { if case .open = state { true } else { false } }

    /// Whether sending has ended, and the connection is to be closed.
    private var isMarkedForClosing: Bool { if case .markedForClosing = state { true } else { false } }

    /// Whether the last bytes are being sent.
    private var isFinishing: Bool { if case .finishing = state { true } else { false } }

    /// Bytes that the kernel has not taken yet.
    package var bufferedBytes: Int { outgoing.byteCount }

    /// Sends encoded frames in order; closes with `Options.overflow` if more than `Options.outgoing` allows would be buffered.
    package func send(_ bytes: SharedBytes) {
        guard isOpen else { return }
        if isCorked, !isWatchingWrites, outgoing.byteCount + bytes.count > options.outgoing.bytes {
            // The peer is not slow: it was sent nothing yet.
            flush()
            guard isOpen else { return }
        }
        guard outgoing.byteCount + bytes.count <= options.outgoing.bytes else { return endAsTooSlow() }
        guard receives, outgoing.isEmpty, !isCorked else {
            outgoing.append(bytes)
            return
        }
        handleWriteProgress(outgoing.write(bytes, to: descriptor))
    }

    func endAsTooSlow() {
        guard isOpen else { return markForClosing() }
        outgoing.dropUnbegun()
        close(options.overflow)
    }

    /// Begins the closing handshake; does nothing if the WebSocket is not open.
    package func close(_ status: CloseStatus) {
        guard isOpen else { return }
        perform(session.close(status, now: core.turns.now))
        notifyEnd()
    }

    /// Takes the socket over after libmicrohttpd has sent the 101. `extra` are bytes it has already read beyond the request.
    @unsafe
    func takeOver(_ handle: OpaquePointer, _ extra: [UInt8]) {
        unsafe self.handle = handle
        core.streams.settleLater(self)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        options.outgoing.prepare(descriptor)
        guard case .opening(let hasSentClose) = state, connection.takeOver(leaving: nil),
            core.poller.watch(descriptor, readBits, token: exchangeID.rawValue)
        else {
            markForClosing()
            return
        }
        state = .open(hasSentClose: hasSentClose)
        setDeadline(session.deadline)
        if !extra.isEmpty { perform(session.receive(extra.span, now: core.turns.now)) }
        queueUnread()
        flush()
        if !isOpen {
            notifyEnd()
        } else if outgoing.isEmpty {
            onDrained?()
        }
    }

    func ready(_ bits: UInt32) {
        if bits & Poller.writeBits != 0 { flush() }
        guard !isMarkedForClosing, bits & (readBits | Poller.hangUpBits) != 0 else { return }
        if !receives { discard() } else if !session.hasUnread { read() }
        if !isOpen { notifyEnd() }
    }

    private var readBits: UInt32 { Poller.readBits | Poller.hangUpBits }

    /// Reads once per turn, for fairness between connections; up to three times more for the rest of one large frame. The kernel reports
    /// the rest again in the next turn.
    private func read() {
        defer { queueUnread() }
        var size = max(Self.readBytes, session.expectedBytes)
        for _ in 0..<4 where receives && size > 0 {
            size = min(size, core.streams.readBuffer.count)
            let count = core.streams.read(descriptor, atMost: size)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else {
                markForClosing()
                return
            }
            let buffer = core.streams.readBuffer
            perform(session.receive(buffer.span.extracting(first: count), now: core.turns.now))
            if count < size { return }
            size = session.expectedBytes
        }
    }

    /// Processes more of what was received before, as one turn of the loop.
    func proceed() {
        guard receives else { return }
        perform(session.proceed())
        queueUnread()
        if !isOpen { notifyEnd() }
    }

    /// Has the loop continue in its next turn if not all that was received is processed.
    private func queueUnread() {
        if receives, session.hasUnread { core.streams.proceedLater(self) }
    }

    private func discard() {
        for _ in 0..<16 {
            let count = SocketWriter.discard(from: descriptor)
            if count < 0 { return }
            if count == 0 {
                markForClosing()
                return
            }
        }
    }

    private func perform(_ actions: [WebSocketSession.Action]) {
        // A single response, the usual case, is written without a queue.
        let corks = actions.count > 1 && !isCorked
        if corks { isCorked = true }
        for action in actions {
            switch action {
            // Handling an earlier message may have closed the WebSocket.
            case .deliver(let message): if isOpen { onMessage?(message) }
            case .send(let frame): sendFrame(frame)
            case .sendClose(let frame):
                markCloseSent()
                sendFrame(frame)
            case .finish:
                if receives { state = .finishing }
                setDeadline(core.turns.now + options.session.closeMilliseconds)
                if outgoing.isEmpty { flush() }
            case .abort: markForClosing()
            }
        }
        if corks { uncork() }
        if receives { setDeadline(session.deadline) }
    }

    private func markCloseSent() {
        switch state {
        case .opening: state = .opening(hasSentClose: true)
        case .open: state = .open(hasSentClose: true)
        case .finishing, .lingering, .markedForClosing: break
        }
    }

    private func uncork() {
        isCorked = false
        guard !outgoing.isEmpty, !isWatchingWrites else { return }
        flush()
        // A page that was sent meanwhile has been queued, and is written now.
        if receives, outgoing.isEmpty { onDrained?() }
    }

    /// Sends a pong, ping or close frame, with 4 KiB beyond `outgoing.bytes`; a peer that reads none of them is cut off.
    private func sendFrame(_ frame: [UInt8]) {
        guard receives || isOpening else { return }
        guard outgoing.byteCount + frame.count <= options.outgoing.bytes + 4096 else {
            markForClosing()
            return
        }
        outgoing.append(SharedBytes(frame))
        if !isCorked, outgoing.byteCount == frame.count { flush() }
    }

    private func flush() {
        guard receives || isFinishing else { return }
        handleWriteProgress(outgoing.write(to: descriptor))
    }

    private func handleWriteProgress(_ progress: OutgoingQueue.Progress) {
        switch progress {
        case .failed: markForClosing()
        case .blocked: watchWrites(true)
        case .drained:
            let wasBlocked = isWatchingWrites
            watchWrites(false)
            if isFinishing {
                linger()
            } else if wasBlocked {
                onDrained?()
            }
        }
    }

    private func watchWrites(_ isWatching: Bool) {
        guard isWatching != isWatchingWrites else { return }
        isWatchingWrites = isWatching
        let bits = isWatching ? readBits | Poller.writeBits : readBits
        core.poller.rewatch(descriptor, bits, token: exchangeID.rawValue)
    }

    /// Closing a socket with unread bytes would reset it, and the reset may overtake the close frame.
    private func linger() {
        state = .lingering
        SocketWriter.end(descriptor)
        setDeadline(core.turns.now + options.lingerMilliseconds)
    }

    func deadlinePassed() {
        switch state {
        case .open: perform(session.tick(now: core.turns.now))
        // The peer did not read the 101 or the last frames, or did not close.
        case .opening, .finishing, .lingering: markForClosing()
        case .markedForClosing: break
        }
        if !isOpen { notifyEnd() }
    }

    func abort() {
        markForClosing()
        notifyEnd()
    }

    private func markForClosing() {
        guard !isMarkedForClosing else { return }
        let wasOpening = isOpening
        state = .markedForClosing
        outgoing.removeAll()
        setDeadline(ConnectionTable.never)
        core.turns.requestRun()
        if connection.isTakenOver {
            core.streams.settleLater(self)
        } else if wasOpening {
            // libmicrohttpd still owns the socket: it detects the shutdown, and closes.
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    func settle() {
        if let handle = unsafe handle {
            unsafe self.handle = nil
            // SAFETY: once, outside libmicrohttpd's callbacks, and before the daemon runs or stops.
            unsafe micro_upgrade_close(handle)
        }
        if isMarkedForClosing { core.end(connection, isReusable: false) }
    }

    func connectionEnded() {
        state = .markedForClosing
        notifyEnd()
        (onMessage, onDrained) = (nil, nil)
    }

    /// Creates an exchange of the request and passes it to the loop's handler; does nothing once the connection has ended.
    package func handle(_ request: DetachedRequest) {
        let core = core
        guard core.connections[connection.slot] === connection, core.exchanges.handler != nil else { return }
        let id = ExchangeID.detached(serial: core.turns.nextSerial())
        core.turns.requestRun()
        core.exchanges.handle(Exchange(id: id, connection: connection, detached: request))
    }

    private func notifyEnd() {
        let end = onEnd
        onEnd = nil
        end?()
    }

    private func setDeadline(_ deadline: UInt64) {
        core.connections.setDeadline(deadline, of: connection)
    }
}

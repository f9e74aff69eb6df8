internal import CMicroHTTPDShims
internal import Glibc
public import WebSocketFrames

/// One WebSocket of a loop, from its 101 to the close of its socket. Used on the loop's thread only.
///
/// `@safe`: libmicrohttpd's handle is taken over once, given back once, and not used in between.
@safe
public final class WebSocketConnection: StreamSink, LoopStream {
    /// What a WebSocket bounds.
    public struct Options: Sendable {
        /// Message size, ping and close times.
        public var session = WebSocketSession.Options()
        /// What may wait for a peer that does not read, in bytes.
        public var outgoingLimit = 262_144
        /// What a peer is told for whom more would wait.
        public var overflow = CloseStatus(.policyViolation, "You read too slowly.")
        /// How long after the last frame the socket stays open for the peer to close it, so that it reads that frame.
        public var lingerMilliseconds: UInt64 = 2_000
        /// How long sent bytes may go unacknowledged.
        public var silenceMilliseconds: UInt32 = 30_000
        /// What may wait in the kernel besides, in bytes.
        public var kernelBytes: Int32 = 131_072

        /// The defaults.
        public init() {}
    }

    private enum Life {
        /// The 101 is on its way; what is sent waits.
        case opening
        case open
        /// Nothing more is sent once the queue is empty.
        case finishing
        /// Sending has ended; what the peer still sends is thrown away until it closes.
        case lingering
        case doomed
    }

    /// Called with each whole message.
    public var onMessage: ((Message) -> Void)?
    public var onEnd: (() -> Void)?
    public var onDrained: (() -> Void)?
    /// How it ended, from whichever side spoke first; nil while open, and where the peer just vanished.
    public var closeStatus: CloseStatus? { session.closeStatus }

    let core: LoopCore
    private let exchangeID: ExchangeID
    let slot: Int
    private let connection: Connection
    private let descriptor: Int32
    private let options: Options
    private var session: WebSocketSession
    private var outgoing = OutgoingQueue()
    private var life = Life.opening
    private var handle: OpaquePointer?
    private var isWatchingWrites = false
    private var hasSentClose = false

    init(_ exchange: Exchange, options: Options) {
        core = exchange.connection.core
        exchangeID = exchange.id
        connection = exchange.connection
        slot = connection.slot
        descriptor = exchange.connection.descriptor
        self.options = options
        session = WebSocketSession(options: options.session, now: core.now)
    }

    // Not the session's word: what the peer sent before its close is delivered, and may be answered, before ours goes out.
    public var isOpen: Bool { !hasSentClose && (life == .open || life == .opening) }
    public var bufferedBytes: Int { outgoing.byteCount }

    public func send(_ bytes: SharedBytes) {
        guard isOpen else { return }
        guard outgoing.byteCount + bytes.count <= options.outgoingLimit else { return endAsTooSlow() }
        guard life == .open, outgoing.isEmpty else {
            outgoing.append(bytes)
            return
        }
        wrote(outgoing.write(bytes, to: descriptor))
    }

    var heldBytes: Int { outgoing.byteCount }

    func endAsTooSlow() {
        guard isOpen else { return doom() }
        outgoing.dropUnbegun()
        close(options.overflow)
    }

    public func close(_ status: CloseStatus) {
        guard isOpen else { return }
        perform(session.close(status, now: core.now))
        tellEnd()
    }

    /// libmicrohttpd has sent the 101; from here on the socket is ours.
    @unsafe
    func takeOver(_ handle: OpaquePointer, _ extra: [UInt8]) {
        unsafe self.handle = handle
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        micro_prepare_stream(descriptor, options.kernelBytes, options.silenceMilliseconds)
        core.unwatch(connection)
        guard life == .opening, core.poller.watch(descriptor, readBits, token: exchangeID.rawValue) else {
            doom()
            return
        }
        life = .open
        setDeadline(session.deadline)
        if !extra.isEmpty { perform(session.receive(extra.span, now: core.now)) }
        flush()
        if !isOpen {
            tellEnd()
        } else if outgoing.isEmpty {
            onDrained?()
        }
    }

    func ready(_ bits: UInt32) {
        if bits & Poller.writeBits != 0 { flush() }
        guard life != .doomed, bits & (readBits | Poller.hangUpBits) != 0 else { return }
        if life == .open { read() } else { discard() }
        if !isOpen { tellEnd() }
    }

    private var readBits: UInt32 { Poller.readBits | Poller.hangUpBits }

    private func read() {
        // A few times, so that one who sends without pause leaves the others their turn.
        for _ in 0..<4 where life == .open {
            // Safe: the kernel writes at most the array's size into it.
            let count = unsafe core.readBuffer.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else {
                doom()
                return
            }
            let buffer = core.readBuffer
            perform(session.receive(buffer.span.extracting(first: count), now: core.now))
            if life == .open { setDeadline(session.deadline) }
            if count < core.readBuffer.count { return }
        }
    }

    private func discard() {
        for _ in 0..<16 {
            let count = SocketWriter.discard(from: descriptor)
            if count < 0 { return }
            if count == 0 {
                doom()
                return
            }
        }
    }

    private func perform(_ actions: [WebSocketSession.Action]) {
        for action in actions {
            switch action {
            // An answer to an earlier one may have been the end.
            case .deliver(let message): if isOpen { onMessage?(message) }
            case .send(let frame): sendFrame(frame)
            case .sendClose(let frame):
                hasSentClose = true
                sendFrame(frame)
            case .finish:
                if life == .open { life = .finishing }
                setDeadline(core.now + options.session.closeMilliseconds)
                if outgoing.isEmpty { flush() }
            case .abort: doom()
            }
        }
        if life == .open { setDeadline(session.deadline) }
    }

    /// Frames of the protocol itself. A peer that makes us write them and reads none is no better than a slow one.
    private func sendFrame(_ frame: [UInt8]) {
        guard life == .open || life == .opening else { return }
        guard outgoing.byteCount + frame.count <= options.outgoingLimit + 4096 else {
            doom()
            return
        }
        outgoing.append(SharedBytes(frame))
        if outgoing.byteCount == frame.count { flush() }
    }

    private func flush() {
        guard life == .open || life == .finishing else { return }
        wrote(outgoing.write(to: descriptor))
    }

    private func wrote(_ progress: OutgoingQueue.Progress) {
        switch progress {
        case .failed: doom()
        case .blocked: watchWrites(true)
        case .drained:
            let hadToWait = isWatchingWrites
            watchWrites(false)
            if life == .finishing {
                linger()
            } else if hadToWait {
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
        life = .lingering
        _ = shutdown(descriptor, Int32(SHUT_WR))
        setDeadline(core.now + options.lingerMilliseconds)
    }

    func deadlinePassed() {
        switch life {
        case .open: perform(session.tick(now: core.now))
        // The 101 or the last frames are not taken, or the peer does not close.
        case .opening, .finishing, .lingering: doom()
        case .doomed: break
        }
        if !isOpen { tellEnd() }
    }

    func abort() {
        doom()
        tellEnd()
    }

    private func doom() {
        guard life != .doomed else { return }
        let wasOpening = life == .opening
        life = .doomed
        outgoing.removeAll()
        setDeadline(ConnectionTable.never)
        core.needsRun = true
        if unsafe handle != nil {
            core.poller.unwatch(descriptor)
            core.doomedSockets.append(self)
        } else if wasOpening {
            // Still libmicrohttpd's: it notices, and closes.
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Ends the upgrade; libmicrohttpd closes the socket in its next run.
    func giveBack() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        // Safe: once, outside libmicrohttpd's callbacks, and before the daemon runs or stops.
        unsafe micro_upgrade_close(handle)
    }

    func connectionEnded() {
        life = .doomed
        tellEnd()
        (onMessage, onDrained) = (nil, nil)
    }

    private func tellEnd() {
        let end = onEnd
        onEnd = nil
        end?()
    }

    private func setDeadline(_ deadline: UInt64) {
        core.table.setDeadline(deadline, slot: slot)
    }
}

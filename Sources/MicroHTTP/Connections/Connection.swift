internal import CMicroHTTPDShims
internal import Glibc

/// One client's connection, from accept to close.
///
/// `@safe`: the handle is libmicrohttpd's and valid as long as the connection is in its loop's table and was not taken over.
@safe
final class Connection {
    /// The slot in the loop's table, and a serial number; the loop's poller reports the client's hang-up with it.
    let id: ExchangeID
    let core: LoopCore
    /// Another one once a stream has taken the connection over.
    private(set) var descriptor: Int32
    /// The client's network; nil for a shared address, such as a trusted proxy's.
    let peer: Peer?
    /// Set if the connection was accepted above a limit: its first request is refused with this.
    let admissionRefusal: RequestRefusal?
    /// The daemon that reads from it.
    private(set) var daemon: Daemon?
    /// The exchange in progress, at most one at a time.
    private(set) var exchange: Exchange?
    /// Deadline for the next request line, in milliseconds of the monotonic clock.
    var idleDeadline: UInt64 = 0
    /// For the handler, which keeps here what it knows of the client.
    var memo: AnyObject?
    private var life: ConnectionLife
    private var reader: RequestReader

    @unsafe
    init(
        slot: Int, core: LoopCore, handle: OpaquePointer, peer: Peer?, admissionRefusal: RequestRefusal?, daemon: Daemon?
    ) {
        id = ExchangeID(slot: slot, serial: core.turns.nextSerial())
        self.core = core
        life = unsafe .served(ConnectionLife.Served(handle))
        descriptor = unsafe micro_connection_descriptor(handle)
        self.peer = peer
        self.admissionRefusal = admissionRefusal
        reader = RequestReader(lineLimit: core.exchanges.limits.connectionMemoryBytes)
        self.daemon = daemon
    }

    /// A connection of a client in this process.
    init(core: LoopCore, remoteAddress: String) {
        id = ExchangeID(rawValue: 0)
        self.core = core
        life = .inProcess
        descriptor = -1
        peer = nil
        admissionRefusal = nil
        reader = RequestReader(lineLimit: core.exchanges.limits.connectionMemoryBytes)
        daemon = nil
        self.remoteAddress = remoteAddress
    }

    var slot: Int { id.slot }

    /// Nil if the client is in this process, as with `DetachedLoop`, and once a stream has taken the connection over.
    var handle: OpaquePointer! {  // proven: only libmicrohttpd's own connections reach what uses it
        if case .served(let served) = life { unsafe served.handle } else { nil }
    }

    /// Whether a stream has taken the connection over from libmicrohttpd; then `LoopCore.end` closes it.
    var isTakenOver: Bool { life.isTakenOver }

    /// Whether it was evicted for a new connection; it no longer counts towards the limits.
    var isReleased: Bool { life.place == .released }

    /// Whether the close leaves a duplicate of the descriptor, which discards what arrives.
    var lingers: Bool { life.lingers }

    // MARK: - Requests

    /// Reads for libmicrohttpd, with the result that it expects.
    @unsafe
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int { unsafe reader.read(descriptor, buffer) }

    /// The fault in the bytes of the request that is being read, so far.
    var scannedFault: String? { reader.fault }

    /// Whether bytes after the current request were read already, of a pipelined request.
    var hasReadAhead: Bool { reader.hasReadAhead }

    /// The target of a request line.
    @unsafe
    func target(_ text: UnsafePointer<CChar>) -> RequestTarget { unsafe reader.target(text) }

    /// libmicrohttpd has reported the request line of an exchange.
    func began(_ exchange: Exchange) {
        self.exchange = exchange
        reader.beganRequest()
    }

    /// A complete request head was received.
    func receivedHead() -> ConnectionLife.HeadAction { life.receivedHead() }

    /// The exchange in progress is over, and libmicrohttpd still has the connection, or the stream that had it has ended.
    func exchangeEnded() -> ConnectionLife.CompletionAction {
        exchange = nil
        reader.endedRequest()
        return life.completedExchange()
    }

    // MARK: - Hanging up

    /// Watches the descriptor, so that a suspended exchange ends when its client hangs up.
    ///
    /// The descriptor stays in the poller for later long polls on the connection. Adding and removing it each time would cost as much as
    /// reading the request.
    func watchHangUp() {
        switch life.hangUpWanted() {
        case .none: break
        case .watch:
            let isWatched = core.poller.watch(descriptor, Poller.hangUpBits | Poller.onceBits, token: id.rawValue)
            if !isWatched { _ = life.unwatch() }
        case .report:
            // Deferred: the exchange is about to be suspended.
            core.turns.schedule(due: core.turns.now) { [self] in core.exchanges.hungUp(self) }
        }
    }

    /// The poller has reported that the client hung up.
    func reportedHangUp() { life.reportedHangUp() }

    /// Called before a stream takes the descriptor over or it is closed: a duplicate of it may stay open.
    func unwatch() {
        switch life.unwatch() {
        case .none: break
        case .unwatch: core.poller.unwatch(descriptor)
        }
    }

    // MARK: - The end

    /// Duplicates the descriptor, so that the connection stays open when libmicrohttpd closes it, and with that releases its memory.
    ///
    /// - Parameter placeholder: takes the place of libmicrohttpd's descriptor, if it would shut the connection down before closing
    ///   it; nil otherwise.
    /// - Returns: False without another descriptor: the connection is still libmicrohttpd's.
    func takeOver(leaving placeholder: Int32?) -> Bool {
        // Needs the handle, and requests received in messages need the address.
        _ = remoteAddress
        unwatch()
        daemon?.forget(descriptor)
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return false }
        if let placeholder, dup2(placeholder, descriptor) < 0 {
            _ = close(own)
            return false
        }
        core.connections.stopReading(descriptor)
        (descriptor, daemon) = (own, nil)
        life.takeOver()
        return true
    }

    /// Bytes may arrive that nothing reads, at the next close.
    func leaveUnread() { life.leaveUnread() }

    /// The connection was evicted, or closes: it no longer counts.
    func release() -> ConnectionLife.ReleaseAction { life.release() }

    /// Sets whether the client's next bytes wait until ordinary connections were handled. After a long poll they do: a bid then waits for
    /// a few polls, not for thousands.
    func setLowPriority(_ isLow: Bool) { daemon?.setLowPriority(isLow, descriptor) }

    /// Shuts down both directions; libmicrohttpd detects that and closes the descriptor, which it owns.
    func cut() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Makes the close discard unsent bytes and reset the connection: else the kernel would keep sending to a slow reader.
    func discardUnsentOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        // SAFETY: the option lives as long as the call, and its size is its own.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether written bytes are still unacknowledged by the peer.
    var hasUnsent: Bool { micro_unsent_bytes(descriptor) > 0 }

    /// The peer's numeric address without the port; an IPv4-mapped IPv6 address is written as IPv4.
    private(set) lazy var remoteAddress: String = {
        // SAFETY: the address belongs to the connection, and its family determines its size.
        guard let address = unsafe micro_connection_address(handle) else { return "" }
        let isVersion6 = unsafe Int32(address.pointee.sa_family) == AF_INET6
        let size = isVersion6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let numeric = unsafe text.withUnsafeMutableBufferPointer { buffer -> String? in
            guard
                unsafe getnameinfo(
                    address, socklen_t(size), buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0,
                let start = buffer.baseAddress
            else { return nil }
            return unsafe String(cString: start)
        }
        guard let numeric else { return "" }
        return numeric.hasPrefix("::ffff:") ? String(numeric.dropFirst(7)) : numeric
    }()
}

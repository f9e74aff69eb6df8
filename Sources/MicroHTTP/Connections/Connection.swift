internal import CMicroHTTPDShims
internal import Glibc

/// One client's connection, from accept to close.
///
/// `@safe`: the handle is libmicrohttpd's and valid as long as the connection is in its loop's table and was not taken over.
@safe
final class Connection {
    let slot: Int
    let core: LoopCore
    /// Another one once a stream has taken the connection over.
    private(set) var descriptor: Int32
    /// Nil if the client is in this process, as with `DetachedLoop`, and once a stream has taken the connection over.
    private(set) var handle: OpaquePointer!  // proven: only libmicrohttpd's own connections reach what uses it
    /// Whether a stream has taken the connection over from libmicrohttpd; then `LoopCore.end` closes it.
    private(set) var isTakenOver = false
    /// The client's network; nil for a shared address, such as a trusted proxy's.
    let peer: Peer?
    /// Set if the connection was accepted above a limit: its first request is refused with this.
    var admissionRefusal: RequestRefusal?
    /// Whether no complete request head was received yet.
    var isAwaitingFirstHead = true
    /// Whether it was evicted for a new connection; it no longer counts towards the limits.
    var isReleased = false
    /// Token in the loop's poller, which reports the client's hang-up.
    let watchToken: UInt64
    /// Whether the poller reports hang-ups: from the first exchange that asked for it until a stream takes the descriptor over.
    var isWatched = false
    /// Whether a hang-up was reported; kept for exchanges that ask for it later.
    var hasHungUp = false
    /// The daemon that reads from it.
    private(set) var daemon: Daemon?
    /// The exchange in progress, at most one at a time.
    var exchange: Exchange?
    /// Deadline for the next request line, in milliseconds of the monotonic clock.
    var idleDeadline: UInt64 = 0
    /// Scans the raw bytes that are read from it.
    private var scanner: RequestScanner
    /// What the scanner has put in place of received bytes and libmicrohttpd had no room for.
    private var surplus: [UInt8] = []
    /// Request lines that libmicrohttpd has reported.
    var requestCount = 0
    /// Whether bytes may arrive that nothing reads, at the next close: after a response sent before the request was read completely,
    /// or the end of a stream.
    var lingers = false

    @unsafe
    init(slot: Int, core: LoopCore, handle: OpaquePointer, peer: Peer?, daemon: Daemon?) {
        self.slot = slot
        core.lastSerial += 1
        watchToken = ExchangeID(slot: slot, serial: core.lastSerial).rawValue
        self.core = core
        unsafe self.handle = handle
        descriptor = unsafe micro_connection_descriptor(handle)
        self.peer = peer
        scanner = RequestScanner(lineLimit: core.limits.connectionMemoryBytes)
        self.daemon = daemon
    }

    /// The fault in the bytes of the request that is being read, so far.
    var scannedFault: String? {
        guard scanner.requestCount <= requestCount else { return nil }  // any fault is in a later, pipelined request
        return scanner.requestCount == requestCount ? scanner.fault : "It is in doubt where the request begins."
    }

    /// Whether bytes after the current request were read already, of a pipelined request.
    var hasReadAhead: Bool { scanner.requestCount > requestCount || !scanner.isBetweenRequests || !surplus.isEmpty }

    /// Most reads at once after a fault, whose bytes are dropped.
    private static let droppedReads = 16

    /// Reads for libmicrohttpd, with the result that it expects.
    ///
    /// It takes fewer bytes than it has asked for as a sign that the socket has no more, and waits for the next report of the kernel. So
    /// fewer are returned only if that is so, though a part of a line is kept until the rest is there.
    @unsafe
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var (passedOn, drops, count) = (surplus, 0, 0)
        guard passedOn.count < buffer.count else { return unsafe fill(buffer, with: passedOn) }
        repeat {
            // SAFETY: the bytes are read and written within the buffer, which is libmicrohttpd's for this call.
            count = unsafe micro_read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return passedOn.isEmpty ? count : unsafe fill(buffer, with: passedOn) }
            let received = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count]).assumingMemoryBound(to: UInt8.self)
            if let bytes = unsafe scanner.scan(received.span) {
                passedOn += bytes
            } else if passedOn.isEmpty {
                return count  // as usual: nothing to copy
            } else {
                unsafe passedOn.append(contentsOf: received)
            }
            if scanner.isRefused { drops += 1 }
        } while drops < Self.droppedReads && passedOn.count < buffer.count && (passedOn.isEmpty || count == buffer.count)
        return passedOn.isEmpty ? micro_read_nothing() : unsafe fill(buffer, with: passedOn)
    }

    @unsafe
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, with bytes: [UInt8]) -> Int {
        let count = min(bytes.count, buffer.count)
        // SAFETY: as many bytes as fit.
        unsafe buffer.copyBytes(from: bytes[..<count])
        surplus = count < bytes.count ? Array(bytes[count...]) : []
        return count
    }

    /// The exchange in progress is over, and libmicrohttpd still has the connection.
    func exchangeEnded() {
        exchange = nil
        scanner.upgradeEnded()
    }

    /// Duplicates the descriptor, so that the connection stays open when libmicrohttpd closes it, and with that releases its memory.
    ///
    /// - Parameter placeholder: takes the place of libmicrohttpd's descriptor, if it would shut the connection down before closing
    ///   it; nil otherwise.
    /// - Returns: False without another descriptor: the connection is still libmicrohttpd's.
    func takeOver(leaving placeholder: Int32?) -> Bool {
        // Needs the handle, and requests received in messages need the address.
        _ = remoteAddress
        core.unwatch(self)
        daemon?.forget(descriptor)
        let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return false }
        if let placeholder, dup2(placeholder, descriptor) < 0 {
            _ = close(own)
            return false
        }
        core.readers[descriptor] = nil
        (descriptor, isTakenOver, daemon) = (own, true, nil)
        unsafe handle = nil
        return true
    }

    /// A connection of a client in this process.
    init(core: LoopCore, remoteAddress: String) {
        slot = 0
        watchToken = 0
        self.core = core
        unsafe handle = nil
        descriptor = -1
        peer = nil
        scanner = RequestScanner(lineLimit: core.limits.connectionMemoryBytes)
        daemon = nil
        self.remoteAddress = remoteAddress
    }

    /// Sets whether what the client sends next waits until ordinary connections were handled: after a long poll it does, so that a
    /// bid waits for a few polls and not for thousands.
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
    lazy var remoteAddress: String = {
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

internal import CMicroHTTPDShims
internal import Glibc

/// One client's connection, from accept to close.
///
/// `@safe`: the handle is libmicrohttpd's and valid exactly so long as the connection is in its loop's table.
@safe
final class Connection {
    let slot: Int
    let core: LoopCore
    let descriptor: Int32
    /// Nil where the client is in this process: see `DetachedLoop`.
    let handle: OpaquePointer!  // proven: only libmicrohttpd's own connections reach what uses it
    /// The client network; nil for a shared address, such as a trusted proxy's.
    let peer: Peer?
    /// Above a limit: its first request is refused with this.
    var surplus: RequestRefusal?
    /// No complete head was received yet.
    var isSilent = true
    /// It is being closed for a new one, and counts no more.
    var isReleased = false
    /// Names it in the loop's poller, where its hang-up is announced.
    let watchToken: UInt64
    /// Whether the poller announces that; from the first request that asked, until a stream takes the descriptor over.
    var isWatched = false
    /// It was announced while no request asked.
    var hasHungUp = false
    /// Whose connection it is.
    let daemon: Daemon?
    /// The request that is being read or answered; one at a time.
    var exchange: Exchange?
    /// Until when it may be silent between requests.
    var idleUntil: UInt64 = 0
    /// Follows what is read from it.
    var scanner: RequestScanner
    /// Request lines that libmicrohttpd has announced.
    var requestCount = 0
    /// The next close follows an answer given before the request was read to its end.
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

    /// What is wrong with the bytes of the request that is being read, so far.
    var scannedFault: String? {
        guard scanner.requestCount <= requestCount else { return nil }  // it is in a later one, if anywhere
        return scanner.requestCount == requestCount ? scanner.fault : "It is in doubt where the request begins."
    }

    /// A client in this process.
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

    /// Ends both directions; libmicrohttpd notices and closes. The descriptor stays its own.
    func cut() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Has the close drop what the peer has not taken and reset: else the kernel would go on offering it to a slow reader.
    func forgetUnsent() {
        var option = linger(l_onoff: 1, l_linger: 0)
        // Safe: the option lives as long as the call, and its size is its own.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Whether the peer has not taken all that was written.
    var hasUnsent: Bool { micro_unsent_bytes(descriptor) > 0 }

    /// Numeric, without the port; an IPv4 address that came through an IPv6 socket as IPv4.
    lazy var remoteAddress: String = {
        // Safe: the address belongs to the connection, and its family says how large it is.
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

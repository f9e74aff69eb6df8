internal import CMicroHTTPD
internal import CMicroHTTPDShims
internal import Glibc

/// One libmicrohttpd daemon without threads of its own; used on the loop's thread only.
///
/// `@safe`: the handle is made here, never leaves, and is not used after `stop`.
@safe
final class Daemon {
    private var handle: OpaquePointer?
    private let events: OpaquePointer

    /// Serves the socket and takes ownership of it. Callbacks go to `core`, which must outlive the call of `stop`.
    init(listening socket: Int32, core: LoopCore, limits: HTTPLimits, tls: TLSIdentity?) throws(HTTPServerError) {
        let context = unsafe Unmanaged.passUnretained(core).toOpaque()
        let start: (UnsafePointer<micro_tls>?) -> OpaquePointer? = { pair in
            unsafe micro_daemon_start(
                socket, DaemonCallbacks.table, context, UInt32(clamping: limits.refusableConnections + 64),
                limits.connectionMemoryBytes, pair)
        }
        let daemon = if let tls { unsafe tls.withPointers { unsafe start($0) } } else { unsafe start(nil) }
        guard let daemon = unsafe daemon else {
            throw HTTPServerError(.resource, "libmicrohttpd cannot start: more in the log at debug level")
        }
        guard let events = unsafe micro_events_make(micro_daemon_epoll_descriptor(daemon)) else {
            unsafe MHD_stop_daemon(daemon)
            throw HTTPServerError(.resource, "no memory for an event loop")
        }
        unsafe (handle, self.events) = (daemon, events)
    }

    /// The daemon's epoll descriptor, which the loop's own epoll watches; -1 if there is none.
    var epollDescriptor: Int32 { unsafe handle.map { unsafe micro_daemon_epoll_descriptor($0) } ?? -1 }

    deinit { unsafe micro_events_free(events) }

    /// Accepts, reads, calls back and writes what is ready, without blocking; of low-priority connections a limited number.
    func run() {
        if let handle = unsafe handle { _ = unsafe micro_run(handle, events) }
    }

    /// Serves an open connection as if it had been accepted, and takes ownership of its descriptor.
    func add(_ descriptor: Int32) {
        guard let handle = unsafe handle else {
            _ = close(descriptor)
            return
        }
        unsafe micro_add_connection(handle, events, descriptor)
    }

    /// Sets whether what this client sends waits until ordinary connections were handled.
    func setLowPriority(_ isLow: Bool, _ descriptor: Int32) {
        unsafe micro_events_set_low_priority(events, descriptor, isLow ? 1 : 0)
    }

    /// Must be called before a descriptor is closed or duplicated: the daemon's epoll descriptor may still have it.
    func forget(_ descriptor: Int32) {
        unsafe micro_events_forget(events, descriptor)
    }

    /// Whether `run` has work left that no descriptor will report.
    var mustRunNow: Bool {
        unsafe handle.map { unsafe micro_must_run_now($0, events) != 0 } ?? false
    }

    /// The number of open connections.
    var connections: Int { unsafe handle.map { unsafe Int(micro_daemon_connections($0)) } ?? 0 }

    /// Stops listening. Returns the listening socket, which the caller must close, or -1.
    func quiesce() -> Int32 {
        unsafe handle.map { unsafe MHD_quiesce_daemon($0) } ?? -1
    }

    /// Closes every connection. None may be suspended.
    func stop() {
        guard let running = unsafe handle else { return }
        unsafe handle = nil
        unsafe MHD_stop_daemon(running)
    }
}

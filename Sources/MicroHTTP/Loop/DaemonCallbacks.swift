internal import IPAddresses
internal import CMicroHTTPD
internal import CMicroHTTPDShims
internal import Glibc

/// The callbacks registered with libmicrohttpd, as C functions that capture nothing.
///
/// Safe throughout: a daemon calls only inside `run`, `add` and `stop`, on the loop's thread, while its core is alive. The socket
/// context is a retained `Connection` from `opened` to `closed`. The request context is a retained `Exchange` from the request line to
/// `completed`. Both are touched nowhere else.
enum DaemonCallbacks {
    /// Allocated once and never freed: daemons keep the pointer.
    nonisolated(unsafe) static let table: UnsafePointer<micro_callbacks> = {
        let table = UnsafeMutablePointer<micro_callbacks>.allocate(capacity: 1)
        unsafe table.initialize(
            to: micro_callbacks(
                admit: admit, opened: opened, closed: closed, request_line: requestLine, request: request,
                completed: completed, log: log, upgraded: upgraded))
        return unsafe UnsafePointer(table)
    }()

    /// Has the connections of the core read for libmicrohttpd on this thread, until `stopScanningReads`; the core must outlive that.
    static func scanReads(of core: LoopCore) {
        unsafe micro_read_with(
            { context, descriptor, bytes, size in
                guard let bytes = unsafe bytes,
                    let connection = unsafe DaemonCallbacks.core(context).connections.reading(descriptor)
                else { return unsafe micro_read(descriptor, bytes, size) }
                return unsafe connection.read(UnsafeMutableRawBufferPointer(start: bytes, count: size))
            }, Unmanaged.passUnretained(core).toOpaque(), core.daemons.isEncrypted ? 1 : 0)
    }

    static func stopScanningReads() { micro_read_with(nil, nil, 0) }

    private static let admit: @convention(c) (UnsafeMutableRawPointer?, Int32, UInt64, UInt64) -> Int32 = {
        context, hasAddress, high, low in
        let address = hasAddress == 0 ? nil : IPAddress(bits: UInt128(high) << 64 | UInt128(low))
        return unsafe core(context).admission.mayAdmit(address) ? 1 : 0
    }

    private static let opened:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Void = {
            context, handle, socketContext in
            guard let handle = unsafe handle else { return }
            let core = unsafe core(context)
            let connection = unsafe core.admission.opened(handle, on: core)
            unsafe socketContext?.pointee = Unmanaged.passRetained(connection).toOpaque()
        }

    private static let closed:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Void = {
            context, _, socketContext in
            guard let pointer = unsafe socketContext?.pointee else { return }
            let connection = unsafe Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue()
            unsafe socketContext?.pointee = nil
            // Otherwise a stream has the connection.
            if !connection.isTakenOver { unsafe core(context).admission.closed(connection) }
        }

    private static let requestLine:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            context, target, handle in
            guard let target = unsafe target, let handle = unsafe handle,
                let pointer = unsafe micro_connection_socket_context(handle)
            else { return nil }
            let connection = unsafe Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue()
            let exchange = unsafe core(context).exchanges.requestLine(connection.target(target), connection)
            return unsafe Unmanaged.passRetained(exchange).toOpaque()
        }

    private static let request:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafeMutablePointer<Int>?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Int32 = { context, handle, method, version, upload, uploadSize, requestContext in
            guard let pointer = unsafe requestContext?.pointee, let handle = unsafe handle else { return 0 }
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
            let core = unsafe core(context)
            if exchange.phase == .head {
                guard let method = unsafe method, let version = unsafe version else { return 0 }
                let isVersion10 = unsafe strcmp(version, "HTTP/1.0") == 0
                unsafe exchange.head = RequestHead(handle, method: String(cString: method), isVersion10: isVersion10)
                return core.exchanges.head(of: exchange) ? 1 : 0
            }
            let count = unsafe uploadSize?.pointee ?? 0
            guard count > 0 else { return core.exchanges.bodyEnded(exchange) ? 1 : 0 }
            // All bytes are always consumed: libmicrohttpd would pass the rest again.
            unsafe uploadSize?.pointee = 0
            return unsafe core.exchanges.receive(UnsafeRawBufferPointer(start: upload, count: count), exchange) ? 1 : 0
        }

    private static let completed:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int32
        ) -> Void = { context, _, requestContext, _ in
            guard let pointer = unsafe requestContext?.pointee else { return }
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
            unsafe requestContext?.pointee = nil
            if !exchange.connection.isTakenOver { unsafe core(context).exchanges.completed(exchange) }
        }

    private static let log: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = { context, message in
        guard let message = unsafe message else { return }
        unsafe core(context).logDaemon(String(cString: message))
    }

    private static let upgraded:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, Int, Int32, OpaquePointer?) -> Void = {
            requestContext, extra, extraSize, _, handle in
            guard let pointer = unsafe requestContext, let handle = unsafe handle else { return }
            let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
            let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: extra, count: extraSize))
            guard let socket = exchange.stream as? WebSocketConnection else {
                preconditionFailure("only exchanges with a WebSocket are upgraded")  // proven: our own call
            }
            unsafe socket.takeOver(handle, bytes)
        }

    private static func core(_ context: UnsafeMutableRawPointer?) -> LoopCore {
        guard let context = unsafe context else {
            preconditionFailure("a daemon is always started with its loop")  // proven: our own pointer
        }
        return unsafe Unmanaged<LoopCore>.fromOpaque(context).takeUnretainedValue()
    }
}

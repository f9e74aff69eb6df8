internal import CMicroHTTPD
internal import CMicroHTTPDShims
internal import Glibc
public import WebSocketFrames

/// An answer whose body is sent piece by piece, as for server-sent events. Used on the loop's thread only.
///
/// libmicrohttpd asks for bytes when it can write some; where there are none its connection is suspended. From then on the
/// stream writes chunks to the socket itself, since a resumed connection costs several times what the writing does; at the end
/// libmicrohttpd is resumed to write the last chunk. Where the body is not chunked, as for HTTP/1.0, or
/// encrypted, what is sent resumes it.
public final class ResponseStream: StreamSink, LoopStream {
    /// What a stream bounds.
    public struct Options: Sendable {
        /// What may wait for a peer that does not read, in bytes.
        public var outgoingLimit = 262_144
        /// How long the peer may take to read the rest of a stream that was closed.
        public var closeMilliseconds: UInt64 = 5_000
        /// How long sent bytes may go unacknowledged.
        public var silenceMilliseconds: UInt32 = 30_000
        /// What may wait in the kernel besides, in bytes.
        public var kernelBytes: Int32 = 131_072

        /// The defaults.
        public init() {}
    }

    private enum Life {
        case open
        /// Ends once what is queued has gone out.
        case closing
        /// Broken off: libmicrohttpd closes the connection.
        case aborted
        case ended
    }

    public var onEnd: (() -> Void)?
    public var onDrained: (() -> Void)?

    private let core: LoopCore
    private let exchangeID: ExchangeID
    private let connection: Connection
    private let options: Options
    private var outgoing = OutgoingQueue()
    private var life = Life.open
    private var isSuspended = false
    private var isWatched = false
    private var isWatchingWrites = false
    /// Whether the stream writes to the socket itself: the body is in chunks, as libmicrohttpd has it for every client of
    /// HTTP/1.1, and nothing is encrypted, which only libmicrohttpd can do.
    private let writesItself: Bool

    init(_ exchange: Exchange, options: Options) {
        writesItself = !exchange.isVersion10 && !exchange.isEncrypted
        core = exchange.connection.core
        exchangeID = exchange.id
        connection = exchange.connection
        self.options = options
    }

    public var isOpen: Bool { life == .open }
    public var bufferedBytes: Int { outgoing.byteCount }

    public func send(_ bytes: SharedBytes) {
        guard isOpen else { return }
        guard outgoing.byteCount + bytes.count <= options.outgoingLimit else {
            // There is no goodbye that would reach such a peer; an event cut in half is dropped by every reader.
            abort()
            return
        }
        guard isSuspended, writesItself else {
            outgoing.append(bytes)
            resume()
            return
        }
        // Nothing of libmicrohttpd's own is on its way: it was suspended when it had written everything, and was asking for more.
        if outgoing.isEmpty { outgoing.isFramed = true }
        wrote(outgoing.write(bytes, to: connection.descriptor))
    }

    private func wrote(_ progress: OutgoingQueue.Progress) {
        switch progress {
        case .failed: abort()
        case .blocked: watchWrites(true)
        case .drained:
            guard isWatchingWrites else { return }
            watchWrites(false)
            if life == .closing { resume() } else { onDrained?() }
        }
    }

    private func watchWrites(_ isWatching: Bool) {
        guard isWatching != isWatchingWrites else { return }
        isWatchingWrites = isWatching
        let bits = isWatching ? Poller.hangUpBits | Poller.writeBits : Poller.hangUpBits
        core.poller.rewatch(connection.descriptor, bits, token: exchangeID.rawValue)
    }

    public func close(_ status: CloseStatus) {
        guard isOpen else { return }
        life = .closing
        core.table.setDeadline(core.now + options.closeMilliseconds, slot: connection.slot)
        // libmicrohttpd writes the end, behind what we have begun.
        if !isWatchingWrites { resume() }
        tellEnd()
    }

    /// The answer is queued: from here on a peer that hangs up is noticed, also while nothing is sent.
    func begin() {
        core.table.setDeadline(ConnectionTable.never, slot: connection.slot)
        micro_prepare_stream(connection.descriptor, options.kernelBytes, options.silenceMilliseconds)
        core.unwatch(connection)
        isWatched = core.poller.watch(connection.descriptor, Poller.hangUpBits, token: exchangeID.rawValue)
    }

    func ready(_ bits: UInt32) {
        if bits & Poller.hangUpBits != 0 {
            abort()
        } else if bits & Poller.writeBits != 0, isWatchingWrites {
            wrote(outgoing.write(to: connection.descriptor))
        }
    }

    func deadlinePassed() { abort() }

    var heldBytes: Int { outgoing.byteCount }

    func endAsTooSlow() { abort() }

    func abort() {
        guard life == .open || life == .closing else { return }
        life = .aborted
        outgoing.removeAll()
        unwatch()
        connection.cut()
        // Safe: on the connection's own thread, and it is there until `connectionEnded`.
        unsafe micro_expire(connection.handle)
        core.needsRun = true
        // One run finds the reader failed, the next one closes the connection; no descriptor announces either.
        _ = core.timers.schedule(due: core.now + 1) { [core] in core.needsRun = true }
        resume()
        tellEnd()
    }

    func connectionEnded() {
        life = .ended
        isSuspended = false
        outgoing.removeAll()
        unwatch()
        tellEnd()
        onDrained = nil
    }

    /// libmicrohttpd can write: so many bytes, or why there are none.
    @unsafe
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard life == .open || life == .closing else { return Int(MICRO_READER_FAILED) }
        if outgoing.isEmpty, life == .open { onDrained?() }
        if !outgoing.isEmpty { return unsafe outgoing.take(into: buffer) }
        guard life == .open else { return Int(life == .closing ? MICRO_READER_END : MICRO_READER_FAILED) }
        isSuspended = true
        // Safe: inside the connection's own callback, on the loop's thread.
        unsafe MHD_suspend_connection(connection.handle)
        return 0
    }

    private func resume() {
        guard isSuspended else { return }
        isSuspended = false
        outgoing.isFramed = false
        core.needsRun = true
        // Safe: suspended by `read`, on this thread, and resumed once.
        unsafe MHD_resume_connection(connection.handle)
    }

    private func unwatch() {
        guard isWatched else { return }
        (isWatched, isWatchingWrites) = (false, false)
        core.poller.unwatch(connection.descriptor)
    }

    private func tellEnd() {
        let end = onEnd
        onEnd = nil
        end?()
    }
}

extension Exchange {
    /// Answers 200 with a body that is sent piece by piece.
    ///
    /// - Returns: nil where the exchange was answered, or is gone.
    public func stream(
        headers: [(name: String, value: String)], options: ResponseStream.Options = .init()
    ) -> (any StreamSink)? {
        if detached != nil {
            return connection.core.openDetached(
                self,
                DetachedStream.Opening(
                    status: 200, headers: headers, webSocket: nil, outgoingLimit: options.outgoingLimit, overflow: nil))
        }
        let stream = ResponseStream(self, options: options)
        let isTaken = connection.core.respond(stream, status: 200, to: self) { closes in
            EncodedResponse.queue(stream, headers: headers, closes: closes, on: connection)
        }
        guard isTaken else { return nil }
        stream.begin()
        return stream
    }
}

extension EncodedResponse {
    fileprivate static func queue(
        _ stream: ResponseStream, headers: [(name: String, value: String)], closes: Bool, on connection: Connection
    ) -> Bool {
        // Safe: the response holds the stream until libmicrohttpd is done with both; it reads on the loop's thread, inside `run`,
        // within the size it gives.
        let context = unsafe Unmanaged.passRetained(stream)
        let made = unsafe micro_response_reading(
            { context, _, buffer, size in
                guard let context = unsafe context else { return Int(MICRO_READER_FAILED) }
                let stream = unsafe Unmanaged<ResponseStream>.fromOpaque(context).takeUnretainedValue()
                return unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
            }, context.toOpaque(),
            { context in
                if let context = unsafe context { unsafe Unmanaged<ResponseStream>.fromOpaque(context).release() }
            })
        guard let handle = unsafe made else {
            unsafe context.release()
            return false
        }
        defer { unsafe MHD_destroy_response(handle) }
        for header in headers { _ = unsafe micro_response_add_header(handle, header.name, header.value) }
        if closes { _ = unsafe micro_response_add_header(handle, "Connection", "close") }
        return unsafe micro_queue(connection.handle, 200, handle) != 0
    }
}

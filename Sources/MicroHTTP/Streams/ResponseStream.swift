internal import CMicroHTTPD
internal import CMicroHTTPDShims
internal import Glibc
package import WebSocketFrames

/// A response whose body is sent piece by piece, as for server-sent events. Used on the loop's thread only.
///
/// libmicrohttpd writes the head and what is sent until then. When it requests more and there is nothing, the stream takes the
/// connection over. Otherwise libmicrohttpd would keep the request's memory, and walk the list of suspended connections whenever it
/// resumes one. From then on the stream writes its chunks to the socket. At the end it returns the connection, for the client's next
/// request.
///
/// libmicrohttpd keeps the connection, and every `send` resumes it, in four cases: the body is not chunked, as for HTTP/1.0; it is
/// encrypted; the client's next request was read already; there is no further descriptor.
package final class ResponseStream: StreamSink, LoopStream {
    /// The limits of a stream.
    package struct Options: Sendable {
        /// The limits of what the peer has not read.
        package var outgoing = OutgoingLimits()
        /// How long the peer may take to read the rest after `close`.
        package var closeMilliseconds: UInt64 = 5_000

        /// The defaults.
        package init() {}
    }

    private enum State {
        case open
        /// Ends once all queued bytes are sent.
        case closing
        /// All bytes are sent.
        case finished
        /// Aborted: the connection is to be closed.
        case aborted
        case ended
    }

    /// What the loop's poller reports to the stream.
    private enum Watch {
        case off
        case hangUps
        /// Also when the socket takes more bytes.
        case writes
    }

    /// Called once, when the stream takes no more bytes.
    package var onEnd: (() -> Void)?
    /// Called when all buffered bytes have been written.
    package var onDrained: (() -> Void)?

    private let core: LoopCore
    private let exchangeID: ExchangeID
    private let connection: Connection
    private let options: Options
    private var outgoing = OutgoingQueue()
    private var state = State.open
    private var isSuspended = false
    private var watch = Watch.off
    /// Whether the stream can write to the socket itself. The body has to be chunked, as for every HTTP/1.1 client. It must not be
    /// encrypted: only libmicrohttpd can encrypt.
    private let takesOver: Bool
    /// Whether the connection closes after the response.
    private let isLast: Bool

    init(_ exchange: Exchange, options: Options) {
        takesOver = !exchange.head.isVersion10 && !exchange.isEncrypted
        core = exchange.connection.core
        exchangeID = exchange.id
        connection = exchange.connection
        isLast = exchange.requestsClose
        self.options = options
    }

    /// Whether the stream still takes bytes.
    private var isOpen: Bool { state == .open }
    /// Bytes that the kernel has not taken yet.
    package var bufferedBytes: Int { outgoing.byteCount }

    /// Sends in order; aborts the stream if more than `Options.outgoing` allows would be buffered.
    package func send(_ bytes: SharedBytes) {
        guard isOpen else { return }
        guard outgoing.byteCount + bytes.count <= options.outgoing.bytes else {
            // A peer that does not read would not receive a final message; event-stream parsers discard an incomplete event.
            abort()
            return
        }
        guard connection.isTakenOver else {
            outgoing.append(bytes)
            resume()
            return
        }
        // An empty chunk would end the body.
        if bytes.count > 0 { handleWriteProgress(outgoing.write(bytes, to: connection.descriptor)) }
    }

    private func handleWriteProgress(_ progress: OutgoingQueue.Progress) {
        switch progress {
        case .failed: abort()
        case .blocked: watchWrites(true)
        case .drained:
            let wasBlocked = watch == .writes
            watchWrites(false)
            if state == .closing {
                finish()
            } else if wasBlocked {
                onDrained?()
            }
        }
    }

    private func watchWrites(_ isWatching: Bool) {
        guard isWatching != (watch == .writes) else { return }
        watch = isWatching ? .writes : .hangUps
        let bits = isWatching ? Poller.hangUpBits | Poller.writeBits : Poller.hangUpBits
        core.poller.rewatch(connection.descriptor, bits, token: exchangeID.rawValue)
    }

    /// Ends the body after all buffered bytes; the status is not sent, because the transport has no place for it.
    package func close(_ status: CloseStatus) {
        guard isOpen else { return }
        state = .closing
        core.connections.setDeadline(core.turns.now + options.closeMilliseconds, of: connection)
        if connection.isTakenOver {
            handleWriteProgress(outgoing.write(SharedBytes([]), to: connection.descriptor))
        } else {
            resume()
        }
        notifyEnd()
    }

    /// The last chunk is written.
    private func finish() {
        // Bytes that the client has sent meanwhile would reset the connection before it has read everything.
        if isLast || core.exchanges.closesConnections { connection.leaveUnread() }
        state = .finished
        requestSettling()
    }

    /// Starts watching for a hang-up of the peer, which is detected even while nothing is sent. Called once the response is queued.
    func begin() {
        core.connections.setDeadline(ConnectionTable.never, of: connection)
        options.outgoing.prepare(connection.descriptor)
        connection.unwatch()
        watchHangUps()
    }

    private func watchHangUps() {
        let isWatched = core.poller.watch(connection.descriptor, Poller.hangUpBits, token: exchangeID.rawValue)
        watch = isWatched ? .hangUps : .off
    }

    func ready(_ bits: UInt32) {
        if bits & Poller.hangUpBits != 0 {
            abort()
        } else if bits & Poller.writeBits != 0, watch == .writes {
            handleWriteProgress(outgoing.write(to: connection.descriptor))
        }
    }

    func deadlinePassed() { abort() }

    func endAsTooSlow() { abort() }

    func abort() {
        guard state != .aborted, state != .ended else { return }
        state = .aborted
        outgoing.removeAll()
        unwatch()
        connection.cut()
        if connection.isTakenOver { requestSettling() } else { release() }
        notifyEnd()
    }

    func connectionEnded() {
        state = .ended
        isSuspended = false
        outgoing.removeAll()
        unwatch()
        notifyEnd()
        onDrained = nil
    }

    private func requestSettling() { core.streams.settleLater(self) }

    func settle() {
        switch state {
        case .open, .closing: takeOver()
        case .finished: core.end(connection, isReusable: !connection.lingers)
        case .aborted: core.end(connection, isReusable: false)
        case .ended: break
        }
    }

    /// Takes the connection over if libmicrohttpd has written everything so far.
    private func takeOver() {
        // A request that libmicrohttpd has read already would be lost.
        guard isSuspended, !connection.hasReadAhead, let handle = unsafe connection.handle else { return }
        unwatch()
        // libmicrohttpd shuts a connection down before it closes the descriptor.
        let isTakenOver = connection.takeOver(leaving: core.streams.placeholder)
        if isTakenOver {
            unsafe release(handle)
            outgoing.isFramed = true
        }
        watchHangUps()
        // Its client's hang-up would remain unnoticed, and what a full socket does not take would remain unsent.
        if watch == .off { abort() }
    }

    /// Has libmicrohttpd close the connection, or its placeholder, in its next runs: `read` fails.
    private func release() {
        if let handle = unsafe connection.handle { unsafe release(handle) }
    }

    @unsafe
    private func release(_ handle: OpaquePointer) {
        // SAFETY: on the connection's own thread, outside libmicrohttpd's callbacks, and the handle is valid until the daemon's next run.
        unsafe micro_expire(handle)
        core.turns.requestRun()
        // The first run detects the failed reader, the second closes the connection; no descriptor reports either.
        core.turns.schedule(due: core.turns.now + 1) { [core] in core.turns.requestRun() }
        unsafe resume(handle)
    }

    /// libmicrohttpd's content reader: returns the number of bytes copied, 0 after suspending, or one of the two end codes.
    @unsafe
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard !connection.isTakenOver, state == .open || state == .closing else { return Int(MICRO_READER_FAILED) }
        if outgoing.isEmpty, state == .open { onDrained?() }
        if !outgoing.isEmpty { return unsafe outgoing.take(into: buffer) }
        guard state == .open else { return Int(state == .closing ? MICRO_READER_END : MICRO_READER_FAILED) }
        isSuspended = true
        // SAFETY: inside the connection's own callback, on the loop's thread.
        unsafe MHD_suspend_connection(connection.handle)
        if takesOver { requestSettling() }
        return 0
    }

    private func resume() {
        if let handle = unsafe connection.handle { unsafe resume(handle) }
    }

    @unsafe
    private func resume(_ handle: OpaquePointer) {
        guard isSuspended else { return }
        isSuspended = false
        core.turns.requestRun()
        // SAFETY: suspended by `read`, on this thread, and resumed once.
        unsafe MHD_resume_connection(handle)
    }

    private func unwatch() {
        guard watch != .off else { return }
        watch = .off
        core.poller.unwatch(connection.descriptor)
    }

    private func notifyEnd() {
        let end = onEnd
        onEnd = nil
        end?()
    }
}

extension Exchange {
    /// Responds 200 with a body that is sent piece by piece.
    ///
    /// - Returns: nil if the exchange already has a response or has ended.
    package func stream(
        headers: [(name: String, value: String)], options: ResponseStream.Options = .init()
    ) -> (any StreamSink)? {
        let headers = withCommonHeaders(headers)
        if detached != nil {
            return connection.core.exchanges.openDetached(
                self,
                DetachedStream.Opening(
                    status: 200, headers: headers, webSocket: nil, outgoingLimit: options.outgoing.bytes, overflow: nil))
        }
        let stream = ResponseStream(self, options: options)
        let isTaken = connection.core.exchanges.respond(stream, status: 200, to: self) { closes in
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
        // SAFETY: the response retains the stream until libmicrohttpd releases both; it reads on the loop's thread, inside `run`,
        // within the size it passes.
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
        if connection.exchange?.method == .head { unsafe micro_response_omit_chunks(handle) }
        for header in headers { _ = unsafe micro_response_add_header(handle, header.name, header.value) }
        if closes { _ = unsafe micro_response_add_header(handle, "Connection", "close") }
        return unsafe micro_queue(connection.handle, 200, handle) != 0
    }
}

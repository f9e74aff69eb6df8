internal import CMicroHTTPD
internal import CMicroHTTPDShims
internal import Logging

/// The exchanges of a loop: request line, head, body, handler, response, completion. Used on the loop's thread only.
final class Exchanges {
    let limits: HTTPLimits
    private let times: TimeLimits
    private let turns: Turns
    private let daemons: Daemons
    private let connections: OpenConnections
    private let admission: Admission
    private let largeBodies: LargeBodies
    private(set) var handler: (any ExchangeHandler)?
    /// Number of exchanges between their request line and the last byte of their response.
    private(set) var openCount = 0
    /// Whether every response closes its connection.
    private(set) var closesConnections = false
    /// Whether the loop has ended: there is no handler to respond, and no connection may be suspended.
    private var hasEnded = false
    /// Pending exchanges of requests that were not received by HTTP, by identifier.
    private var detached: [UInt64: Exchange] = [:]

    init(times: TimeLimits, turns: Turns, daemons: Daemons, connections: OpenConnections, admission: Admission) {
        limits = admission.budget.limits
        self.times = times
        self.turns = turns
        self.daemons = daemons
        self.connections = connections
        self.admission = admission
        largeBodies = LargeBodies(admission.budget, milliseconds: times.largeBody, turns: turns, connections: connections)
    }

    /// Sets the handler of the requests that follow. The handler and its loop retain each other until `end`.
    func use(_ handler: any ExchangeHandler) { self.handler = handler }

    /// Has every response close its connection from now on.
    func closeConnections() { closesConnections = true }

    /// The exchange with that identifier; nil once it has a response or its connection ended.
    func pending(_ id: ExchangeID) -> Exchange? {
        if id.isDetached { return detached[id.rawValue] }
        guard let exchange = connections[id.slot]?.exchange, exchange.id == id else { return nil }
        switch exchange.phase {
        case .responded, .streaming, .ended: return nil
        case .head, .receiving, .handling, .waiting, .suspended: return exchange
        }
    }

    // MARK: - Request line, head and body

    func requestLine(_ target: RequestTarget, _ connection: Connection) -> Exchange {
        openCount += 1
        let exchange = Exchange(
            id: ExchangeID(slot: connection.slot, serial: turns.nextSerial()), connection: connection, target: target)
        connection.began(exchange)
        connection.setLowPriority(false)
        connections.endIdle(connection)
        let earliest = max(connections.deadline(of: connection), connection.idleDeadline)
        let deadline = min(earliest, turns.now + times.request)
        connections.setDeadline(deadline, of: connection)
        if let refusal = target.unparsedRefusal(limits, isEncrypted: daemons.isEncrypted) { refuseUnparsed(exchange, refusal) }
        return exchange
    }

    /// Ends a request before libmicrohttpd parses its query.
    private func refuseUnparsed(_ exchange: Exchange, _ refusal: RequestRefusal) {
        sendRaw(refuse(refusal, exchange), on: exchange.connection)
        exchange.phase = .responded
        exchange.connection.cut()
    }

    /// The first call for a request: its head is complete. False closes the connection.
    func head(of exchange: Exchange) -> Bool {
        guard !hasEnded, exchange.phase == .head else { return false }
        let connection = exchange.connection
        // A connection that was evicted may have sent a request meanwhile: it is not started.
        guard admission.receivedHead(connection) else { return false }
        if let admissionRefusal = connection.admissionRefusal { return end(exchange, with: admissionRefusal) }
        if let fault = connection.scannedFault { return end(exchange, with: .malformed(fault)) }
        let validator = HeadValidator(exchange.head, isScanned: true)
        let lacksMemory = validator.memoryBytes(of: exchange) > limits.requestMemoryBytes
        let refusal =
            validator.refusal(exchange, limits: limits)
            ?? (lacksMemory ? RequestRefusal.tooManyFields : nil)
        if let refusal { return end(exchange, with: refusal, lacksMemory: lacksMemory) }
        connections.setDeadline(turns.now + times.request, of: connection)
        if let length = validator.contentLength, length > limits.bodyBytes,
            let refusal = largeBodies.admit(exchange, bytes: length, handler)
        {
            return end(exchange, with: refusal)
        }
        // A response queued in this first call would close the connection, so the handler is called in a later one.
        exchange.phase = .receiving
        return true
    }

    @unsafe
    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        guard exchange.phase == .receiving else { return exchange.phase != .ended }
        if exchange.received.count + bytes.count > limits.bodyBytes,
            let refusal = largeBodies.makeRoom(for: bytes.count, of: exchange, handler)
        {
            exchange.received = []
            return end(exchange, with: refusal)
        }
        unsafe exchange.received.append(contentsOf: bytes)
        return true
    }

    /// A later call without bytes: the request is complete.
    func bodyEnded(_ exchange: Exchange) -> Bool {
        guard !hasEnded else { return false }
        switch exchange.phase {
        case .receiving:
            if let fault = exchange.connection.scannedFault { return end(exchange, with: .malformed(fault)) }
            connections.setDeadline(ConnectionTable.never, of: exchange.connection)
            exchange.phase = .handling
            turns.handlerCalled()
            handler?.handle(exchange)
            if exchange.phase == .handling, exchange.onHangUp != nil {
                // A long poll: its response is not to be expected at once.
                suspend(exchange)
            } else if exchange.phase == .handling {
                // Not suspended yet: suspending and resuming cost at least two system calls. Under load the response is often available
                // at the start of the next turn, and until then libmicrohttpd only calls back again.
                exchange.phase = .waiting(since: turns.number)
                turns.requestRun()
            }
            return exchange.phase != .ended
        case .waiting(let turn):
            if turn != turns.number { suspend(exchange) }
            return true
        case .ended, .head:
            return false
        case .handling, .suspended, .responded, .streaming:
            return true
        }
    }

    // MARK: - Response

    private func suspend(_ exchange: Exchange) {
        exchange.phase = .suspended
        // SAFETY: a connection is suspended inside its own callback, on the loop's thread.
        unsafe micro_suspend(exchange.connection.handle)
        if exchange.onHangUp != nil { exchange.connection.watchHangUp() }
    }

    func respond(_ response: Response, to exchange: Exchange) {
        recordSize(response, of: exchange)
        queueResponse(exchange, status: response.status) { closes in
            EncodedResponse.queue(exchange.withCommonHeaders(response), closes: closes, on: exchange.connection)
        }
    }

    func respond(_ response: SharedResponse, to exchange: Exchange) {
        recordSize(response.response, of: exchange)
        queueResponse(exchange, status: response.status) { closes in
            let encoded = response.encoded(closes: closes, with: exchange.notes.commonHeaders)
            return encoded?.queue(status: response.status, on: exchange.connection) ?? false
        }
    }

    private func recordSize(_ response: Response, of exchange: Exchange) {
        let bytes = response.bodyCount
        if bytes >= SlowReaders.leastPendingBytes { exchange.unread = Exchange.Unread(bytes: bytes, queuedAt: turns.now) }
    }

    /// Responds with a stream; false if the exchange already has a response or has ended, and the stream never starts.
    func respond(
        _ stream: any LoopStream, status: Int, to exchange: Exchange, queue: (_ closes: Bool) -> Bool
    ) -> Bool {
        guard exchange.detached == nil else { return false }
        exchange.stream = stream
        queueResponse(exchange, status: status, queue: queue)
        guard exchange.phase == .responded else {
            exchange.stream = nil
            return false
        }
        exchange.phase = .streaming
        return true
    }

    private func queueResponse(_ exchange: Exchange, status: Int, queue: (_ closes: Bool) -> Bool) {
        assert(exchange.loop.isCurrent, "only on the event loop's own thread")
        let wasSuspended = exchange.phase == .suspended
        guard exchange.phase == .handling || exchange.phase.isUnanswered else {
            exchange.connection.core.logger.warning(
                "response ignored: the exchange already has one or has ended", metadata: ["path": "\(exchange.path)"])
            return
        }
        let isQueued = queue(closesConnections)
        if !isQueued {
            exchange.connection.core.logger.error(
                "libmicrohttpd did not accept the response", metadata: ["path": "\(exchange.path)"])
        }
        if wasSuspended { resume(exchange) }
        turns.requestRun()
        exchange.phase = isQueued ? .responded : .ended
        handler?.finished(exchange, status: isQueued ? status : nil)
        // A client that does not read its response in time is disconnected; a stream sets its own deadlines once it has started.
        let allowed = exchange.stream == nil ? times.response : times.idle
        connections.setDeadline(turns.now + allowed, of: exchange.connection)
    }

    private func resume(_ exchange: Exchange) {
        exchange.onHangUp = nil
        turns.requestRun()
        // SAFETY: suspended by `suspend`, on this thread, and resumed once, because the phase changes with it.
        unsafe MHD_resume_connection(exchange.connection.handle)
    }

    /// Ends a suspended exchange without a response: libmicrohttpd's next callback closes the connection.
    func abandon(_ exchange: Exchange) {
        guard exchange.phase == .suspended else { return }
        let onHangUp = exchange.onHangUp
        resume(exchange)
        exchange.phase = .ended
        handler?.finished(exchange, status: nil)
        exchange.connection.cut()
        onHangUp?()
    }

    /// Has the handler render an error detected by the server.
    func refuse(_ refusal: RequestRefusal, _ exchange: Exchange?) -> Response? {
        handler?.refuse(refusal, exchange)
    }

    /// Refuses a request before it was read completely. False closes the connection.
    private func end(_ exchange: Exchange, with refusal: RequestRefusal, lacksMemory: Bool = false) -> Bool {
        guard let response = refuse(refusal, exchange) else { return false }
        return end(exchange, with: response, lacksMemory: lacksMemory)
    }

    /// - Parameter lacksMemory: whether the response's head may not fit into libmicrohttpd's memory.
    private func end(_ exchange: Exchange, with response: Response, lacksMemory: Bool = false) -> Bool {
        let connection = exchange.connection
        exchange.phase = .responded
        connections.setDeadline(turns.now + times.request, of: connection)
        connection.leaveUnread()
        // Under TLS nothing else can write.
        if !lacksMemory || daemons.isEncrypted,
            EncodedResponse.queue(exchange.withCommonHeaders(response), closes: true, on: connection)
        {
            return true
        }
        // Between the head and the end of the body libmicrohttpd accepts no response.
        sendRaw(response, on: connection)
        return false
    }

    /// The response was sent, or the connection ended before.
    func completed(_ exchange: Exchange) {
        let endsUnanswered = exchange.phase.isUnanswered
        let onHangUp = endsUnanswered ? exchange.onHangUp : nil
        exchange.phase = .ended
        if endsUnanswered { handler?.finished(exchange, status: nil) }
        exchange.head.forget()
        exchange.onHangUp = nil
        if exchange.largeBody != nil { largeBodies.release(exchange) }
        exchange.stream?.connectionEnded()
        exchange.stream = nil
        openCount -= 1
        let connection = exchange.connection
        switch connection.exchangeEnded() {
        case .becomeIdle: connections.beginIdle(connection)
        case .none: break
        }
        onHangUp?()
    }

    // MARK: - Deadlines and hang-ups

    func deadlinePassed(_ connection: Connection) {
        if let stream = connection.exchange?.stream {
            stream.deadlinePassed()
            return
        }
        if connection.exchange == nil, connection.idleDeadline > turns.now, !connection.hasUnsent {
            connections.setDeadline(connection.idleDeadline, of: connection)
            return
        }
        // A partial body has an exchange to respond to; a partial head has none.
        if let exchange = connection.exchange, exchange.phase == .receiving {
            let refusal = RequestRefusal.bodyTimeout(
                seconds: exchange.largeBody == nil ? limits.requestSeconds : max(limits.requestSeconds, limits.largeBodySeconds)
            )
            sendRaw(refuse(refusal, exchange), on: connection)
            exchange.phase = .ended
            if connection.lingers {
                // The next bytes have libmicrohttpd close the connection, which then lingers. Without receiving they would reset it, before
                // a client that first sends its whole body has read the response.
                SocketWriter.end(connection.descriptor)
                return connections.setDeadline(turns.now + LingeringSockets.silentMilliseconds, of: connection)
            }
        } else if !connection.lingers, connection.hasUnsent {
            connection.discardUnsentOnClose()
        }
        connection.cut()
        turns.requestRun()
    }

    /// Writes a response directly to the socket, because libmicrohttpd does not send one before the request is read completely. No
    /// other response can be in flight then, so the order is kept. One attempt: the peer violated a limit and may not read.
    func sendRaw(_ response: Response?, on connection: Connection) {
        // Under TLS only libmicrohttpd can write, so the connection closes without a response.
        guard let response, !daemons.isEncrypted else { return }
        let complete = connection.exchange?.withCommonHeaders(response) ?? response
        SocketWriter.send(complete.wireBytes(), on: connection.descriptor)
        connection.leaveUnread()
    }

    /// The client closed its side, or the connection broke.
    func hungUp(_ connection: Connection) {
        connection.reportedHangUp()
        if let exchange = connection.exchange, exchange.onHangUp != nil { abandon(exchange) }
    }

    // MARK: - Requests that were not received by HTTP

    /// Passes such a request to the handler.
    func handle(_ exchange: Exchange) {
        detached[exchange.id.rawValue] = exchange
        // So that the loop calls the handler's `turnEnded`, as after requests by HTTP.
        turns.handlerCalled()
        handler?.handle(exchange)
    }

    /// Sends its response.
    func respondDetached(_ exchange: Exchange, _ response: Response) {
        guard detached.removeValue(forKey: exchange.id.rawValue) != nil else { return }
        exchange.phase = .ended
        handler?.finished(exchange, status: response.status)
        exchange.detached?.onResponse(exchange.withCommonHeaders(response.joined))
    }

    /// Responds with a stream whose client is in this process; nil if the request does not support one.
    func openDetached(_ exchange: Exchange, _ opening: DetachedStream.Opening) -> DetachedStream? {
        guard let open = exchange.detached?.openStream, detached.removeValue(forKey: exchange.id.rawValue) != nil else {
            return nil
        }
        exchange.phase = .streaming
        handler?.finished(exchange, status: opening.status)
        return open(opening)
    }

    /// Its client has hung up. False if the request is not pending or not watched.
    func hangUpDetached(_ id: ExchangeID) -> Bool {
        guard let exchange = detached[id.rawValue], let onHangUp = exchange.onHangUp else { return false }
        detached[id.rawValue] = nil
        exchange.phase = .ended
        handler?.finished(exchange, status: nil)
        onHangUp()
        return true
    }

    /// The response to a body that is complete already and too large; nil if it may be handled.
    func refusalOfSize(_ exchange: Exchange) -> Response? { largeBodies.refusalOfSize(exchange, handler) }

    // MARK: - Stop

    /// Ends all exchanges that wait for a response or for more of their request.
    func refusePending() {
        for connection in connections.all {
            guard let exchange = connection.exchange else { continue }
            switch exchange.phase {
            case .suspended, .waiting:
                if let response = refuse(.shuttingDown, exchange) { respond(response, to: exchange) } else { abandon(exchange) }
            case .head, .receiving:
                connection.cut()
            case .streaming:
                exchange.stream?.abort()
            case .handling, .responded, .ended:
                break
            }
        }
        turns.requestRun()
    }

    /// Ends all exchanges without a response, and starts none from now on.
    func end() {
        hasEnded = true
        for connection in connections.all { abandonExchange(of: connection) }
        detached = [:]
    }

    /// Ends a suspended exchange or a stream of a connection.
    func abandonExchange(of connection: Connection) {
        if let exchange = connection.exchange { abandon(exchange) }
        connection.exchange?.stream?.abort()
    }

    /// Releases the handler: it retains its loop.
    func releaseHandler() { handler = nil }
}

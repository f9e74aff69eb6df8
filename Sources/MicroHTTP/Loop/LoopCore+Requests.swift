internal import CMicroHTTPD
internal import CMicroHTTPDShims
internal import Logging

/// The steps of a request: request line, head, body, handler, response, completion.
extension LoopCore {
    func requestLine(_ target: RequestTarget, _ connection: Connection) -> Exchange {
        openExchanges += 1
        let exchange = Exchange(
            id: ExchangeID(slot: connection.slot, serial: turns.nextSerial()), connection: connection, target: target)
        connection.began(exchange)
        connection.setLowPriority(false)
        connections.endIdle(connection)
        let earliest = max(connections.deadline(of: connection), connection.idleDeadline)
        let deadline = min(earliest, turns.now + times.request)
        connections.setDeadline(deadline, of: connection)
        if let refusal = unparsedRefusal(target) { refuseUnparsed(exchange, refusal) }
        return exchange
    }

    /// The reason to refuse a target before libmicrohttpd parses its query, which would exhaust the connection's memory: after that it
    /// sends no response. Nil if the target may be parsed.
    private func unparsedRefusal(_ target: RequestTarget) -> RequestRefusal? {
        if target.parameterCount > limits.queryParameters { return .tooManyParameters(limit: limits.queryParameters) }
        // Under TLS only libmicrohttpd can write.
        let memory = target.byteCount + HTTPLimits.recordBytes * target.parameterCount
        guard !daemons.isEncrypted, memory > limits.requestMemoryBytes else { return nil }
        if target.byteCount > limits.headerBytes { return .targetTooLong(limit: limits.headerBytes) }
        // With the shortest method, the version, two spaces, the line break, and the empty line.
        return target.byteCount + 15 > limits.headerBytes ? .headTooLarge(limit: limits.headerBytes) : .tooManyFields
    }

    /// Ends a request before libmicrohttpd parses its query.
    private func refuseUnparsed(_ exchange: Exchange, _ refusal: RequestRefusal) {
        sendRaw(refuse(refusal, exchange), on: exchange.connection)
        exchange.phase = .responded
        exchange.connection.cut()
    }

    /// The first call for a request: its head is complete. False closes the connection.
    func head(of exchange: Exchange, method: String, isVersion10: Bool) -> Bool {
        // Once the loop has ended there is no handler to respond.
        guard stopping != .finished, exchange.phase == .head else { return false }
        exchange.method = HTTPMethod(rawValue: method)
        exchange.isVersion10 = isVersion10
        let connection = exchange.connection
        // A connection that was evicted may have sent a request meanwhile: it is not started.
        guard admission.receivedHead(connection) else { return false }
        if let admissionRefusal = connection.admissionRefusal { return end(exchange, with: admissionRefusal) }
        if let fault = connection.scannedFault { return end(exchange, with: .malformed(fault)) }
        let validator = HeadValidator(connection)
        let lacksMemory = validator.memoryBytes(of: exchange) > limits.requestMemoryBytes
        let refusal =
            validator.refusal(exchange, isVersion10: isVersion10, limits: limits)
            ?? (lacksMemory ? RequestRefusal.tooManyFields : nil)
        if let refusal { return end(exchange, with: refusal, lacksMemory: lacksMemory) }
        connections.setDeadline(turns.now + times.request, of: connection)
        if let length = validator.contentLength, length > limits.bodyBytes,
            let refusal = admitLargeBody(exchange, bytes: length)
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
        if exchange.body.count + bytes.count > limits.bodyBytes, let refusal = makeRoom(for: bytes.count, of: exchange) {
            exchange.body = []
            return end(exchange, with: refusal)
        }
        unsafe exchange.body.append(contentsOf: bytes)
        return true
    }

    /// A later call without bytes: the request is complete.
    func bodyEnded(_ exchange: Exchange) -> Bool {
        // Once the loop has ended there is no handler to respond, and no connection may be suspended.
        guard stopping != .finished else { return false }
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
                // Not suspended yet: suspending and resuming cost at least two system calls, and under load the response is often
                // available at the start of the next turn. Until then libmicrohttpd only calls back again.
                exchange.phase = .waiting
                exchange.handledTurn = turns.number
                turns.requestRun()
            }
            return exchange.phase != .ended
        case .waiting:
            if exchange.handledTurn != turns.number { suspend(exchange) }
            return true
        case .ended, .head:
            return false
        case .handling, .suspended, .responded, .streaming:
            return true
        }
    }

    private func suspend(_ exchange: Exchange) {
        exchange.phase = .suspended
        suspendedExchanges += 1
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
            let encoded = response.encoded(closes: closes, with: exchange.commonHeaders)
            return encoded?.queue(status: response.status, on: exchange.connection) ?? false
        }
    }

    private func recordSize(_ response: Response, of exchange: Exchange) {
        let bytes = response.bodyCount
        if bytes >= LoopCore.leastPendingBytes { (exchange.pendingBytes, exchange.respondedAt) = (bytes, turns.now) }
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
        loop.checkThread()
        let wasSuspended = exchange.phase == .suspended
        guard wasSuspended || exchange.phase == .handling || exchange.phase == .waiting else {
            logger.warning(
                "response ignored: the exchange already has one or has ended", metadata: ["path": "\(exchange.path)"])
            return
        }
        let isQueued = queue(closesAfterResponse)
        if !isQueued { logger.error("libmicrohttpd did not accept the response", metadata: ["path": "\(exchange.path)"]) }
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
        suspendedExchanges -= 1
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
        if exchange.phase == .suspended { suspendedExchanges -= 1 }
        let endsUnanswered = exchange.phase == .waiting || exchange.phase == .suspended
        let onHangUp = endsUnanswered ? exchange.onHangUp : nil
        exchange.phase = .ended
        if endsUnanswered { handler?.finished(exchange, status: nil) }
        exchange.onHangUp = nil
        if exchange.largeBody != nil { releaseLargeBody(exchange) }
        exchange.stream?.connectionEnded()
        exchange.stream = nil
        openExchanges -= 1
        let connection = exchange.connection
        switch connection.exchangeEnded() {
        case .becomeIdle: connections.beginIdle(connection)
        case .none: break
        }
        onHangUp?()
    }
}

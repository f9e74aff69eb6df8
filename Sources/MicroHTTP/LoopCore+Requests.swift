internal import CMicroHTTPD
internal import Logging

/// A request's way: line, head, body, handler, answer, end.
extension LoopCore {
    func requestLine(_ target: RequestTarget, _ connection: Connection) -> Exchange {
        lastSerial += 1
        openExchanges += 1
        let exchange = Exchange(
            id: ExchangeID(slot: connection.slot, serial: lastSerial), connection: connection, target: target)
        connection.exchange = exchange
        connection.requestCount += 1
        table.endIdle(connection.slot)
        let earliest = max(table.deadline(slot: connection.slot), connection.idleUntil)
        let deadline = min(earliest, now + limits.requestMilliseconds)
        table.setDeadline(deadline, slot: connection.slot)
        if target.parameterCount > limits.queryParameters { refuseUnparsed(exchange) }
        return exchange
    }

    /// Ends a request before libmicrohttpd parses its query, which it has no memory for.
    private func refuseUnparsed(_ exchange: Exchange) {
        sendRaw(refuse(.tooManyParameters(limit: limits.queryParameters), exchange), on: exchange.connection)
        exchange.phase = .answered
        exchange.connection.cut()
    }

    /// The first call for a request: its head is complete. False closes the connection.
    func head(of exchange: Exchange, method: String, isVersion10: Bool) -> Bool {
        // Once the loop has ended nobody would answer.
        guard stopping != .finished, exchange.phase == .head else { return false }
        exchange.method = HTTPMethod(rawValue: method)
        exchange.isVersion10 = isVersion10
        let connection = exchange.connection
        // A connection that is being closed may have sent a request meanwhile: it is not begun.
        guard !connection.isReleased else { return false }
        if connection.isSilent { spoke(connection) }
        if let surplus = connection.surplus { return end(exchange, with: surplus) }
        if let fault = connection.scannedFault { return end(exchange, with: .malformed(fault)) }
        let gate = RequestGate(connection)
        if let refusal = gate.refusal(exchange, isVersion10: isVersion10, limits: limits) {
            return end(exchange, with: refusal)
        }
        // An answer given in this call would close the connection: the next call is the earliest.
        exchange.phase = .receiving
        table.setDeadline(now + limits.requestMilliseconds, slot: connection.slot)
        return true
    }

    @unsafe
    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: Exchange) -> Bool {
        guard exchange.phase == .receiving else { return exchange.phase != .gone }
        if let fault = exchange.connection.scannedFault { return end(exchange, with: .malformed(fault)) }
        guard exchange.body.count + bytes.count <= limits.bodyBytes else {
            exchange.body = []
            return end(exchange, with: .bodyTooLarge(limit: limits.bodyBytes))
        }
        unsafe exchange.body.append(contentsOf: bytes)
        return true
    }

    /// A later call without bytes: the request is complete.
    func bodyEnded(_ exchange: Exchange) -> Bool {
        // Once the loop has ended nobody would answer, and nothing may be suspended any more.
        guard stopping != .finished else { return false }
        switch exchange.phase {
        case .receiving:
            if let fault = exchange.connection.scannedFault { return end(exchange, with: .malformed(fault)) }
            table.setDeadline(ConnectionTable.never, slot: exchange.connection.slot)
            exchange.phase = .handling
            hasHandled = true
            handler?.handle(exchange)
            if exchange.phase == .handling {
                // Not suspended yet: that and the resuming cost two system calls and more, and under load the answer is
                // often there at the start of the next turn. Until then libmicrohttpd only asks once more.
                exchange.phase = .waiting
                needsRun = true
            }
            return exchange.phase != .gone
        case .waiting:
            hold(exchange)
            return true
        case .gone, .head:
            return false
        case .handling, .held, .answered, .streaming:
            return true
        }
    }

    private func hold(_ exchange: Exchange) {
        exchange.phase = .held
        heldExchanges += 1
        // Safe: a connection is suspended inside its own callback, on the loop's thread.
        unsafe MHD_suspend_connection(exchange.connection.handle)
        if exchange.onHangUp != nil { watch(exchange.connection) }
    }

    func respond(_ response: Response, to exchange: Exchange) {
        note(response, of: exchange)
        answer(exchange, status: response.status) { closes in
            EncodedResponse.queue(response, closes: closes, on: exchange.connection)
        }
    }

    func respond(_ response: SharedResponse, to exchange: Exchange) {
        note(response.response, of: exchange)
        answer(exchange, status: response.status) { closes in
            response.encoded(closes: closes)?.queue(status: response.status, on: exchange.connection) ?? false
        }
    }

    private func note(_ response: Response, of exchange: Exchange) {
        let bytes = response.bodyCount
        if bytes >= LoopCore.leastHeldBytes { (exchange.heldBytes, exchange.answeredAt) = (bytes, now) }
    }

    /// Answers with a stream; false where the exchange takes no answer any more, and the stream never begins.
    func respond(
        _ stream: any LoopStream, status: Int, to exchange: Exchange, queue: (_ closes: Bool) -> Bool
    ) -> Bool {
        guard exchange.detached == nil else { return false }
        exchange.stream = stream
        answer(exchange, status: status, queue: queue)
        guard exchange.phase == .answered else {
            exchange.stream = nil
            return false
        }
        exchange.phase = .streaming
        return true
    }

    private func answer(_ exchange: Exchange, status: Int, queue: (_ closes: Bool) -> Bool) {
        loop.checkThread()
        let wasHeld = exchange.phase == .held
        guard wasHeld || exchange.phase == .handling || exchange.phase == .waiting else {
            logger.warning("an answer is ignored: the exchange has one, or is gone", metadata: ["path": "\(exchange.path)"])
            return
        }
        let isQueued = queue(isQuiesced || endsConnections)
        if !isQueued { logger.error("libmicrohttpd takes no answer", metadata: ["path": "\(exchange.path)"]) }
        if wasHeld { resume(exchange) }
        needsRun = true
        exchange.phase = isQueued ? .answered : .gone
        handler?.finished(exchange, status: isQueued ? status : nil)
        // A client that does not take its answer is let go; a stream has deadlines of its own once it has begun.
        let allowed = exchange.stream == nil ? limits.answerMilliseconds : limits.idleMilliseconds
        table.setDeadline(now + allowed, slot: exchange.connection.slot)
    }

    private func resume(_ exchange: Exchange) {
        exchange.onHangUp = nil
        heldExchanges -= 1
        needsRun = true
        // Safe: suspended by `hold`, on this thread, and resumed once since the phase changes with it.
        unsafe MHD_resume_connection(exchange.connection.handle)
    }

    /// Ends a held exchange without an answer: its next call closes the connection.
    func abandon(_ exchange: Exchange) {
        guard exchange.phase == .held else { return }
        resume(exchange)
        exchange.phase = .gone
        handler?.finished(exchange, status: nil)
        exchange.connection.cut()
    }

    /// What the handler makes of an error found here.
    func refuse(_ refusal: RequestRefusal, _ exchange: Exchange?) -> Response? {
        handler?.refuse(refusal, exchange)
    }

    /// Refuses before the request was read to its end. False closes the connection.
    private func end(_ exchange: Exchange, with refusal: RequestRefusal) -> Bool {
        guard let response = refuse(refusal, exchange) else { return false }
        let connection = exchange.connection
        exchange.phase = .answered
        table.setDeadline(now + limits.requestMilliseconds, slot: connection.slot)
        connection.lingers = true
        if EncodedResponse.queue(response, closes: true, on: connection) { return true }
        // Between the head and the end of the body libmicrohttpd takes no answer.
        sendRaw(response, on: connection)
        return false
    }

    /// The answer was sent, or the connection ended before.
    func completed(_ exchange: Exchange) {
        if exchange.phase == .held { heldExchanges -= 1 }
        let endsUnanswered = exchange.phase == .waiting || exchange.phase == .held
        exchange.phase = .gone
        if endsUnanswered { handler?.finished(exchange, status: nil) }
        exchange.onHangUp = nil
        exchange.stream?.connectionEnded()
        exchange.stream = nil
        openExchanges -= 1
        let connection = exchange.connection
        connection.exchange = nil
        guard !connection.lingers, !connection.isReleased else { return }
        table.beginIdle(connection.slot)
        // What was written may still be the kernel's: looked at when an answer has to be taken.
        connection.idleUntil = now + limits.idleMilliseconds
        table.setDeadline(min(connection.idleUntil, now + limits.answerMilliseconds), slot: connection.slot)
    }
}

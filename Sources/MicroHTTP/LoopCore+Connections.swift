/// Connections running out of time, and hanging up.
extension LoopCore {
    func deadlinePassed(_ connection: Connection) {
        if let stream = connection.exchange?.stream {
            stream.deadlinePassed()
            return
        }
        if connection.exchange == nil, connection.idleUntil > now, !connection.hasUnsent {
            table.setDeadline(connection.idleUntil, slot: connection.slot)
            return
        }
        // With a body half read there is an exchange to answer; a late head has none, and silence is no request.
        if let exchange = connection.exchange, exchange.phase == .receiving {
            let refusal = RequestRefusal.bodyLate(seconds: limits.requestSeconds)
            sendRaw(refuse(refusal, exchange), on: connection)
            exchange.phase = .answered
        } else if !connection.lingers, connection.hasUnsent {
            connection.forgetUnsent()
        }
        connection.cut()
        needsRun = true
    }

    /// For an answer that libmicrohttpd would not send, since the request was not read to its end: nothing of another
    /// answer can be on its way then, so the bytes go out in order. One attempt: the peer is at fault and may not read.
    func sendRaw(_ response: Response?, on connection: Connection) {
        // Under TLS only libmicrohttpd could say it, and it does not: the connection ends without a word.
        guard let response, !isEncrypted else { return }
        SocketWriter.send(response.wireBytes(), on: connection.descriptor)
        connection.lingers = true
    }

    /// The client closed its side, or the connection broke.
    func hungUp(_ connection: Connection) {
        connection.hasHungUp = true
        guard let exchange = connection.exchange, exchange.phase == .held, let onHangUp = exchange.onHangUp else { return }
        abandon(exchange)
        onHangUp()
    }

    /// Has a held exchange end when its client hangs up.
    ///
    /// The descriptor stays in the poller for the polls that follow on the same connection: adding and removing it each time would
    /// cost as much as reading the request. It is announced once, so it is remembered for whoever asks later.
    func watch(_ connection: Connection) {
        guard !connection.isWatched else {
            guard connection.hasHungUp else { return }
            // Not now: whoever asks is about to be held.
            _ = timers.schedule(due: now) { [unowned self] in hungUp(connection) }
            return
        }
        connection.isWatched = poller.watch(
            connection.descriptor, Poller.hangUpBits | Poller.onceBits, token: connection.watchToken)
    }

    /// Before the descriptor is a stream's, or closed: a copy of it may stay open.
    func unwatch(_ connection: Connection) {
        guard connection.isWatched else { return }
        connection.isWatched = false
        poller.unwatch(connection.descriptor)
    }
}

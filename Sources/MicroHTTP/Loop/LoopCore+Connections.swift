internal import Glibc

/// Expired deadlines of connections, and clients that hang up.
extension LoopCore {
    func deadlinePassed(_ connection: Connection) {
        if let stream = connection.exchange?.stream {
            stream.deadlinePassed()
            return
        }
        if connection.exchange == nil, connection.idleDeadline > now, !connection.hasUnsent {
            table.setDeadline(connection.idleDeadline, slot: connection.slot)
            return
        }
        // With a partial body there is an exchange to respond to; with a partial head, or without a request, there is none.
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
                return table.setDeadline(now + LingeringSockets.silentMilliseconds, slot: connection.slot)
            }
        } else if !connection.lingers, connection.hasUnsent {
            connection.discardUnsentOnClose()
        }
        connection.cut()
        needsRun = true
    }

    /// Writes a response directly to the socket, because libmicrohttpd does not send one before the request is read completely. No
    /// other response can be in flight then, so the order is kept. One attempt: the peer violated a limit and may not read.
    func sendRaw(_ response: Response?, on connection: Connection) {
        // Under TLS only libmicrohttpd can write, so the connection closes without a response.
        guard let response, !isEncrypted else { return }
        let complete = connection.exchange?.withCommonHeaders(response) ?? response
        SocketWriter.send(complete.wireBytes(), on: connection.descriptor)
        connection.lingers = true
    }

    /// The client closed its side, or the connection broke.
    func hungUp(_ connection: Connection) {
        connection.hasHungUp = true
        if let exchange = connection.exchange, exchange.onHangUp != nil { abandon(exchange) }
    }

    /// Watches the descriptor, so that a suspended exchange ends when its client hangs up.
    ///
    /// The descriptor stays in the poller for later long polls on the same connection: adding and removing it each time would cost
    /// as much as reading the request. The poller reports a hang-up once, so `hasHungUp` records it for later exchanges.
    func watch(_ connection: Connection) {
        guard !connection.isWatched else {
            guard connection.hasHungUp else { return }
            // Deferred: the exchange is about to be suspended.
            _ = timers.schedule(due: now) { [unowned self] in hungUp(connection) }
            return
        }
        connection.isWatched = poller.watch(
            connection.descriptor, Poller.hangUpBits | Poller.onceBits, token: connection.watchToken)
    }

    /// Ends a connection that a stream has taken over.
    ///
    /// - Parameter isReusable: whether the client may send another request on it, which libmicrohttpd serves.
    func end(_ connection: Connection, isReusable: Bool) {
        guard connection.isTakenOver, table[connection.slot] === connection else { return }
        let (descriptor, isEvicted) = (connection.descriptor, connection.isReleased)
        poller.unwatch(descriptor)
        connection.exchange.map(completed)
        closed(connection)
        if isReusable, !isEvicted, !closesConnections, let daemon {
            add(descriptor, to: daemon)
        } else {
            _ = close(descriptor)
        }
    }

    /// Called before a stream takes the descriptor over or it is closed: a duplicate of it may stay open.
    func unwatch(_ connection: Connection) {
        guard connection.isWatched else { return }
        connection.isWatched = false
        poller.unwatch(connection.descriptor)
    }
}

internal import Glibc

/// Expired deadlines of connections, and clients that hang up.
extension LoopCore {
    func deadlinePassed(_ connection: Connection) {
        if let stream = connection.exchange?.stream {
            stream.deadlinePassed()
            return
        }
        if connection.exchange == nil, connection.idleDeadline > turns.now, !connection.hasUnsent {
            connections.setDeadline(connection.idleDeadline, of: connection)
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

    /// Ends a connection that a stream has taken over.
    ///
    /// - Parameter isReusable: whether the client may send another request on it, which libmicrohttpd serves.
    func end(_ connection: Connection, isReusable: Bool) {
        guard connection.isTakenOver, connections[connection.slot] === connection else { return }
        let (descriptor, isEvicted) = (connection.descriptor, connection.isReleased)
        poller.unwatch(descriptor)
        connection.exchange.map(completed)
        admission.closed(connection)
        guard isReusable, !isEvicted, !closesAfterResponse, daemons.add(descriptor) else {
            _ = close(descriptor)
            return
        }
        // As if libmicrohttpd had answered a request on it.
        guard let returned = connections.reading(descriptor) else { return }
        _ = admission.receivedHead(returned)
        connections.beginIdle(returned)
    }
}

internal import CMicroHTTPD
internal import CMicroHTTPDShims
internal import WebSocketFrames

extension Exchange {
    /// Responds 101, after which the connection is a WebSocket. Bytes sent before the 101 has been written are buffered.
    ///
    /// - Parameter subprotocol: one of the offered subprotocols, or nil for none.
    /// - Returns: nil if the exchange already has a response, has ended, or is encrypted. Under TLS libmicrohttpd would relay the
    ///   traffic of an upgraded connection in small pieces.
    package func upgrade(
        _ handshake: WebSocketHandshake, subprotocol: String? = nil, headers: [(name: String, value: String)] = [],
        options: WebSocketConnection.Options = .init()
    ) -> (any MessageSocket)? {
        guard !isEncrypted else { return nil }
        if detached != nil {
            return connection.core.exchanges.openDetached(
                self,
                DetachedStream.Opening(
                    status: 101, headers: headers, webSocket: options.session, outgoingLimit: options.outgoing.bytes,
                    overflow: options.overflow))
        }
        let socket = WebSocketConnection(self, options: options)
        var all = headers
        all.append(("Upgrade", "websocket"))
        all.append(("Sec-WebSocket-Accept", handshake.accept))
        if let subprotocol { all.append(("Sec-WebSocket-Protocol", subprotocol)) }
        let isTaken = connection.core.exchanges.respond(socket, status: 101, to: self) { _ in
            EncodedResponse.queueUpgrade(headers: all, on: connection)
        }
        return isTaken ? socket : nil
    }
}

extension EncodedResponse {
    fileprivate static func queueUpgrade(headers: [(name: String, value: String)], on connection: Connection) -> Bool {
        // SAFETY: the table is never freed; names and values are copied; libmicrohttpd keeps a reference of its own.
        guard let handle = unsafe micro_response_upgrading(DaemonCallbacks.table) else { return false }
        defer { unsafe MHD_destroy_response(handle) }
        for header in headers {
            let isTaken = unsafe micro_response_add_header(handle, header.name, header.value) != 0
            if !isTaken { return false }
        }
        return unsafe micro_queue(connection.handle, 101, handle) != 0
    }
}

internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions
internal import WebSocketFrames

/// A room's events over a WebSocket.
enum RoomSocket {
    static let subprotocol = "auction-room.v1"

    static func open(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        let items = try context.query("after", "ticket")
        let exchange = context.exchange
        guard !exchange.isEncrypted else { throw .socketNeedsProxy }
        try checkOrigin(exchange, context.loop.shared.origins.pages)
        let handshake = try checkHandshake(exchange)
        guard let after = try context.cursor(items, in: visible) else { return .later }
        try context.checkStreamCapacity()
        let (loop, room, place) = (context.loop, visible.committed, context.streamPlace(of: visible.viewer))
        guard try context.beginWatching(room) else { return .later }
        let isWithinBudget = (try? loop.shared.limits.streams.enter(place)) != nil
        let socket = exchange.upgrade(
            handshake, subprotocol: handshake.offered.first { $0 == subprotocol },
            headers: [("X-Request-Id", context.requestID)], options: loop.subscribers.settings.webSocket)
        guard isWithinBudget, let socket else {
            room.endWatching()
            if isWithinBudget { loop.shared.limits.streams.leave(place) }
            // Web pages cannot read the status of a failed handshake, but they can read a close code.
            socket?.close(.tooMany)
            return .later
        }
        let commands = SocketCommands(socket, of: visible.viewer, as: place.holder, context)
        socket.onMessage = { commands.received($0) }
        loop.subscribers.subscribe(socket, .webSocket, to: visible, after: after, at: place, commands)
        return .later
    }

    private static func checkHandshake(_ exchange: Exchange) throws(Problem) -> WebSocketHandshake {
        do throws(WebSocketHandshake.Failure) {
            return try WebSocketHandshake(exchange)
        } catch {
            var problem =
                error.refusal.status == 426
                ? Problem(
                    .upgradeRequired, code: "request.upgrade_required",
                    LocalizedText(error.refusal.detail, "请以 WebSocket 协议(版本 13)连接。"))
                : .malformed(error.refusal.detail, "WebSocket 握手请求格式有误。")
            problem.headers = error.headers.map { ResponseHeader(name: $0.name, value: $0.value) }
            throw problem
        }
    }

    /// Refuses origins that are neither this server's own nor allowed by the operator: a browser would let any page connect with its
    /// visitor's identity. Clients other than browsers send no Origin.
    private static func checkOrigin(_ exchange: Exchange, _ allowed: CrossOrigin) throws(Problem) {
        guard let origin = exchange.header("Origin"), !allowed.allowsSocket(of: origin, exchange) else { return }
        guard let host = exchange.header("Host"), isOrigin(origin.lowercased(), of: host.lowercased()) else {
            throw .socketOriginNotAllowed(origin)
        }
    }

    /// Whether a page of this origin comes from this host. Compares host and port only: the scheme is unknown here if a proxy terminates
    /// TLS. Browsers leave out the default port of the origin's scheme, while proxies may write it.
    private static func isOrigin(_ origin: String, of host: String) -> Bool {
        let parts = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty else { return false }
        let port = ["https:": ":443", "http:": ":80"][parts[0]]
        func bare(_ host: Substring) -> Substring { port.map { host.hasSuffix($0) ? host.dropLast($0.count) : host } ?? host }
        return bare(parts[2]) == bare(host[...])
    }
}

extension Problem {
    fileprivate static let socketNeedsProxy = Problem(
        .notImplemented, code: "request.socket_over_tls",
        LocalizedText(
            "WebSockets over this server's own TLS are not served: follow the room by server-sent events or long-poll, or connect "
                + "through a proxy that ends TLS.",
            "本服务器自带的 TLS 不支持 WebSocket:请使用 SSE 或长轮询,或通过终止 TLS 的反向代理连接。"))
}

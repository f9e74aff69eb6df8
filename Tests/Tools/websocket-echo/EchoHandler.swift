internal import MicroHTTP
internal import WebSocketFrames

/// Upgrades every request on any path, and echoes each message.
final class EchoHandler: ExchangeHandler {
    private var sockets: [ObjectIdentifier: any MessageSocket] = [:]

    func handle(_ exchange: Exchange) {
        do throws(WebSocketHandshake.Failure) {
            var options = WebSocketConnection.Options()
            options.session.messageLimit = 16 << 20
            options.outgoing.bytes = 64 << 20
            guard let socket = exchange.upgrade(try WebSocketHandshake(exchange), options: options) else { return }
            let id = ObjectIdentifier(socket)
            sockets[id] = socket
            socket.onMessage = { [unowned socket] message in socket.send(message) }
            socket.onEnd = { [unowned self] in sockets[id] = nil }
        } catch {
            var response = refuse(error.refusal, exchange)
            response.headers += error.headers
            exchange.respond(response)
        }
    }

    func refuse(_ refusal: RequestRefusal, _ exchange: Exchange?) -> Response {
        Response(status: refusal.status, contentType: "text/plain", text: refusal.detail)
    }

    func drain() {
        for socket in Array(sockets.values) { socket.close(CloseStatus(.goingAway)) }
    }
}

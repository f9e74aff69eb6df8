internal import ExactJSON
internal import MicroHTTP
internal import Permissions
internal import WebSocketFrames

/// Commands by WebSocket: where they will be read. So far every frame is answered with a problem that says where commands go.
enum SocketCommands {
    static func received(_ message: Message, on socket: WebSocketConnection) {
        guard message.kind == .text else {
            socket.close(CloseStatus(.policyViolation, "Frames are text."))
            return
        }
        let problem = Problem(
            .malformedRequest, code: "request.malformed",
            LocalizedText("Commands go by HTTP; this WebSocket only carries events.", "命令请通过 HTTP 发送。"))
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("ack", String?.none)
            json.name("problem")
            json.raw(problem.json(ProblemSurroundings()))
        }
        socket.send(SharedBytes(ServerFrame.text(json.bytes)))
    }
}

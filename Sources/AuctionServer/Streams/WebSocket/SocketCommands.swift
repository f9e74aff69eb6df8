internal import AuctionDomain
internal import AuctionService
internal import ExactJSON
internal import MicroHTTP
internal import Permissions
internal import WebSocketFrames

/// The commands of one WebSocket. Each frame is handled as the equivalent HTTP request with the socket's token, and its response is
/// sent in a frame, so that routes, checks, limits and problems are the same as for HTTP.
final class SocketCommands {
    private unowned let handler: LoopHandler
    private unowned let socket: any MessageSocket
    /// `/v1/rooms/room_…`
    private let room: String
    private let roomID: RoomID?
    private let headers: [(name: String, value: String)]
    private let language: Language
    private let requester: Requester
    private(set) var inFlight = 0
    /// Status to close with once no command is in flight; nil: stay open.
    private var pendingClose: CloseStatus?
    /// Frames that were refused one after the other because their sender has sent too many malformed ones.
    private var refusedFrames = 0

    init(
        _ socket: any MessageSocket, of viewer: Caller?, as requester: Requester, _ context: RequestContext
    ) {
        self.socket = socket
        handler = context.loop
        self.requester = requester
        room = String(context.exchange.path.dropLast("/socket".utf8.count))
        roomID = RoomID(context.parameters[0])
        language = context.language
        // Also if the socket was opened with a ticket.
        let authorization = viewer.map { [("Authorization", "Bearer \($0.token)")] } ?? []
        // The address that bounds count for is that of the client, not of the proxy.
        let forwarded = handler.shared.origins.isProxied(context.exchange) ? ["Forwarded", "X-Forwarded-For"] : []
        headers =
            authorization + (context.exchange.header("Accept-Language").map { [("Accept-Language", $0)] } ?? [])
            + forwarded.flatMap { name in context.exchange.headers(name).map { (name, $0) } }
    }

    func received(_ message: WebSocketFrames.Message) {
        guard message.kind == .text else {
            socket.close(CloseStatus(.policyViolation, "Frames are text."))
            return
        }
        // More of a flood, while commands in flight are still to be acknowledged.
        guard refusedFrames < Self.refusedFrameLimit else { return }
        var id: String?
        var frame: CommandFrame?
        let now = handler.shared.clock.now()
        do throws(Problem) {
            let command = try read(message.bytes, as: &frame, id: &id, at: now.monotonic)
            refusedFrames = 0
            let most = handler.subscribers.settings.options.pendingCommands
            guard inFlight < most, pendingClose == nil else { throw Problem(.overloaded) }
            execute(command, bytes: message.bytes.count)
        } catch {
            if error.status == 400 { handler.countMalformed(by: requester, bytes: message.bytes.count, at: now.monotonic) }
            let context = ProblemContext(
                language: language, instance: frame.map { room + $0.tail },
                receipt: frame?.isBid == true ? receipt(at: now.wall) : nil)
            acknowledge(id, .problem(error.json(context)))
            if error.status == 429 { countRefusal() }
        }
    }

    /// A refusal costs as much as the malformed frame itself, so a sender that does not heed several is disconnected.
    private func countRefusal() {
        refusedFrames += 1
        if refusedFrames == Self.refusedFrameLimit { close(.tooManyMalformed) }
    }

    /// `refusedFrames` with which the socket is closed.
    static let refusedFrameLimit = 16

    /// Frames up to this size are parsed even if the sender has sent too many malformed ones, so that the refusal has the frame's id.
    private static let smallFrame = 1024

    /// - Parameters:
    ///   - frame: Set once the bytes are a frame, even if it is refused.
    ///   - id: Set as soon as it is parsed.
    private func read(
        _ bytes: [UInt8], as frame: inout CommandFrame?, id: inout String?, at monotonic: Int64
    ) throws(Problem) -> CommandFrame {
        if bytes.count > Self.smallFrame { try handler.checkMalformed(by: requester, at: monotonic) }
        let read = Result { () throws(Problem) in
            try CommandFrame(bytes, limits: handler.shared.options.limits.json, id: &id)
        }
        frame = try? read.get()
        try handler.checkMalformed(by: requester, at: monotonic)
        return try read.get()
    }

    /// The receipt of a bid that is refused before it is handled as a request.
    private func receipt(at instant: Timestamp) -> Receipt {
        let state = roomID.flatMap { handler.shared.service.rooms[$0]?.view.room }
        return Receipt(receivedAt: instant, serverTime: instant, endsAt: state?.endsAt, seq: state?.seq)
    }

    /// Closes the socket once all commands in flight have been acknowledged.
    func close(_ status: CloseStatus) {
        pendingClose = status
        if inFlight == 0 { socket.close(status) }
    }

    private func execute(_ frame: CommandFrame, bytes: Int) {
        inFlight += 1
        var all = headers
        all.append(("Content-Type", "application/json"))
        if let key = frame.key { all.append(("Idempotency-Key", key)) }
        let id = frame.id
        socket.handle(
            DetachedRequest(
                method: frame.method, path: room + frame.tail, query: frame.query, headers: all, content: frame.content
            ) { [weak self] in
                self?.commandFinished(id, $0, bytes: bytes)
            })
    }

    private func commandFinished(_ id: String, _ response: Response, bytes: Int) {
        inFlight -= 1
        // By HTTP a request without a valid token is refused before its body is read, but a frame was read before.
        if response.status == 401 {
            handler.countMalformed(by: requester, bytes: bytes, at: handler.shared.clock.now().monotonic)
        }
        let isProblem = response.status >= 400
        acknowledge(id, isProblem ? .problem(response.body) : .done(status: response.status, response.body))
        if let pendingClose, inFlight == 0 { socket.close(pendingClose) }
    }

    private enum Outcome {
        case done(status: Int, [UInt8])
        case problem([UInt8])
    }

    private func acknowledge(_ id: String?, _ outcome: Outcome) {
        var json = JSONWriter(reserving: 512)
        json.object { json in
            json.member("ack", id)
            switch outcome {
            case .problem(let problem):
                json.name("problem")
                json.raw(problem)
            case .done(let status, let body):
                json.member("status", status)
                // Adds the members of the response's object: the text between its braces.
                if let start = body.firstIndex(of: UInt8(ascii: "{")), let end = body.lastIndex(of: UInt8(ascii: "}")),
                    body[(start + 1)..<end].contains(where: { $0 > 0x20 })
                {
                    json.raw(Array(body[(start + 1)..<end]))
                }
            }
        }
        socket.send(SharedBytes(ServerFrame.text(json.bytes), in: handler.shared.responses.budget))
    }
}

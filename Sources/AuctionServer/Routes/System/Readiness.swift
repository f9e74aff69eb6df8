internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

/// Whether the server accepts commands, and the reasons if it does not.
struct Readiness {
    enum Part: String {
        /// The log accepts no events.
        case log
        /// Open rooms are being loaded after a start.
        case recovering
        /// The server is stopping, or is about to.
        case draining
    }

    let waitingFor: [Part]

    init(isLogWritable: Bool, isRecovered: Bool, isDraining: Bool) {
        var parts: [Part] = []
        if !isLogWritable { parts.append(.log) }
        if !isRecovered { parts.append(.recovering) }
        if isDraining { parts.append(.draining) }
        waitingFor = parts
    }

    init(_ loop: LoopHandler) {
        self.init(
            isLogWritable: loop.shared.service.failure == nil, isRecovered: loop.shared.service.isRecovered,
            isDraining: loop.phase != .serving)
    }

    var response: Response {
        var json = JSONWriter(reserving: 64)
        json.object { json in
            json.member("status", waitingFor.isEmpty ? "ready" : "not ready")
            guard !waitingFor.isEmpty else { return }
            json.member("waitingFor", strings: waitingFor.lazy.map(\.rawValue))
        }
        var response = Response.json(json.bytes, status: waitingFor.isEmpty ? 200 : 503)
        if !waitingFor.isEmpty { response.headers.append(("Retry-After", "1")) }
        return response
    }
}

extension Problem {
    static let starting = Problem(
        .unavailable, code: "service.unavailable",
        LocalizedText("The server is starting and loads what is open; try again.", "服务器正在启动并加载房间,请稍后重试。"))
}

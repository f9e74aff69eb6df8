internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import OutboundHTTP
internal import Synchronization

/// What an RTC service has said to a call.
enum VoiceResponse: Sendable {
    case done
    /// By identity, whether each may speak.
    case participants([String: Bool])
    /// With what the service says of it.
    case refused(String)
    case failed(String)
    case unsent
}

/// Calls the RTC service.
protocol VoiceTransport: Sendable {
    /// Calls `completion` once, on any thread.
    func send(_ call: VoiceCall, at now: Timestamp, completion: @escaping @Sendable (VoiceResponse) -> Void)

    /// Ends what is in flight, which then counts as unsent.
    func stop()
}

/// Calls LiveKit's server API: Twirp, which is JSON by POST.
final class LiveKitTransport: VoiceTransport {
    /// The answer to a call, from the first byte that is sent.
    private static let timeout = Duration.seconds(5)
    /// Bytes of a list of participants: of a hall with some ten thousand.
    static let listBytes = 16 << 20
    private static let answerBytes = 4096
    private static let path = "/twirp/livekit.RoomService/"

    private enum State {
        case idle
        case open(OutboundClient)
        case stopped
    }

    private let options: VoiceOptions
    /// There is no client, and no thread, before the first call.
    private let state = Mutex(State.idle)

    init(_ options: VoiceOptions) { self.options = options }

    func send(_ call: VoiceCall, at now: Timestamp, completion: @escaping @Sendable (VoiceResponse) -> Void) {
        var request = OutboundRequest(.post, options.server.callURL + Self.path + call.order.method, policy: .operatorsSystems)
        request.headers = [
            .init("Content-Type", "application/json"), .init("User-Agent", "auction-room/\(ServiceVersion.current)"),
            .init("Authorization", "Bearer \(LiveKitToken(options).service(call, at: now))"),
        ]
        request.body = call.body
        request.timeout = Self.timeout
        request.responseLimit = call.order == .list ? Self.listBytes : Self.answerBytes
        do throws(OutboundFailure) {
            try client().send(request) { completion(Self.response($0, to: call.order)) }
        } catch {
            completion(Self.response(.failure(error), to: call.order))
        }
    }

    private func client() throws(OutboundFailure) -> OutboundClient {
        try state.withLock { state throws(OutboundFailure) in
            switch state {
            case .open(let client): return client
            case .stopped: throw .stopped
            case .idle:
                var limits = OutboundLimits()
                limits.requests = VoiceReconciler.inFlightLimit
                limits.requestsPerHost = limits.requests
                limits.idleConnections = limits.requests
                limits.responseBytes = Self.listBytes
                let client = try OutboundClient(name: "voice out", limits: limits)
                state = .open(client)
                return client
            }
        }
    }

    func stop() {
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        if case .open(let client) = before { client.stop() }
    }

    // MARK: - Responses

    private static func response(
        _ result: Result<OutboundResponse, OutboundFailure>, to order: VoiceCall.Order
    ) -> VoiceResponse {
        switch result {
        case .success(let response): read(response.status, response.body, wasCut: response.wasCut, to: order)
        case .failure(.tooManyInFlight), .failure(.stopped), .failure(.resources): .unsent
        case .failure(let failure): .failed("\(failure)")
        }
    }

    /// What a status and a body mean, of which only the beginning may have come.
    static func read(_ status: Int, _ body: [UInt8], wasCut: Bool, to order: VoiceCall.Order) -> VoiceResponse {
        let text = "\(status) \(WebhookAnswer.shown(body))"
        switch status {
        case 200:
            guard order == .list else { return .done }
            guard !wasCut, let participants = participants(in: body) else {
                return .refused("a list of participants that cannot be read, or is too long")
            }
            return .participants(participants)
        // A path that is not LiveKit's has the code `bad_route`.
        case 404 where isNotFound(body): return order == .list ? .participants([:]) : .done
        // The key is wrong, or the server is busy or not well: that is not about this call.
        case 401, 403, 404, 408, 429, 500...: return .failed(text)
        default: return .refused(text)
        }
    }

    private static func isNotFound(_ body: [UInt8]) -> Bool {
        guard let value = try? JSONReader.read(body), case .string(let code)? = value["code"] else { return false }
        return code == "not_found"
    }

    /// The participants of a `ListParticipantsResponse`. Members that have their usual value may be missing, and each may have its name in
    /// the protocol or in JSON's form. Nil for anything else.
    static func participants(in body: [UInt8]) -> [String: Bool]? {
        guard let value = try? JSONReader.read(body, limits: .trusted(depth: 32)), case .object = value,
            case .array(let rows) = value["participants"] ?? .array([])
        else { return nil }
        var present: [String: Bool] = [:]
        for row in rows {
            guard case .string(let identity)? = row["identity"] else { continue }
            let permission = row["permission"]
            present[identity] = (permission?["can_publish"] ?? permission?["canPublish"] ?? .null) == .bool(true)
        }
        return present
    }
}

extension VoiceCall.Order {
    /// The name of LiveKit's method.
    fileprivate var method: String {
        switch self {
        case .permit: "UpdateParticipant"
        case .remove: "RemoveParticipant"
        case .deleteRoom: "DeleteRoom"
        case .list: "ListParticipants"
        }
    }
}

extension VoiceCall {
    fileprivate var body: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("room", room)
            switch order {
            case .list, .deleteRoom: break
            case .remove(let user): json.member("identity", user)
            case .permit(let user, let speaks):
                json.member("identity", user)
                json.member(
                    "permission",
                    object: { json in
                        json.member("canSubscribe", true)
                        json.member("canPublish", speaks)
                        json.member("canPublishData", false)
                        if speaks { json.member("canPublishSources", strings: ["MICROPHONE"]) }
                    })
            }
        }
        return json.bytes
    }
}

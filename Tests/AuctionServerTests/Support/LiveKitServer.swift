@testable import AuctionServer
import ExactJSON
import Synchronization
import TestSupport
import Testing

/// An RTC service on this machine that speaks the calls of LiveKit's server API.
final class LiveKitServer: Sendable {
    enum Health: Sendable {
        case well
        /// Answers with 503.
        case away
        /// Does what is called, and does not respond.
        case silent
        /// Its lists have one byte more than are read.
        case lengthy
        /// Its lists have no participants, so that a comparison finds nothing to correct.
        case unlisted
    }

    struct Call: Sendable {
        let method: String
        let authorization: String
        let body: JSONValue
    }

    private struct State {
        var rooms: [String: [String: Bool]] = [:]
        var calls: [Call] = []
        var health = Health.well
    }

    private final class Box: Sendable {
        let state = Mutex(State())
        let silence = Silence()
    }

    /// Holds threads back until it is opened.
    final class Silence: Sendable {
        private let isOpen = Mutex(false)
        func open() { isOpen.withLock { $0 = true } }
        func wait() { _ = TestSupport.eventually(seconds: 30) { isOpen.withLock { $0 } } }
    }

    private let box: Box
    private let server: ScriptedServer

    init() throws {
        let box = Box()
        self.box = box
        server = try ScriptedServer { request in
            let (response, isSilent) = box.state.withLock { state in
                (Self.respond(to: request, &state), state.health == .silent)
            }
            if isSilent { box.silence.wait() }
            return response
        }
    }

    deinit { stop() }

    func stop() {
        box.silence.open()
        server.stop()
    }

    var option: String { "livekit:ws://127.0.0.1:\(server.port)" }
    var calls: [Call] { box.state.withLock { $0.calls } }
    var health: Health {
        get { box.state.withLock { $0.health } }
        set { box.state.withLock { $0.health = newValue } }
    }

    /// Who is in a room, and whether they may speak.
    func present(in room: String) -> [String: Bool] { box.state.withLock { $0.rooms[room] ?? [:] } }

    /// A participant joins with a token.
    func join(_ token: String) throws {
        let claims = try VoiceFixture.claims(of: token)
        let room = try #require(claims["video"]?.text("room"))
        let identity = try #require(claims.text("sub"))
        let speaks = claims["video"]?["canPublish"] == .bool(true)
        box.state.withLock { $0.rooms[room, default: [:]][identity] = speaks }
    }

    /// Forgets everyone, as after a restart.
    func restartEmpty() { box.state.withLock { $0.rooms = [:] } }

    private static func respond(to request: ReceivedRequest, _ state: inout State) -> String {
        let body = (try? JSONReader.read(request.body)) ?? .null
        let method = request.target.split(separator: "/").last.map(String.init) ?? ""
        state.calls.append(Call(method: method, authorization: request.header("Authorization") ?? "", body: body))
        guard state.health != .away else { return text(503, #"{"code":"unavailable","msg":"away"}"#) }
        let (room, identity) = (body.text("room") ?? "", body.text("identity") ?? "")
        switch method {
        case "ListParticipants":
            let present = state.health == .unlisted ? [:] : state.rooms[room] ?? [:]
            let rows = present.sorted { $0.key < $1.key }.map { identity, speaks in
                // Members with their usual value are left out, as its JSON may do.
                let permission = speaks ? #"{"can_subscribe":true,"can_publish":true}"# : #"{"can_subscribe":true}"#
                return #"{"sid":"PA_x","identity":"\#(identity)","permission":\#(permission)}"#
            }
            let list = #"{"participants":[\#(rows.joined(separator: ","))]}"#
            let isLengthy = state.health == .lengthy
            return text(
                200, list + String(repeating: " ", count: isLengthy ? LiveKitTransport.listBytes + 1 - list.utf8.count : 0))
        case "UpdateParticipant", "RemoveParticipant":
            guard state.rooms[room]?[identity] != nil else {
                return text(404, #"{"code":"not_found","msg":"participant does not exist"}"#)
            }
            let speaks = body["permission"]?["canPublish"] == .bool(true)
            state.rooms[room]?[identity] = method == "RemoveParticipant" ? nil : speaks
            return text(200, "{}")
        case "DeleteRoom":
            state.rooms[room] = nil
            return text(200, "{}")
        default: return text(404, #"{"code":"bad_route","msg":"no such method"}"#)
        }
    }

    private static func text(_ status: Int, _ body: String) -> String {
        "HTTP/1.1 \(status) Some\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }
}

import Foundation

@testable import AuctionClientCore

/// A small model of the service: a room whose events are durable, keys of commands, tokens that expire, and an outage now and then.
struct SimulatedService {
    /// Events as the service sends them, the first one at index 0.
    private(set) var events: [String] = []
    /// The room after each event.
    private(set) var rooms: [SimulatedRoom] = []
    private var responses: [String: (body: [UInt8], response: String)] = [:]
    private var lastBid = 0
    /// Accepted bids by amount in minor units.
    private(set) var bids: [Int64: Int] = [:]
    /// Tokens by the time at which they expire.
    private var tokens: [String: Int64] = [:]
    private var lastToken = 0
    /// What the service's clock is ahead of the simulation's.
    var clockOffset: Int64 = 3_600_000

    var room: SimulatedRoom { rooms.last ?? SimulatedRoom() }
    var seq: Int64 { Int64(events.count) }

    // MARK: - Events

    private mutating func append(_ type: String, _ data: String, at now: Int64, _ change: (inout SimulatedRoom) -> Void) {
        var room = room
        room.seq += 1
        change(&room)
        events.append(
            #"{"seq":\#(room.seq),"type":"\#(type)","at":"\#(SimulatedRoom.time(now))","round":\#(room.round),"data":\#(data)}"#
        )
        rooms.append(room)
    }

    mutating func open(at now: Int64) {
        append(
            "room.opened",
            #"{"name":"Night market","host":\#(SimulatedRoom.person("Ann")),"currency":"CNY","visibility":"public"}"#, at: now
        ) { _ in }
    }

    /// Something happens in the room without this client.
    mutating func act(_ choice: UInt64, at now: Int64) {
        switch (room.phase, choice % 10) {
        case (_, 0):
            append("message.sent", #"{"messageId":"m\#(seq)","author":\#(SimulatedRoom.person("Di")),"text":"hello"}"#, at: now)
            { _ in }
        case (_, 1): append("weather.changed", #"{"lot":{"position":[1,2,{"deep":null}]}}"#, at: now) { _ in }
        case ("preparing", _): room.itemName == nil ? upload(at: now) : move(to: "auctioning", endsAt: now + 15000, at: now)
        case ("auctioning", 9): move(to: "closed", endsAt: nil, at: now)
        case ("auctioning", _): _ = placeBid((room.nextMinimum ?? 0) / 100 * 100 + 199, by: "Cy", at: now)
        default: move(to: "preparing", endsAt: nil, at: now)
        }
    }

    private mutating func upload(at now: Int64) {
        let name = "Teapot \(room.round)"
        let item = #"{"id":"item_\#(room.round)","name":"\#(name)","description":"","media":[],"#
        let owner = #""owner":\#(SimulatedRoom.person("Bo")),"rules":\#(SimulatedRoom.rules)}"#
        append("item.uploaded", #"{"item":\#(item + owner)}"#, at: now) {
            $0.itemName = name
            $0.nextMinimum = SimulatedRoom.start
        }
    }

    private mutating func move(to phase: String, endsAt: Int64?, at now: Int64) {
        let from = room.phase
        append("state.changed", #"{"from":"\#(from)","to":"\#(phase)","cause":"start","by":null}"#, at: now) {
            $0.phase = phase
            $0.endsAt = nil
            if phase == "closed" { $0.nextMinimum = nil }
            guard from == "closed" else { return }
            $0 = SimulatedRoom(seq: $0.seq, phase: phase, round: $0.round + 1)
        }
        guard let endsAt else { return }
        append("countdown.started", #"{"endsAt":"\#(SimulatedRoom.time(endsAt))"}"#, at: now) { $0.endsAt = endsAt }
    }

    private mutating func placeBid(_ amount: Int64, by bidder: String, at now: Int64) -> String {
        lastBid += 1
        let id = "bid_\(lastBid)"
        let data = """
            {"bidId":"\(id)","amount":\(SimulatedRoom.amount(amount)),"bidder":\(SimulatedRoom.person(bidder)),"leading":true,\
            "automatic":false,"nextMinimum":\(SimulatedRoom.amount(amount + 100)),"endsAt":"\(SimulatedRoom.time(now + 15000))",\
            "reserveMet":null}
            """
        append("bid.placed", data, at: now) {
            $0.price = amount
            $0.leader = bidder
            $0.leadingBid = id
            $0.leadingAt = now
            $0.nextMinimum = amount + 100
            $0.endsAt = now + 15000
        }
        bids[amount, default: 0] += 1
        return id
    }

    // MARK: - Tokens

    mutating func issueToken(at now: Int64, lifetime: Int64) -> String {
        lastToken += 1
        tokens["t\(lastToken)"] = now + lifetime
        return "t\(lastToken)"
    }

    func accepts(_ call: HTTPCall, at now: Int64) -> Bool {
        guard let header = call.header("Authorization"), let expiry = tokens[String(header.dropFirst(7))] else { return false }
        return now < expiry
    }

    // MARK: - Requests

    /// The response to everything but streams.
    mutating func respond(to call: HTTPCall, at time: Int64) -> HTTPResponse {
        let now = time + clockOffset
        guard accepts(call, at: time) else { return Self.problem(401, "token.expired", at: now) }
        if call.method == "POST" { return bid(call, at: now) }
        guard call.target.contains("/events") else {
            let isOver = room.endsAt.map { now >= $0 } ?? false
            let shown = room.phase == "auctioning" && isOver ? "closing" : room.phase
            return Self.response(200, room.json(serverTime: now, for: "Me", shown: shown))
        }
        let after = Self.number("after", in: call)
        guard after <= seq else { return Self.problem(400, "request.malformed", field: "after", at: now) }
        let limit = Int(Self.number("limit", in: call))
        let page = events.dropFirst(Int(after)).prefix(limit)
        let next = after + Int64(page.count)
        let body = """
            {"events":[\(page.joined(separator: ","))],"next":\(next),"more":\(next < seq),"serverTime":"\(SimulatedRoom.time(now))",\
            "presence":{"viewers":1}}
            """
        return Self.response(200, body)
    }

    private mutating func bid(_ call: HTTPCall, at now: Int64) -> HTTPResponse {
        let key = call.header("Idempotency-Key") ?? ""
        let body = call.body ?? []
        if let stored = responses[key] {
            guard stored.body == body else { return Self.problem(422, "idempotency.key_reused", at: now) }
            return Self.response(201, stored.response, [HTTPHeader("Idempotency-Replayed", "true")])
        }
        let text = (try? JSONParser.parse(body)["amount"]?.string).flatMap { $0 } ?? ""
        let amount = (try? Money(text, "CNY"))?.minorUnits ?? 0
        guard room.phase == "auctioning" else { return Self.problem(409, "bid.not_auctioning", at: now) }
        guard room.leader != "Me" else { return Self.problem(403, "bid.already_leading", at: now) }
        let minimum = room.nextMinimum ?? 0
        guard amount >= minimum else {
            return Self.problem(422, "bid.below_minimum", required: SimulatedRoom.amount(minimum), at: now)
        }
        let id = placeBid(amount, by: "Me", at: now)
        let times = #""receivedAt":"\#(SimulatedRoom.time(now))","serverTime":"\#(SimulatedRoom.time(now))""#
        let response = """
            {"bid":{"id":"\(id)","amount":\(SimulatedRoom.amount(amount)),"bidder":\(SimulatedRoom.person("Me")),"leading":true,\
            "automatic":false,"at":"\(SimulatedRoom.time(now))","seq":\(seq)},"room":\(room.shortJSON),\
            "receipt":{\(times),"endsAt":null,"seq":\(seq)}}
            """
        responses[key] = (body, response)
        return Self.response(201, response)
    }

    static func number(_ name: String, in call: HTTPCall) -> Int64 {
        guard let range = call.target.range(of: "\(name)=") else { return 0 }
        return Int64(call.target[range.upperBound...].prefix { $0.isNumber }) ?? 0
    }

    static func response(_ status: Int, _ body: String, _ headers: [HTTPHeader] = []) -> HTTPResponse {
        HTTPResponse(
            head: HTTPHead(status: status, headers: [HTTPHeader("Content-Type", "application/json")] + headers),
            body: Array(body.utf8))
    }

    static func problem(
        _ status: Int, _ code: String, field: String? = nil, required: String = "null", retryAfter: Int64? = nil, at now: Int64
    ) -> HTTPResponse {
        let body = """
            {"type":"/problems/x","title":"No","status":\(status),"code":"\(code)","detail":"No.","requestId":"req_1",\
            "field":\(field.map { "\"\($0)\"" } ?? "null"),"permission":{"action":"placeBid","rule":"\(code)","category":"state",\
            "priority":1,"required":\(required),"actual":null,"allowedActions":[]},"serverTime":"\(SimulatedRoom.time(now))"}
            """
        var headers = [HTTPHeader("Content-Type", "application/problem+json")]
        if let retryAfter { headers.append(HTTPHeader("Retry-After", String(retryAfter))) }
        return HTTPResponse(head: HTTPHead(status: status, headers: headers), body: Array(body.utf8))
    }
}

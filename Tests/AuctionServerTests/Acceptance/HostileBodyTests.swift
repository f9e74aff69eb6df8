import AuctionTestKit
import ExactJSON
import Testing

@testable import AuctionServer

/// Bodies crafted to exhaust resources or to crash the process.
struct HostileBodyTests {
    private static let numbers = [
        "1e-9223372036854775808", "1e9223372036854775807", "1e-99999999999999999999", "1e400", "-1e400", "1.5",
        "0." + String(repeating: "0", count: 40_000) + "1e9", "1" + String(repeating: "0", count: 40_000) + "e-9",
    ]

    @Test(arguments: numbers)
    func `a number in any notation gets a response and does not crash the process`(_ number: String) throws {
        let fixture = try RoomFixture()
        let bid = try fixture.server.call(
            "POST", fixture.path + "/bids", raw: #"{"amount":"1","round":\#(number)}"#, by: fixture.bidder)
        #expect(bid.status == 400)
        #expect(bid.text("field") == "round")
        let start = try fixture.server.call(
            "POST", fixture.path + "/auction/start", raw: #"{"expectedRound":\#(number)}"#, by: fixture.host)
        #expect(start.text("field") == "expectedRound")
        for name in ["biddingSeconds", "listingSeconds", "maxDurationSeconds", "extendWindowSeconds"] {
            let item = try fixture.server.call(
                "POST", fixture.path + "/items", raw: #"{"name":"a","rules":{"startingPrice":1,"\#(name)":\#(number)}}"#,
                by: fixture.owner)
            #expect(item.text("field") == "rules.\(name)")
        }
        let rule = try fixture.server.call(
            "PATCH", fixture.path + "/permission-rules/bid.viewer", raw: #"{"priority":\#(number)}"#, by: fixture.host)
        #expect(rule.text("field") == "priority")
    }

    @Test func `a frame with such a number is acknowledged with a problem`() throws {
        let fixture = try RoomFixture()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"1","round":1e-9223372036854775808}"#)
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        #expect(item?.data.int("problem.status") == 400)
        #expect(item?.data.text("problem.field") == "round")
    }

    @Test func `a signed percentage is refused`() throws {
        let fixture = try RoomFixture()
        for percent in ["-0.5", "-5", "+5", "5e0", "1e400", "-0"] {
            let body = #"{"name":"a","rules":{"startingPrice":1,"increment":{"percent":\#(percent)}}}"#
            let response = try fixture.server.call("POST", fixture.path + "/items", raw: body, by: fixture.owner)
            #expect(response.status == 400, "\(percent)")
        }
    }

    @Test func `a body beyond the limit of members, elements or values is refused with that limit`() throws {
        let server = try TestServer {
            $0.limits.jsonMembers = 100
            $0.limits.jsonValues = 500
        }
        func detail(_ body: String) throws -> String? {
            let response = try server.call("POST", "/v1/guests", raw: body)
            #expect(response.status == 400)
            return response.text("detail")
        }
        func members(_ count: Int) -> String { (0..<count).map { "\"x\($0)\":0" }.joined(separator: ",") }
        #expect(try detail("{\(members(101))}")?.contains("100 members") == true)
        #expect(try detail("{\"x\":[\(String(repeating: "0,", count: 100))0]}")?.contains("100 elements") == true)
        let wide = (0..<6).map { "\"y\($0)\":{\(members(100))}" }.joined(separator: ",")
        #expect(try detail("{\(wide)}")?.contains("500 values") == true)
        #expect(try detail("{\(members(100))}")?.contains("nickname") == true, "within the limits")
    }

    @Test func `a response quotes only a short part of the body`() throws {
        let server = try TestServer()
        let name = String(repeating: "\u{301}", count: 20_000)
        for body in [#"{"\#(name)":1}"#, #"{"\#(name)":1,"\#(name)":1}"#, #"{"\#(name)":null}"#] {
            #expect(try server.call("POST", "/v1/guests", raw: body).body.count < 2000)
        }
        let fixture = try RoomFixture(server)
        for body in [#"{"amount":"\#(name)"}"#, #"{"amount":"1.\#(String(repeating: "1", count: 20_000))"}"#] {
            #expect(try server.call("POST", fixture.path + "/bids", raw: body, by: fixture.bidder).body.count < 2000)
        }
        let role = #"{"role":"\#(name)"}"#
        #expect(try server.call("POST", fixture.path + "/members", raw: role, by: fixture.stranger).body.count < 2000)
    }

    @Test func `a caller who sends too many malformed bytes is rate-limited`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 20 })
        fixture.server.clock.advance(seconds: 10)
        try fixture.openBidding()
        for _ in 0..<100 {
            let mistaken = try fixture.server.call("POST", fixture.path + "/bids", raw: "{", by: fixture.bidder)
            #expect(mistaken.status == 400, "a client under development may send many small ones")
        }
        fixture.server.clock.advance(seconds: 1)
        let large = "{" + String(repeating: " ", count: 65_000)
        for _ in 0..<20 {
            #expect(try fixture.server.call("POST", fixture.path + "/bids", raw: large, by: fixture.bidder).status == 400)
        }
        let refused = try fixture.server.call("POST", fixture.path + "/bids", raw: "{", by: fixture.bidder)
        #expect(refused.status == 429)
        #expect(refused.code == "command.rate")
        #expect(refused.header("Retry-After") == "1")
        #expect(try fixture.bid("100", by: fixture.bidder).code == "command.rate")
        #expect(try fixture.bid("100", by: fixture.rival).status == 201, "the limit is per caller")
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        try socket.sendText("no JSON")
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        #expect(item?.data.text("problem.code") == "command.rate")
        fixture.server.clock.advance(seconds: 1)
        #expect(try fixture.bid("110", by: fixture.bidder).status == 201)
    }

    @Test func `malformed frames are rate-limited like bodies, also without a token`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 20 })
        let socket = try SocketReader(fixture, "?after=latest")
        var codes: [String: Int] = [:]
        let allowed = 20 * MalformedBodies.tokensPerCommand
        for _ in 0..<allowed + 5 { try socket.sendText("[]") }
        while codes.values.reduce(0, +) < allowed + 5, let item = try socket.next() {
            if let code = item.data.text("problem.code") { codes[code, default: 0] += 1 }
        }
        #expect(codes == ["request.malformed": allowed, "command.rate": 5])
    }

    @Test func `a socket whose frames go on after several refusals for malformed ones is closed`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 5 })
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        var codes: [String: Int] = [:]
        let (allowed, refused) = (5 * MalformedBodies.tokensPerCommand, SocketCommands.refusedFrameLimit)
        for _ in 0..<allowed + 3 * refused { try socket.sendText("[]") }
        while let item = try socket.next() {
            if let code = item.data.text("problem.code") { codes[code, default: 0] += 1 }
        }
        #expect(codes == ["request.malformed": allowed, "command.rate": refused])
        #expect(socket.closeCode == 4429)
    }

    @Test func `a frame that is heeded between refusals keeps a socket open`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 5 })
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        func codes(of frames: Int, _ text: String) throws -> Set<String> {
            for _ in 0..<frames { try socket.sendText(text) }
            var (codes, left): (Set<String>, Int) = ([], frames)
            while left > 0, let item = try socket.next() {
                guard item.data["ack"] != nil else { continue }
                left -= 1
                if let code = item.data.text("problem.code") { codes.insert(code) }
            }
            return codes
        }
        _ = try codes(of: 5 * MalformedBodies.tokensPerCommand, "[]")
        for _ in 0..<3 {
            #expect(try codes(of: SocketCommands.refusedFrameLimit - 1, #"{"id":"c1","type":"pause"}"#) == ["command.rate"])
            fixture.server.clock.advance(seconds: 1)
            let heeded = try codes(of: 1, #"{"id":"c2","type":"pause"}"#)
            #expect(heeded.count == 1 && !heeded.contains("command.rate"))
            _ = try codes(of: 5 * MalformedBodies.tokensPerCommand, "[]")
        }
        #expect(socket.closeCode == nil)
    }
}

struct ShownNameTests {
    private static let bad = [" ", "\n", "\u{200B}", "\u{202E}abc", "a\u{2066}b", "\u{2028}", "\u{3164}", "\u{E000}", "a\nb"]

    @Test(arguments: bad)
    func `an invisible name or one with bidirectional controls is refused for users, rooms and items`(_ name: String) throws {
        let fixture = try RoomFixture()
        let responses = [
            try fixture.server.call("POST", "/v1/guests", ["nickname": .string(name)]),
            try fixture.server.call("POST", "/v1/rooms", ["name": .string(name)], by: fixture.host),
            try fixture.call("POST", "/items", ["name": .string(name), "rules": ["startingPrice": "1"]], by: fixture.owner),
        ]
        for (response, field) in zip(responses, ["nickname", "name", "name"]) {
            #expect(response.status == 400)
            #expect(response.code == "request.malformed")
            #expect(response.text("field") == field)
        }
    }

    @Test(arguments: ["👩🏽‍💻", "می\u{200C}خواهم", "李雷", "Zoë"])
    func `names in any script are accepted and shown unchanged`(_ name: String) throws {
        let fixture = try RoomFixture()
        #expect(try fixture.server.guest(name).nickname == name)
        #expect(try fixture.server.call("POST", "/v1/rooms", ["name": .string(name)], by: fixture.host).text("name") == name)
    }
}

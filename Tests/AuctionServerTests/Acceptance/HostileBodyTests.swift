import AuctionTestKit
import ExactJSON
import Testing

@testable import AuctionServer

/// Bodies that are made to cost or to end something.
struct HostileBodyTests {
    private static let numbers = [
        "1e-9223372036854775808", "1e9223372036854775807", "1e-99999999999999999999", "1e400", "-1e400", "1.5",
        "0." + String(repeating: "0", count: 40_000) + "1e9", "1" + String(repeating: "0", count: 40_000) + "e-9",
    ]

    @Test(arguments: numbers)
    func `a number of any spelling is answered, and the process goes on`(_ number: String) throws {
        let scene = try Scene()
        let bid = try scene.house.call(
            "POST", scene.path + "/bids", raw: #"{"amount":"1","round":\#(number)}"#, by: scene.bidder)
        #expect(bid.status == 400)
        #expect(bid.text("field") == "round")
        let start = try scene.house.call(
            "POST", scene.path + "/auction/start", raw: #"{"expectedRound":\#(number)}"#, by: scene.host)
        #expect(start.text("field") == "expectedRound")
        for name in ["biddingSeconds", "listingSeconds", "maxDurationSeconds", "extendWindowSeconds"] {
            let item = try scene.house.call(
                "POST", scene.path + "/items", raw: #"{"name":"a","rules":{"startingPrice":1,"\#(name)":\#(number)}}"#,
                by: scene.owner)
            #expect(item.text("field") == "rules.\(name)")
        }
        let rule = try scene.house.call(
            "PATCH", scene.path + "/permission-rules/bid.viewer", raw: #"{"priority":\#(number)}"#, by: scene.host)
        #expect(rule.text("field") == "priority")
    }

    @Test func `a frame with such a number is a problem like any other`() throws {
        let scene = try Scene()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"1","round":1e-9223372036854775808}"#)
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        #expect(item?.data.int("problem.status") == 400)
        #expect(item?.data.text("problem.field") == "round")
    }

    @Test func `a percentage has no sign, not even where only its fraction is more than zero`() throws {
        let scene = try Scene()
        for percent in ["-0.5", "-5", "+5", "5e0", "1e400", "-0"] {
            let body = #"{"name":"a","rules":{"startingPrice":1,"increment":{"percent":\#(percent)}}}"#
            let answer = try scene.house.call("POST", scene.path + "/items", raw: body, by: scene.owner)
            #expect(answer.status == 400, "\(percent)")
        }
    }

    @Test func `a body has so many members, elements and values, and the answer says which bound it passed`() throws {
        let house = try House {
            $0.limits.jsonMembers = 100
            $0.limits.jsonValues = 500
        }
        func detail(_ body: String) throws -> String? {
            let answer = try house.call("POST", "/v1/guests", raw: body)
            #expect(answer.status == 400)
            return answer.text("detail")
        }
        func members(_ count: Int) -> String { (0..<count).map { "\"x\($0)\":0" }.joined(separator: ",") }
        #expect(try detail("{\(members(101))}")?.contains("100 members") == true)
        #expect(try detail("{\"x\":[\(String(repeating: "0,", count: 100))0]}")?.contains("100 elements") == true)
        let wide = (0..<6).map { "\"y\($0)\":{\(members(100))}" }.joined(separator: ",")
        #expect(try detail("{\(wide)}")?.contains("500 values") == true)
        #expect(try detail("{\(members(100))}")?.contains("nickname") == true, "not too many")
    }

    @Test func `what an answer repeats of a body is short`() throws {
        let house = try House()
        let name = String(repeating: "\u{301}", count: 20_000)
        for body in [#"{"\#(name)":1}"#, #"{"\#(name)":1,"\#(name)":1}"#, #"{"\#(name)":null}"#] {
            #expect(try house.call("POST", "/v1/guests", raw: body).body.count < 2000)
        }
        let scene = try Scene(house)
        for body in [#"{"amount":"\#(name)"}"#, #"{"amount":"1.\#(String(repeating: "1", count: 20_000))"}"#] {
            #expect(try house.call("POST", scene.path + "/bids", raw: body, by: scene.bidder).body.count < 2000)
        }
        let role = #"{"role":"\#(name)"}"#
        #expect(try house.call("POST", scene.path + "/members", raw: role, by: scene.stranger).body.count < 2000)
    }

    @Test func `who sends too much that cannot be understood has nothing more read for now`() throws {
        let scene = try Scene(try House { $0.limits.commandsPerSecond = 20 })
        scene.house.clock.advance(seconds: 10)
        try scene.openBidding()
        for _ in 0..<100 {
            let mistaken = try scene.house.call("POST", scene.path + "/bids", raw: "{", by: scene.bidder)
            #expect(mistaken.status == 400, "small ones are what a client sends that is being written")
        }
        scene.house.clock.advance(seconds: 1)
        let large = "{" + String(repeating: " ", count: 65_000)
        for _ in 0..<20 {
            #expect(try scene.house.call("POST", scene.path + "/bids", raw: large, by: scene.bidder).status == 400)
        }
        let refused = try scene.house.call("POST", scene.path + "/bids", raw: "{", by: scene.bidder)
        #expect(refused.status == 429)
        #expect(refused.code == "command.rate")
        #expect(refused.header("Retry-After") == "1")
        #expect(try scene.bid("100", by: scene.bidder).code == "command.rate")
        #expect(try scene.bid("100", by: scene.rival).status == 201, "others are not held back")
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        try socket.sendText("no JSON")
        var item = try socket.next()
        while let current = item, current.data["ack"] == nil { item = try socket.next() }
        #expect(item?.data.text("problem.code") == "command.rate")
        scene.house.clock.advance(seconds: 1)
        #expect(try scene.bid("110", by: scene.bidder).status == 201)
    }

    @Test func `frames that are no command are limited like bodies, without a token too`() throws {
        let scene = try Scene(try House { $0.limits.commandsPerSecond = 20 })
        let socket = try SocketReader(scene, "?after=latest")
        var codes: [String: Int] = [:]
        let allowed = 20 * MalformedBodies.tokensPerCommand
        for _ in 0..<allowed + 5 { try socket.sendText("[]") }
        while codes.values.reduce(0, +) < allowed + 5, let item = try socket.next() {
            if let code = item.data.text("problem.code") { codes[code, default: 0] += 1 }
        }
        #expect(codes == ["request.malformed": allowed, "command.rate": 5])
    }
}

struct ShownNameTests {
    private static let bad = [" ", "\n", "\u{200B}", "\u{202E}abc", "a\u{2066}b", "\u{2028}", "\u{3164}", "\u{E000}", "a\nb"]

    @Test(arguments: bad)
    func `a name that shows nothing or turns text around is refused, whatever it names`(_ name: String) throws {
        let scene = try Scene()
        let answers = [
            try scene.house.call("POST", "/v1/guests", ["nickname": .string(name)]),
            try scene.house.call("POST", "/v1/rooms", ["name": .string(name)], by: scene.host),
            try scene.call("POST", "/items", ["name": .string(name), "rules": ["startingPrice": "1"]], by: scene.owner),
        ]
        for (answer, field) in zip(answers, ["nickname", "name", "name"]) {
            #expect(answer.status == 400)
            #expect(answer.code == "request.malformed")
            #expect(answer.text("field") == field)
        }
    }

    @Test(arguments: ["👩🏽‍💻", "می\u{200C}خواهم", "李雷", "Zoë"])
    func `names that people have are taken and shown as they are`(_ name: String) throws {
        let scene = try Scene()
        #expect(try scene.house.guest(name).nickname == name)
        #expect(try scene.house.call("POST", "/v1/rooms", ["name": .string(name)], by: scene.host).text("name") == name)
    }
}

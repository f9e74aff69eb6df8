import AuctionServer
import ExactJSON
import Testing

struct BodyTests {
    private func refused(
        _ answer: HTTPAnswer, _ code: String, field: String?, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == 400, sourceLocation: location)
        #expect(answer.code == code, sourceLocation: location)
        #expect(answer.text("field") == field, sourceLocation: location)
        #expect(answer.text("type") == "/problems/malformed-request", sourceLocation: location)
    }

    @Test func `unknown fields are refused and named, however deep`() throws {
        let scene = try Scene()
        refused(try scene.house.call("POST", "/v1/guests", ["nickname": "a", "age": 3]), "request.unknown_field", field: "age")
        refused(
            try scene.house.call("POST", "/v1/rooms", ["name": "a", "Currency": "CNY"], by: scene.host),
            "request.unknown_field",
            field: "Currency")
        refused(
            try scene.call("POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "secret": 2]], by: scene.owner),
            "request.unknown_field", field: "rules.secret")
        refused(
            try scene.call(
                "POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "increment": ["fixed": 1, "x": 2]]],
                by: scene.owner),
            "request.unknown_field", field: "rules.increment.x")
        refused(
            try scene.call("POST", "/auction/start", ["force": true], by: scene.host), "request.unknown_field", field: "force")
        refused(
            try scene.house.call("POST", "/v1/tokens/renew", ["a": 1], by: scene.host), "request.unknown_field", field: "a")
    }

    /// It would look like a change, and be none.
    @Test func `a null where a member may be left out is refused and named`() throws {
        let scene = try Scene()
        refused(
            try scene.call("PATCH", "/permission-rules/bid.viewer", ["enabled": nil, "priority": 3], by: scene.host),
            "request.malformed", field: "enabled")
        refused(
            try scene.call("POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "format": nil]], by: scene.owner),
            "request.malformed", field: "rules.format")
        #expect(
            try scene.call(
                "POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "reservePrice": nil]], by: scene.owner
            ).status == 201)
    }

    /// As the contract counts: what people take for one character may be of any size.
    @Test func `lengths are counted in code points`() throws {
        let scene = try Scene()
        let accents = String(repeating: "\u{301}", count: 39)
        #expect(try scene.house.call("POST", "/v1/guests", ["nickname": .string("e" + accents)]).status == 201)
        refused(
            try scene.house.call("POST", "/v1/guests", ["nickname": .string("ee" + accents)]), "request.malformed",
            field: "nickname")
        refused(
            try scene.call(
                "DELETE", "/bids/bid_75s0hwfp01rtp4pava9vejbttr?reason=" + String(repeating: "e%CC%81", count: 251),
                by: scene.host),
            "request.malformed", field: "reason")
    }

    @Test func `a name that stands twice is refused and named`() throws {
        let scene = try Scene()
        refused(
            try scene.house.call("POST", "/v1/guests", raw: #"{"nickname":"a","nickname":"b"}"#), "request.malformed",
            field: "nickname")
        refused(
            try scene.house.call("POST", scene.path + "/bids", raw: #"{"amount":"1","amount":"2"}"#, by: scene.bidder),
            "request.malformed", field: "amount")
        // Escapes do not hide it.
        refused(
            try scene.house.call("POST", "/v1/guests", raw: #"{"nickname":"a","nic\u006bname":"b"}"#), "request.malformed",
            field: "nickname")
    }

    @Test(arguments: [
        "", "{", "nickname", "[1,2", #"{"nickname":"a"}x"#, #"{'nickname':'a'}"#, #"{"nickname":"a",}"#,
        #"{"nickname":undefined}"#,
        "[]", "\"a\"", "null", "3", #"{"nickname":"a\#u{1}b"}"#, #"{"nickname":"\ud800"}"#, "{\"nickname\":\"a\",\"x\":01}",
    ])
    func `what is not a JSON object is refused`(_ body: String) throws {
        let house = try House()
        let answer = try house.call("POST", "/v1/guests", raw: body)
        #expect(answer.status == 400)
        #expect(answer.code == "request.malformed")
    }

    @Test func `JSON is read to its depth and no deeper`() throws {
        let house = try House()
        func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        let deep = try house.call("POST", "/v1/guests", raw: #"{"nickname":\#(nested(16))}"#)
        #expect(deep.text("detail")?.contains("16 levels") == true)
        let fitting = try house.call("POST", "/v1/guests", raw: #"{"nickname":\#(nested(15))}"#)
        #expect(fitting.text("field") == "nickname")
        let shallow = try House { $0.limits.jsonDepth = 4 }
        #expect(try shallow.call("POST", "/v1/guests", raw: nested(5)).text("detail")?.contains("4 levels") == true)
        #expect(try house.call("POST", "/v1/guests", raw: nested(30000)).status == 400)
    }

    @Test func `missing fields, wrong kinds and values out of range are named`() throws {
        let scene = try Scene()
        let house = scene.house
        refused(try house.call("POST", "/v1/guests", [:]), "request.malformed", field: "nickname")
        refused(try house.call("POST", "/v1/guests", ["nickname": 3]), "request.malformed", field: "nickname")
        refused(try house.call("POST", "/v1/guests", ["nickname": ""]), "request.malformed", field: "nickname")
        let long = String(repeating: "长", count: 41)
        refused(try house.call("POST", "/v1/guests", ["nickname": .string(long)]), "request.malformed", field: "nickname")
        #expect(try house.call("POST", "/v1/guests", ["nickname": .string(String(long.dropLast()))]).status == 201)
        refused(try house.call("POST", "/v1/guests", ["nickname": "a\u{7}b"]), "request.malformed", field: "nickname")
        refused(
            try house.call("POST", "/v1/rooms", ["name": "x", "visibility": "secret"], by: scene.host), "request.malformed",
            field: "visibility")
        for (name, value) in [("listingSeconds", 61), ("listingSeconds", -1), ("biddingSeconds", 0), ("biddingSeconds", 86401)]
        {
            let rules: JSONValue = .object([
                JSONMember(name: "startingPrice", value: 1), JSONMember(name: name, value: .number(String(value))),
            ])
            refused(
                try scene.call("POST", "/items", ["name": "x", "rules": rules], by: scene.owner), "request.malformed",
                field: "rules.\(name)")
        }
        refused(
            try scene.call(
                "POST", "/items", ["name": "x", "rules": ["startingPrice": 1, "format": "raffle"]], by: scene.owner),
            "request.malformed", field: "rules.format")
        refused(
            try scene.call("POST", "/items", ["name": "x", "rules": [:]], by: scene.owner), "request.malformed",
            field: "rules.startingPrice")
        refused(try scene.call("POST", "/bids", [:], by: scene.bidder), "request.malformed", field: "amount")
        refused(
            try scene.call("POST", "/bids", ["amount": 1, "round": "1"], by: scene.bidder), "request.malformed", field: "round")
        refused(
            try scene.call(
                "POST", "/items", ["name": "x", "rules": ["startingPrice": 1], "media": ["http://a"]], by: scene.owner),
            "request.malformed", field: "media")
    }

    @Test func `a body must say that it is JSON`() throws {
        let house = try House()
        let body = #"{"nickname":"a"}"#
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""] {
            let answer = try house.call("POST", "/v1/guests", raw: body, [("Content-Type", type)])
            #expect(answer.status == 415, "\(type)")
            #expect(answer.code == "request.unsupported_media_type")
        }
        for type in ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=UTF-8"] {
            #expect(try house.call("POST", "/v1/guests", raw: body, [("Content-Type", type)]).status == 201, "\(type)")
        }
    }

    @Test func `a body that is too large, a target too long, a head too large`() throws {
        let house = try House()
        let large = try house.call("POST", "/v1/guests", raw: String(repeating: " ", count: 65537))
        #expect(large.status == 413)
        #expect(large.code == "request.too_large")
        let long = try house.call("GET", "/v1/rooms?cursor=" + String(repeating: "1", count: 4096))
        #expect(long.status == 414)
        let fat = try house.call("GET", "/v1/rooms", by: nil, [("X-Fat", String(repeating: "x", count: 4090))])
        #expect(fat.status == 431)
    }
}

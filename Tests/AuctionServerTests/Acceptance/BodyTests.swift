import AuctionServer
import ExactJSON
import Testing

struct BodyTests {
    private func refused(
        _ response: HTTPResponse, _ code: String, field: String?, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == 400, sourceLocation: location)
        #expect(response.code == code, sourceLocation: location)
        #expect(response.text("field") == field, sourceLocation: location)
        #expect(response.text("type") == "/problems/malformed-request", sourceLocation: location)
    }

    @Test func `unknown fields are refused and named at every depth`() throws {
        let fixture = try RoomFixture()
        refused(
            try fixture.server.call("POST", "/v1/guests", ["nickname": "a", "age": 3]), "request.unknown_field", field: "age")
        refused(
            try fixture.server.call("POST", "/v1/rooms", ["name": "a", "Currency": "CNY"], by: fixture.host),
            "request.unknown_field",
            field: "Currency")
        refused(
            try fixture.call("POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "secret": 2]], by: fixture.owner),
            "request.unknown_field", field: "rules.secret")
        refused(
            try fixture.call(
                "POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "increment": ["fixed": 1, "x": 2]]],
                by: fixture.owner),
            "request.unknown_field", field: "rules.increment.x")
        refused(
            try fixture.call(
                "POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "increment": ["x": 2]]], by: fixture.owner),
            "request.unknown_field", field: "rules.increment.x")
        refused(
            try fixture.call(
                "POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "increment": [:]]], by: fixture.owner),
            "request.malformed", field: "rules.increment")
        refused(
            try fixture.call("POST", "/auction/start", ["force": true], by: fixture.host), "request.unknown_field",
            field: "force")
        refused(
            try fixture.server.call("POST", "/v1/tokens/renew", ["a": 1], by: fixture.host), "request.unknown_field", field: "a"
        )
    }

    /// A null could be taken for a change, although it would be none.
    @Test func `a null for an optional field is refused and named`() throws {
        let fixture = try RoomFixture()
        refused(
            try fixture.call("PATCH", "/permission-rules/bid.viewer", ["enabled": nil, "priority": 3], by: fixture.host),
            "request.malformed", field: "enabled")
        refused(
            try fixture.call(
                "POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "format": nil]], by: fixture.owner),
            "request.malformed", field: "rules.format")
        #expect(
            try fixture.call(
                "POST", "/items", ["name": "a", "rules": ["startingPrice": 1, "reservePrice": nil]], by: fixture.owner
            ).status == 201)
    }

    /// As the contract counts lengths: one grapheme may have any number of code points.
    @Test func `lengths are counted in code points`() throws {
        let fixture = try RoomFixture()
        let accents = String(repeating: "\u{301}", count: 39)
        #expect(try fixture.server.call("POST", "/v1/guests", ["nickname": .string("e" + accents)]).status == 201)
        refused(
            try fixture.server.call("POST", "/v1/guests", ["nickname": .string("ee" + accents)]), "request.malformed",
            field: "nickname")
        refused(
            try fixture.call(
                "DELETE", "/bids/bid_75s0hwfp01rtp4pava9vejbttr?reason=" + String(repeating: "e%CC%81", count: 251),
                by: fixture.host),
            "request.malformed", field: "reason")
    }

    @Test func `a repeated member name is refused and named`() throws {
        let fixture = try RoomFixture()
        refused(
            try fixture.server.call("POST", "/v1/guests", raw: #"{"nickname":"a","nickname":"b"}"#), "request.malformed",
            field: "nickname")
        refused(
            try fixture.server.call("POST", fixture.path + "/bids", raw: #"{"amount":"1","amount":"2"}"#, by: fixture.bidder),
            "request.malformed", field: "amount")
        refused(
            try fixture.server.call(
                "POST", fixture.path + "/items", raw: #"{"name":"a","rules":{"startingPrice":1,"startingPrice":2}}"#,
                by: fixture.owner),
            "request.malformed", field: "rules.startingPrice")
        // Names are compared after unescaping.
        refused(
            try fixture.server.call("POST", "/v1/guests", raw: #"{"nickname":"a","nic\u006bname":"b"}"#), "request.malformed",
            field: "nickname")
    }

    @Test(arguments: [
        "", "{", "nickname", "[1,2", #"{"nickname":"a"}x"#, #"{'nickname':'a'}"#, #"{"nickname":"a",}"#,
        #"{"nickname":undefined}"#,
        "[]", "\"a\"", "null", "3", #"{"nickname":"a\#u{1}b"}"#, #"{"nickname":"\ud800"}"#, "{\"nickname\":\"a\",\"x\":01}",
    ])
    func `a body that is not a JSON object is refused`(_ body: String) throws {
        let server = try TestServer()
        let response = try server.call("POST", "/v1/guests", raw: body)
        #expect(response.status == 400)
        #expect(response.code == "request.malformed")
    }

    @Test func `a body with a byte-order mark is taken, and null where a body may be left out`() throws {
        let fixture = try RoomFixture()
        #expect(try fixture.server.call("POST", "/v1/guests", raw: "\u{FEFF}{\"nickname\":\"a\"}").status == 201)
        let (late, other) = (try fixture.server.guest("Late"), try fixture.server.guest("Other"))
        for (body, guest) in [("null", late), ("\u{FEFF}null", other)] {
            let response = try fixture.server.call("POST", fixture.path + "/members", raw: body, by: guest)
            #expect(response.status == 201, "\(body)")
            #expect(response.text("role") == "viewer")
        }
        #expect(try fixture.server.call("POST", fixture.path + "/bids", raw: "null", by: fixture.bidder).status == 400)
    }

    @Test func `JSON nested deeper than the limit is refused`() throws {
        let server = try TestServer()
        func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        let deep = try server.call("POST", "/v1/guests", raw: #"{"nickname":\#(nested(16))}"#)
        #expect(deep.text("detail")?.contains("16 levels") == true)
        let fitting = try server.call("POST", "/v1/guests", raw: #"{"nickname":\#(nested(15))}"#)
        #expect(fitting.text("field") == "nickname")
        let shallow = try TestServer { $0.limits.jsonDepth = 4 }
        #expect(try shallow.call("POST", "/v1/guests", raw: nested(5)).text("detail")?.contains("4 levels") == true)
        #expect(try server.call("POST", "/v1/guests", raw: nested(30000)).status == 400)
    }

    @Test func `missing fields, wrong types and values out of range are refused and named`() throws {
        let fixture = try RoomFixture()
        let server = fixture.server
        refused(try server.call("POST", "/v1/guests", [:]), "request.malformed", field: "nickname")
        refused(try server.call("POST", "/v1/guests", ["nickname": 3]), "request.malformed", field: "nickname")
        refused(try server.call("POST", "/v1/guests", ["nickname": ""]), "request.malformed", field: "nickname")
        let long = String(repeating: "长", count: 41)
        refused(try server.call("POST", "/v1/guests", ["nickname": .string(long)]), "request.malformed", field: "nickname")
        #expect(try server.call("POST", "/v1/guests", ["nickname": .string(String(long.dropLast()))]).status == 201)
        refused(try server.call("POST", "/v1/guests", ["nickname": "a\u{7}b"]), "request.malformed", field: "nickname")
        refused(
            try server.call("POST", "/v1/rooms", ["name": "x", "visibility": "secret"], by: fixture.host), "request.malformed",
            field: "visibility")
        for (name, value) in [("listingSeconds", 61), ("listingSeconds", -1), ("biddingSeconds", 0), ("biddingSeconds", 86401)]
        {
            let rules: JSONValue = .object([
                JSONMember(name: "startingPrice", value: 1), JSONMember(name: name, value: .number(String(value))),
            ])
            refused(
                try fixture.call("POST", "/items", ["name": "x", "rules": rules], by: fixture.owner), "request.malformed",
                field: "rules.\(name)")
        }
        refused(
            try fixture.call(
                "POST", "/items", ["name": "x", "rules": ["startingPrice": 1, "format": "raffle"]], by: fixture.owner),
            "request.malformed", field: "rules.format")
        refused(
            try fixture.call("POST", "/items", ["name": "x", "rules": [:]], by: fixture.owner), "request.malformed",
            field: "rules.startingPrice")
        refused(try fixture.call("POST", "/bids", [:], by: fixture.bidder), "request.malformed", field: "amount")
        refused(
            try fixture.call("POST", "/bids", ["amount": 1, "round": "1"], by: fixture.bidder), "request.malformed",
            field: "round")
        refused(
            try fixture.call(
                "POST", "/items", ["name": "x", "rules": ["startingPrice": 1], "media": ["http://a"]], by: fixture.owner),
            "request.malformed", field: "media")
    }

    @Test func `a body with another content type than JSON is refused`() throws {
        let server = try TestServer()
        let body = #"{"nickname":"a"}"#
        for type in [
            "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "", "application/json; charset=utf-16",
        ] {
            let response = try server.call("POST", "/v1/guests", raw: body, [("Content-Type", type)])
            #expect(response.status == 415, "\(type)")
            #expect(response.code == "request.unsupported_media_type")
        }
        for type in ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=UTF-8"] {
            #expect(try server.call("POST", "/v1/guests", raw: body, [("Content-Type", type)]).status == 201, "\(type)")
        }
    }

    @Test func `a compressed body is refused as such`() throws {
        let server = try TestServer()
        let body = #"{"nickname":"a"}"#
        for coding in ["gzip", "br", "identity, gzip"] {
            let response = try server.call("POST", "/v1/guests", raw: body, [("Content-Encoding", coding)])
            #expect(response.status == 415 && response.code == "request.unsupported_media_type", "\(coding)")
            #expect(response.text("detail")?.contains(coding) == true)
        }
        #expect(try server.call("POST", "/v1/guests", raw: body, [("Content-Encoding", "identity")]).status == 201)
    }

    @Test func `a compressed file of lots is refused as such`() throws {
        let fixture = try RoomFixture()
        func importing(_ coding: String) throws -> HTTPResponse {
            try fixture.server.call(
                "POST", fixture.path + "/lots/import", raw: "name,startingPrice\nVase,10\n", by: fixture.owner,
                [("Content-Type", "text/csv"), ("Content-Encoding", coding)])
        }
        #expect(try importing("gzip").code == "request.unsupported_media_type")
        #expect(try importing("gzip").status == 415)
        #expect(try importing("identity").status == 200)
    }

    @Test func `an oversized body, target or header section is refused`() throws {
        let server = try TestServer()
        let large = try server.call("POST", "/v1/guests", raw: String(repeating: " ", count: 65537))
        #expect(large.status == 413)
        #expect(large.code == "request.too_large")
        let long = try server.call("GET", "/v1/rooms?cursor=" + String(repeating: "1", count: 4096))
        #expect(long.status == 414)
        let fat = try server.call("GET", "/v1/rooms", by: nil, [("X-Fat", String(repeating: "x", count: 4090))])
        #expect(fat.status == 431)
    }
}

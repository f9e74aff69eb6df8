import Foundation
import Testing

@testable import AuctionClientCore

struct ParserTests {
    @Test func `the names that the library knows are the contract's`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let contract = try String(contentsOf: root.appendingPathComponent("openapi/openapi.yaml"), encoding: .utf8)
        let names =
            EventType.known.map(\.rawValue) + RoomPhase.known.map(\.rawValue) + Role.known.map(\.rawValue)
            + RoomAction.known.map(\.rawValue) + RuleCategory.known.map(\.rawValue) + AuctionFormat.known.map(\.rawValue)
            + ProblemCode.known.map(\.rawValue)
        for name in names { #expect(contract.contains(name), "\(name) is not in the contract") }
        let types = contract.matches(of: /type: \{type: string, const: ([a-zA-Z.]+)\}/).map {
            EventType(rawValue: String($0.1))
        }
        #expect(types.count == EventType.known.count && EventType.known.isSuperset(of: types))
    }

    @Test func `JSON keeps every digit and every member`() throws {
        let json = try JSONParser.parse(
            #" {"a":[1.0,-0,2e-3,{"b":"\u00e9\ud83d\ude00\n\\"}],"c":null,"d":true,"a2":12345678901234567890} "#)
        #expect(json["a"]?.elements?.first == .number("1.0"))
        #expect(json["a"]?.elements?.last?["b"] == "é😀\n\\")
        #expect(json["c"]?.isNull == true && json["d"]?.bool == true)
        #expect(json["a2"] == .number("12345678901234567890") && json["a2"]?.integer == nil)
        #expect(try JSONParser.parse(json.text) == json)
    }

    @Test func `what is not JSON is an error, never a trap`() {
        let texts = [
            "", "{", "[1,]", "{\"a\" 1}", "01", "1.", "-", "\"\\x\"", "\"\u{1}\"", "tru", "{}x", "\"\\ud800", "nul", "+1", "1e",
            "\"a",
        ]
        for text in texts { #expect(throws: JSONError.self, "\(text)") { try JSONParser.parse(text) } }
        #expect(throws: JSONError.tooDeep) { try JSONParser.parse(String(repeating: "[", count: 100_000)) }
        // Every beginning of a real response, and every byte of it changed.
        let room = Array(SimulatedRoom(seq: 1).json(serverTime: 1, for: "Me", shown: "preparing").utf8)
        for index in room.indices {
            #expect(throws: JSONError.self) { try JSONParser.parse(Array(room[..<index])) }
            for byte: UInt8 in [0, 0x22, 0x5C, 0x7B, 0x80, 0xFF] {
                var bytes = room
                bytes[index] = byte
                if let json = try? JSONParser.parse(bytes) { _ = try? RoomState(json) }
            }
        }
    }

    @Test func `a stream is read the same in any pieces and with any line ends`() throws {
        let text = "\u{FEFF}: hi\nid: 1\n\nevent: notice\ndata: {\"a\":\ndata:1}\n\ndata\n\nfoo: bar\nretry: 5\ndata: é\n\n"
        let expected: [EventStreamParser.Item] = [
            .signOfLife, .signOfLife, .event(name: "notice", data: Array("{\"a\":\n1}".utf8)),
            .event(name: "message", data: []),
            .event(name: "message", data: Array("é".utf8)),
        ]
        for end in ["\n", "\r\n", "\r"] {
            let bytes = Array(text.replacing("\n", with: end).utf8)
            for size in [1, 2, 3, 7, 1000] {
                var parser = EventStreamParser(limit: 1000)
                var items: [EventStreamParser.Item] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    items += try parser.parse(Array(bytes[start..<min(start + size, bytes.count)]))
                }
                #expect(
                    items.filter { $0 != .signOfLife } == expected.filter { $0 != .signOfLife },
                    "\(end.debugDescription) \(size)")
            }
        }
    }

    @Test func `lines and events of a stream are bounded`() {
        var parser = EventStreamParser(limit: 100)
        #expect(throws: EventStreamParser.TooLarge.self) { try parser.parse(Array(repeating: 0x61, count: 101)) }
        var other = EventStreamParser(limit: 100)
        #expect(throws: EventStreamParser.TooLarge.self) {
            for _ in 0..<10 { _ = try other.parse(Array("data: 0123456789012345\n".utf8)) }
        }
    }

    @Test func `times are read to the millisecond`() {
        #expect(ServerTime(rfc3339: "1970-01-01T00:00:00.001Z")?.milliseconds == 1)
        #expect(ServerTime(rfc3339: "2026-11-21T08:54:33.126Z")?.milliseconds == 1_795_251_273_126)
        #expect(ServerTime(rfc3339: "2024-02-29T23:59:60Z")?.milliseconds == 1_709_251_200_000)
        #expect(ServerTime(rfc3339: "2026-11-21T08:54:33.1Z")?.milliseconds == 1_795_251_273_100)
        for text in [
            "", "2026-11-21T08:54:33.126+01:00", "2026-13-21T08:54:33Z", "2026-11-21 08:54:33Z", "2026-11-21T08:54:33.Z",
        ] {
            #expect(ServerTime(rfc3339: text) == nil, "\(text)")
        }
    }

    @Test func `Retry-After is seconds, or a date compared with the response's own`() {
        func duration(_ headers: (String, String)...) -> Duration? {
            RetryAfter.duration(in: HTTPHead(status: 503, headers: headers.map { HTTPHeader($0.0, $0.1) }))
        }
        #expect(duration(("retry-after", "7")) == .seconds(7))
        #expect(duration(("Retry-After", "99999999999")) == .seconds(3600))
        let dates = [("Retry-After", "Sun, 06 Nov 1994 08:50:07 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")]
        #expect(duration(dates[0], dates[1]) == .seconds(30))
        #expect(duration(dates[0]) == nil && duration(("Retry-After", "soon")) == nil && duration(("Retry-After", "-1")) == nil)
    }

    @Test func `the subject of a token is its issuer and its user`() {
        // {"alg":"none"}.{"iss":"auction-room","sub":"user_1"}.x
        let token = "eyJhbGciOiJub25lIn0.eyJpc3MiOiJhdWN0aW9uLXJvb20iLCJzdWIiOiJ1c2VyXzEifQ.x"
        #expect(Credential(token: token).subject == "auction-room|user_1")
        for token in ["", "a.b.c", "a.!!.c", "opaque"] { #expect(Credential(token: token).subject == nil) }
        #expect(Credential(token: token).userId == "user_1")
        for claims in [#""iss":"https://idp","sub":"user_1""#, #""iss":"auction-room","sub":"alice""#, #""sub":"user_1""#] {
            #expect(Credential.claiming("{\(claims)}").userId == nil, "\(claims)")
        }
    }
}

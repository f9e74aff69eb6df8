import ExactJSON
import Foundation
import Testing

struct TokenTests {
    @Test func `a token is needed, must be ours, and must not be too old`() throws {
        let house = try House()
        let ann = try house.guest("Ann")
        func open(_ authorization: String?) throws -> HTTPAnswer {
            let headers = authorization.map { [(name: "Authorization", value: $0)] } ?? []
            return try house.call("POST", "/v1/rooms", ["name": "x"], by: nil, headers)
        }
        #expect(try open(nil).code == "token.missing")
        #expect(try open("Bearer \(ann.token)").status == 201)
        #expect(try open("bearer \(ann.token)").status == 201, "the scheme is not case-sensitive")
        let parts = ann.token.split(separator: ".").map(String.init)
        let unsigned = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().replacing("=", with: "")
        for wrong in [
            "Bearer", "Bearer ", "Basic \(ann.token)", "Bearer \(ann.token)x", "Bearer \(ann.token.dropLast())",
            "Bearer \(parts[0]).\(parts[1]).", "Bearer \(unsigned).\(parts[1]).", "Bearer \(unsigned).\(parts[1]).\(parts[2])",
            "Bearer \(parts[0]).\(parts[1])x.\(parts[2])", "Bearer a.b.c", ann.token,
        ] {
            let answer = try open(wrong)
            #expect(answer.status == 401, "\(wrong)")
            #expect(answer.code == "token.invalid", "\(wrong)")
            #expect(answer.header("WWW-Authenticate")?.contains("invalid_token") == true)
        }
        house.clock.advance(seconds: 7 * 24 * 3600 - 1)
        #expect(try open("Bearer \(ann.token)").status == 201)
        house.clock.advance(seconds: 1)
        #expect(try open("Bearer \(ann.token)").code == "token.expired")
    }

    @Test func `a wrong token is refused even where none is needed`() throws {
        let scene = try Scene()
        let garbled = Guest(id: "", nickname: "", token: "garbled")
        #expect(try scene.call("GET", "", by: garbled).code == "token.invalid")
        #expect(try scene.house.call("GET", "/v1/rooms", by: garbled).code == "token.invalid")
        #expect(try scene.call("GET", "/events?wait=60&after=latest", by: garbled).status == 401)
    }

    @Test func `a renewed token is the same user's and lives longer`() throws {
        let house = try House()
        let ann = try house.guest("Ann")
        house.clock.advance(seconds: 6 * 24 * 3600)
        let renewed = try house.call("POST", "/v1/tokens/renew", by: ann)
        #expect(renewed.status == 200)
        #expect(renewed["user"] == ann.person)
        #expect(renewed.text("expiresAt") == house.clock.text(in: 7 * 24 * 3600))
        house.clock.advance(seconds: 2 * 24 * 3600)
        let token = try #require(renewed.text("token"))
        #expect(
            try house.call("POST", "/v1/rooms", ["name": "x"], by: Guest(id: ann.id, nickname: "Ann", token: token)).status
                == 201)
        #expect(try house.call("POST", "/v1/tokens/renew", by: ann).code == "token.expired")
    }

    @Test func `another server's secret makes other tokens`() throws {
        let ann = try House(secret: Array(repeating: 7, count: 32)).guest("Ann")
        #expect(try House().call("POST", "/v1/tokens/renew", by: ann).code == "token.invalid")
    }

    @Test func `guests with one nickname are two people`() throws {
        let house = try House()
        #expect(try house.guest("Ann").id != house.guest("Ann").id)
    }
}

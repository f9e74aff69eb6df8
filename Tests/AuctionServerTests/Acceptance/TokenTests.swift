import ExactJSON
import Foundation
import Testing

struct TokenTests {
    @Test func `a missing, foreign or expired token is refused`() throws {
        let server = try TestServer()
        let ann = try server.guest("Ann")
        func open(_ authorization: String?) throws -> HTTPResponse {
            let headers = authorization.map { [(name: "Authorization", value: $0)] } ?? []
            return try server.call("POST", "/v1/rooms", ["name": "x"], by: nil, headers)
        }
        #expect(try open(nil).code == "token.missing")
        #expect(try open("Bearer \(ann.token)").status == 201)
        #expect(try open("bearer \(ann.token)").status == 201, "the scheme is not case-sensitive")
        #expect(try open("Bearer \(ann.token) \t").status == 201, "whitespace after a header's value is none of it")
        let parts = ann.token.split(separator: ".").map(String.init)
        let unsigned = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64EncodedString().replacing("=", with: "")
        for wrong in [
            "Bearer", "Bearer ", "Basic \(ann.token)", "Bearer \(ann.token)x", "Bearer \(ann.token.dropLast())",
            "Bearer \(parts[0]).\(parts[1]).", "Bearer \(unsigned).\(parts[1]).", "Bearer \(unsigned).\(parts[1]).\(parts[2])",
            "Bearer \(parts[0]).\(parts[1])x.\(parts[2])", "Bearer a.b.c", ann.token,
            // Of the same length and signature as an accepted token.
            "Bearer \(parts[0]).\(parts[1].dropLast())~.\(parts[2])",
        ] {
            let response = try open(wrong)
            #expect(response.status == 401, "\(wrong)")
            #expect(response.code == "token.invalid", "\(wrong)")
            #expect(response.header("WWW-Authenticate")?.contains("invalid_token") == true)
        }
        server.clock.advance(seconds: 7 * 24 * 3600 - 1)
        #expect(try open("Bearer \(ann.token)").status == 201)
        server.clock.advance(seconds: 1)
        #expect(try open("Bearer \(ann.token)").code == "token.expired")
    }

    @Test func `a token that equals an accepted one as Unicode text, but has other bytes, is refused`() throws {
        let server = try TestServer()
        // Base64 of such a nickname has a K, which equals U+212A.
        let guest = try server.guest("((((((((")
        #expect(try server.call("GET", "/v1/me", by: guest).status == 200)
        let token = guest.token.replacing("K", with: "\u{212A}")
        #expect(token == guest.token && token.utf8.count > guest.token.utf8.count)
        #expect(try server.call("GET", "/v1/me", by: Guest(id: guest.id, nickname: guest.nickname, token: token)).status == 401)
    }

    @Test func `an invalid token is refused even where a token is optional`() throws {
        let fixture = try RoomFixture()
        let garbled = Guest(id: "", nickname: "", token: "garbled")
        #expect(try fixture.call("GET", "", by: garbled).code == "token.invalid")
        #expect(try fixture.server.call("GET", "/v1/rooms", by: garbled).code == "token.invalid")
        #expect(try fixture.call("GET", "/events?wait=60&after=latest", by: garbled).status == 401)
    }

    @Test func `a renewed token belongs to the same user and expires later`() throws {
        let server = try TestServer()
        let ann = try server.guest("Ann")
        server.clock.advance(seconds: 6 * 24 * 3600)
        let renewed = try server.call("POST", "/v1/tokens/renew", by: ann)
        #expect(renewed.status == 200)
        #expect(renewed["user"] == ann.person)
        #expect(renewed.text("expiresAt") == server.clock.text(in: 7 * 24 * 3600))
        server.clock.advance(seconds: 2 * 24 * 3600)
        let token = try #require(renewed.text("token"))
        #expect(
            try server.call("POST", "/v1/rooms", ["name": "x"], by: Guest(id: ann.id, nickname: "Ann", token: token)).status
                == 201)
        #expect(try server.call("POST", "/v1/tokens/renew", by: ann).code == "token.expired")
    }

    @Test func `a token renewed in the second in which it was issued is another one`() throws {
        let server = try TestServer()
        let ann = try server.guest("Ann")
        let renewed = try server.call("POST", "/v1/tokens/renew", by: ann)
        let token = try #require(renewed.text("token"))
        #expect(token != ann.token)
        for each in [token, ann.token] {
            #expect(try server.call("GET", "/v1/me", by: Guest(id: ann.id, nickname: "Ann", token: each)).status == 200)
        }
    }

    @Test func `a token signed with another secret is refused`() throws {
        let ann = try TestServer(secret: Array(repeating: 7, count: 32)).guest("Ann")
        #expect(try TestServer().call("POST", "/v1/tokens/renew", by: ann).code == "token.invalid")
    }

    @Test func `two guests with the same nickname are different users`() throws {
        let server = try TestServer()
        #expect(try server.guest("Ann").id != server.guest("Ann").id)
    }
}

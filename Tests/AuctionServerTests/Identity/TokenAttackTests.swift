@testable import AuctionServer
import ExactJSON
import Foundation
import MicroHTTP
import Testing

/// Known attacks on tokens (RFC 8725 and later), each over every transport: all must be refused.
struct TokenAttackTests {
    private static let transports = ["http", "long-poll", "events", "socket"]

    /// A server that accepts guests, and one provider's tokens of the given algorithms.
    private struct AttackTarget {
        let fixture: RoomFixture
        let issuer: TokenIssuer

        init(_ algorithms: [String] = TokenIssuer.algorithms) throws {
            issuer = try TokenIssuer.shared.get()
            let identity = try issuer.identity(algorithms)
            fixture = try RoomFixture(
                try TestServer {
                    $0.identity = identity
                    $0.http.limits.headerBytes = 65536
                })
        }

        /// The status of a request with the token, and the code of the problem, if any.
        func attempt(_ token: String, _ transport: String) throws -> (status: Int, code: String?) {
            let guest = Guest(id: "", nickname: "", token: token)
            switch transport {
            case "http":
                let response = try fixture.call("GET", "/permissions", by: guest)
                return (response.status, response.code)
            case "long-poll":
                let response = try fixture.call("GET", "/events?after=0", by: guest)
                return (response.status, response.code)
            case "events":
                let reader = try EventReader(fixture, by: guest)
                return (reader.status, reader.status == 200 ? nil : try reader.problemCode())
            default:
                let reader = try SocketReader(fixture, by: guest)
                return (reader.status, reader.status == 101 ? nil : try reader.problemCode())
            }
        }
    }

    @Test(arguments: TokenIssuer.algorithms)
    func `a token of every algorithm is accepted over every transport`(_ algorithm: String) throws {
        let target = try AttackTarget()
        let token = try target.issuer.token(algorithm)
        for transport in Self.transports {
            #expect(try target.attempt(token, transport).status == (transport == "socket" ? 101 : 200), "\(transport)")
        }
    }

    @Test func `every attack is refused over every transport`() throws {
        let target = try AttackTarget()
        let attacks = try TokenAttacks(target.issuer, guest: target.fixture.viewer.token).all()
        #expect(Set(attacks.map(\.name)).count == attacks.count)
        for attack in attacks {
            for transport in Self.transports {
                let outcome = try target.attempt(attack.token, transport)
                #expect(outcome.status == 401, "\(attack.name) over \(transport)")
                #expect(outcome.code == attack.code, "\(attack.name) over \(transport)")
            }
        }
    }

    @Test func `a public key is not accepted as an HMAC secret, even if it is the only key`() throws {
        // Algorithm confusion: the only key is RSA, and a token is signed with its public text as an HMAC secret.
        let target = try AttackTarget(["RS256"])
        let attacks = TokenAttacks(target.issuer, guest: "")
        for attack in try attacks.algorithmConfusions() {
            #expect(try target.attempt(attack.token, "http").code == "token.invalid", "\(attack.name)")
        }
        let unnamed = try target.issuer.token("RS256", header: #"{"alg":"RS256"}"#)
        #expect(try target.attempt(unnamed, "http").status == 200, "a token need not name the only key")
    }

    @Test func `a token in the query is refused`() throws {
        let target = try AttackTarget()
        let token = try target.issuer.token()
        for name in ["access_token", "token", "jwt"] {
            for tail in ["/events", "/members", "/bids"] {
                #expect(try target.fixture.call("GET", "\(tail)?\(name)=\(token)").status == 400, "\(tail) \(name)")
            }
            #expect(try EventReader(target.fixture, "?\(name)=\(token)").status == 400)
            #expect(try SocketReader(target.fixture, "?\(name)=\(token)").status == 400)
        }
        #expect(try target.fixture.call("GET", "/events?ticket=\(token)").code == "ticket.invalid")
        #expect(try SocketReader(target.fixture, "?ticket=\(token)").status == 401)
        let cookie = try target.fixture.call("GET", "/permissions", nil, by: nil, [("Cookie", "access_token=\(token)")])
        #expect(cookie.code == "token.missing")
    }

    @Test func `an oversized token is refused before it is parsed`() throws {
        let target = try AttackTarget()
        let huge = try target.issuer.token(claims: Claims.with("pad", "\"" + String(repeating: "x", count: 20000) + "\""))
        for transport in Self.transports { #expect(try target.attempt(huge, transport).status == 401, "\(transport)") }
        let server = try TestServer()
        let connection = try server.connect()
        try connection.send(server.request("GET", "/v1/rooms", by: Guest(id: "", nickname: "", token: huge)))
        #expect(try connection.receive().status == 431)
    }
}

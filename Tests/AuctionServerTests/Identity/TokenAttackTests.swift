@testable import AuctionServer
import Crypto
import CryptoExtras
import ExactJSON
import Foundation
import MicroHTTP
import Testing

/// What attackers try with tokens (RFC 8725 and since), each over every way into a room: none may get in.
struct TokenAttackTests {
    private static let transports = ["http", "long-poll", "events", "socket"]

    /// A server that takes one provider's tokens of every algorithm, and guests.
    private struct Door {
        let scene: Scene
        let issuer: TokenIssuer

        init(_ algorithms: [String] = TokenIssuer.algorithms) throws {
            issuer = try TokenIssuer.shared.get()
            let identity = try issuer.identity(algorithms)
            scene = try Scene(
                try House {
                    $0.identity = identity
                    $0.http.limits.headerBytes = 65536
                })
        }

        /// The status, and the code of the problem, with which a token is met.
        func meet(_ token: String, _ transport: String) throws -> (status: Int, code: String?) {
            let guest = Guest(id: "", nickname: "", token: token)
            switch transport {
            case "http":
                let answer = try scene.call("GET", "/permissions", by: guest)
                return (answer.status, answer.code)
            case "long-poll":
                let answer = try scene.call("GET", "/events?after=0", by: guest)
                return (answer.status, answer.code)
            case "events":
                let reader = try EventReader(scene, by: guest)
                return (reader.status, reader.status == 200 ? nil : try reader.problemCode())
            default:
                let reader = try SocketReader(scene, by: guest)
                return (reader.status, reader.status == 101 ? nil : try reader.problemCode())
            }
        }
    }

    @Test(arguments: TokenIssuer.algorithms)
    func `a token of every algorithm opens every way in`(_ algorithm: String) throws {
        let door = try Door()
        let token = try door.issuer.token(algorithm)
        for transport in Self.transports {
            #expect(try door.meet(token, transport).status == (transport == "socket" ? 101 : 200), "\(transport)")
        }
    }

    @Test func `every attack is refused over every transport`() throws {
        let door = try Door()
        let attacks = try TokenAttacks(door.issuer, guest: door.scene.viewer.token).all()
        #expect(Set(attacks.map(\.name)).count == attacks.count)
        for attack in attacks {
            for transport in Self.transports {
                let met = try door.meet(attack.token, transport)
                #expect(met.status == 401, "\(attack.name) over \(transport)")
                #expect(met.code == attack.code, "\(attack.name) over \(transport)")
            }
        }
    }

    @Test func `a secret and a public key are told apart even where the set has one key only`() throws {
        // The classic: the set's one key is RSA, and its public text is taken for a secret.
        let door = try Door(["RS256"])
        let attacks = TokenAttacks(door.issuer, guest: "")
        for attack in try attacks.confusions() {
            #expect(try door.meet(attack.token, "http").code == "token.invalid", "\(attack.name)")
        }
        let unnamed = try door.issuer.token("RS256", header: #"{"alg":"RS256"}"#)
        #expect(try door.meet(unnamed, "http").status == 200, "with one key a token need not name it")
    }

    @Test func `a token in the address is refused, with and without a right one in the header`() throws {
        let door = try Door()
        let token = try door.issuer.token()
        for name in ["access_token", "token", "jwt"] {
            for tail in ["/events", "/members", "/bids"] {
                #expect(try door.scene.call("GET", "\(tail)?\(name)=\(token)").status == 400, "\(tail) \(name)")
            }
            #expect(try EventReader(door.scene, "?\(name)=\(token)").status == 400)
            #expect(try SocketReader(door.scene, "?\(name)=\(token)").status == 400)
        }
        #expect(try door.scene.call("GET", "/events?ticket=\(token)").code == "ticket.invalid")
        #expect(try SocketReader(door.scene, "?ticket=\(token)").status == 401)
        let cookie = try door.scene.call("GET", "/permissions", nil, by: nil, [("Cookie", "access_token=\(token)")])
        #expect(cookie.code == "token.missing")
    }

    @Test func `a token that is larger than any is turned away before it is looked at`() throws {
        let door = try Door()
        let huge = try door.issuer.token(claims: Claims.with("pad", "\"" + String(repeating: "x", count: 20000) + "\""))
        for transport in Self.transports { #expect(try door.meet(huge, transport).status == 401, "\(transport)") }
        let house = try House()
        let connection = try house.connect()
        try connection.send(house.request("GET", "/v1/rooms", by: Guest(id: "", nickname: "", token: huge)))
        #expect(try connection.receive().status == 431)
    }
}

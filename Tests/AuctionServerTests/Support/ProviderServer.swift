@testable import AuctionServer
import AuctionDomain
import AuctionService
import AuctionTestKit
import ExactJSON
import Synchronization
import TestSupport

/// An identity provider on this machine, as OpenID Connect Discovery describes one, with the keys of a `TokenIssuer`.
final class ProviderServer: Sendable {
    struct State {
        var port: UInt16 = 0
        /// What it calls itself, if that is not where it is.
        var name: String?
        /// The algorithms whose keys it publishes.
        var algorithms = ["RS256", "ES256"]
        var isAway = false
        var fetches = 0
    }

    private final class Box: Sendable {
        let state = Mutex(State())
    }

    private let box = Box()
    private let server: ScriptedServer
    private let issuer: TokenIssuer

    init(away: Bool = false) throws {
        let (box, issuer) = (box, try TokenIssuer.shared.get())
        self.issuer = issuer
        box.state.withLock { $0.isAway = away }
        server = try ScriptedServer { request in Self.response(to: request, box, issuer) }
        box.state.withLock { [port = server.port] in $0.port = port }
    }

    deinit { server.stop() }

    private static func response(to request: ReceivedRequest, _ box: Box, _ issuer: TokenIssuer) -> String {
        let state = box.state.withLock { state in
            state.fetches += request.target == "/keys" ? 1 : 0
            return state
        }
        let (status, body): (String, String) =
            switch (state.isAway, request.target) {
            case (false, "/.well-known/openid-configuration"):
                ("200 OK", description(state))
            case (false, "/keys"): ("200 OK", (try? issuer.jwks(state.algorithms)) ?? "")
            default: ("503 Away", "")
            }
        return "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func description(_ state: State) -> String {
        let address = "http://127.0.0.1:\(state.port)"
        return """
            {"issuer":"\(state.name ?? address)","jwks_uri":"\(address)/keys",\
            "authorization_endpoint":"\(address)/authorize","token_endpoint":"\(address)/token"}
            """
    }

    /// Its name, which is where it is.
    var name: String { "http://127.0.0.1:\(server.port)" }
    /// Where its keys are.
    var keysURL: String { name + "/keys" }
    /// How often its keys were fetched.
    var fetches: Int { box.state.withLock { $0.fetches } }

    func change(_ change: (inout State) -> Void) { box.state.withLock { change(&$0) } }

    /// The provider in the options of a server, with the client id `page`.
    func identity(guests: Bool = true) throws -> Identity {
        var identity = Identity()
        identity.acceptsGuests = guests
        identity.signIn.providers = [try SignInProvider(issuer: name, clients: ["page"])]
        return identity
    }

    /// An ID token for a subject, signed now by the clock.
    func token(
        _ subject: String, id: String, _ algorithm: String = "ES256", at clock: TestClock, _ changes: [(String, String?)] = []
    )
        throws -> String
    {
        let seconds = Int(clock.now().actual.milliseconds / 1000)
        var claims = Claims()
        let all: [(String, String?)] = [
            ("iss", "\"\(name)\""), ("sub", "\"\(subject)\""), ("aud", #""page""#), ("iat", String(seconds)),
            ("exp", String(seconds + 600)), ("jti", "\"\(id)\""), ("name", "\"\(subject.capitalized)\""),
        ]
        for (name, json) in all + changes { claims[name] = json }
        return try issuer.token(algorithm, claims: claims.text)
    }
}

extension String {
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

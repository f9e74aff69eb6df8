@testable import AuctionServer
import AuctionTestKit
import Testing

/// Bearer tokens of the operator's provider, with keys that are fetched (`--jwks-url`).
struct FetchedKeysTests {
    @Test func `bearer tokens are accepted once the keys are fetched, and with new keys soon after the first that names one`()
        throws
    {
        let provider = try ProviderServer()
        var identity = Identity()
        identity.keysURL = provider.keysURL
        identity.provider = try IdentityProvider(keys: nil, issuer: TokenIssuer.issuer, audience: TokenIssuer.audience)
        let options = identity
        let server = try TestServer { $0.identity = options }
        let issuer = try TokenIssuer.shared.get()
        func user(_ algorithm: String) throws -> Guest { Guest(id: "", nickname: "", token: try issuer.token(algorithm)) }
        try eventually("the keys are fetched") { try server.call("GET", "/v1/me", by: user("ES256")).status == 200 }
        #expect(try server.call("GET", "/v1/me", by: user("EdDSA")).code == "token.invalid")
        eventually("the key that is not known is asked for") { provider.fetches == 2 }
        let before = provider.fetches
        provider.change { $0.algorithms = ["EdDSA"] }
        server.clock.advance(seconds: 61)
        try eventually("the new key is fetched") { try server.call("GET", "/v1/me", by: user("EdDSA")).status == 200 }
        #expect(provider.fetches == before + 1)
        try eventually("the old key is gone") { try server.call("GET", "/v1/me", by: user("ES256")).code == "token.invalid" }
        #expect(provider.fetches == before + 1)
    }

    @Test func `an address that is not secure is refused at the start`() throws {
        var identity = Identity()
        identity.keysURL = "http://keys.example/"
        let options = identity
        #expect(throws: ServerError.self) { try TestServer { $0.identity = options } }
    }
}

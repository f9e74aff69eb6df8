@testable import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// What the page receives about signing in (`--page-sign-in`).
struct PageSignInTests {
    private func settings(_ server: TestServer) throws -> HTTPResponse { try server.call("GET", "/page/settings.json") }

    @Test func `without a provider the page's settings have guests only, and may connect to this server only`() throws {
        let server = try TestServer()
        let response = try settings(server)
        #expect(response.json["guests"] == .bool(true) && response.json["signIn"] == .null)
        #expect(response.header("Cache-Control") == "no-store")
        #expect(try server.call("GET", "/").header("Content-Security-Policy")?.contains("connect-src 'self';") == true)
    }

    @Test
    func `the page receives its provider, and may connect to where that exchanges codes, also if it had the page before`()
        throws
    {
        let provider = try ProviderServer()
        var identity = try provider.identity(guests: false)
        identity.signIn.providers[0] = try SignInProvider(issuer: provider.name, clients: ["page", "app"])
        identity.signIn.pageIssuer = provider.name
        let options = identity
        let server = try TestServer { $0.identity = options }
        eventually("the provider is asked") { provider.fetches > 0 }
        try eventually("the provider's addresses are known") { try settings(server).text("signIn.tokenEndpoint") != nil }
        let response = try settings(server)
        #expect(response.json["guests"] == .bool(false))
        let names = ["issuer", "clientId", "authorizationEndpoint", "tokenEndpoint"]
        #expect(
            names.map { response.text("signIn.\($0)") }
                == [provider.name, "page", provider.name + "/authorize", provider.name + "/token"])
        let page = try server.call("GET", "/")
        let tag = try #require(page.header("ETag"))
        for response in [page, try server.call("GET", "/", nil, by: nil, [("If-None-Match", tag)])] {
            let policies = response.headers.filter { $0.name == "Content-Security-Policy" }.map(\.value)
            #expect(policies.count == 1 && policies[0].contains("connect-src 'self' \(provider.name);"), "\(response.status)")
        }
        #expect(try server.call("GET", "/docs").header("Content-Security-Policy")?.contains(provider.name) == false)
    }

    @Test func `while the provider is away the page receives its issuer without addresses`() throws {
        let provider = try ProviderServer(away: true)
        var identity = try provider.identity()
        identity.signIn.pageIssuer = provider.name
        let options = identity
        let server = try TestServer { $0.identity = options }
        let response = try settings(server)
        #expect(response.text("signIn.issuer") == provider.name && response.json["signIn"]?["tokenEndpoint"] == .null)
        #expect(try server.call("GET", "/").header("Content-Security-Policy")?.contains("connect-src 'self';") == true)
    }

    @Test func `a page's provider that is not among those to sign in with is refused at the start`() throws {
        let provider = try ProviderServer()
        var identity = try provider.identity()
        identity.signIn.pageIssuer = "https://other.example"
        let options = identity
        #expect(throws: ServerError.self) { try TestServer { $0.identity = options } }
    }
}

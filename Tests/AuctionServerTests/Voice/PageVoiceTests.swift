@testable import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// What the page receives about the sound of rooms (`--voice-client-url`).
struct PageVoiceTests {
    private static let digest = "sha384-" + String(repeating: "a", count: 64)

    private func server(_ voice: VoiceOptions?) throws -> TestServer { try TestServer { $0.voice = voice } }

    private func policy(of server: TestServer, _ path: String = "/") throws -> String {
        try #require(try server.call("GET", path).header("Content-Security-Policy"))
    }

    @Test
    func
        `the page receives the client with its hash, and may load it and connect to the RTC service, and no other document may`()
        throws
    {
        let client = try #require(VoiceClient(option: "https://cdn.example:8443/v2/livekit.js#\(Self.digest)"))
        let server = try server(try VoiceFixture.options("livekit:wss://voice.example", client: client))
        let settings = try server.call("GET", "/page/settings.json")
        #expect(settings.text("voice.client.url") == "https://cdn.example:8443/v2/livekit.js")
        #expect(settings.text("voice.client.integrity") == Self.digest)
        let page = try policy(of: server)
        #expect(page.contains("script-src 'self' https://cdn.example:8443;"))
        #expect(page.contains("connect-src 'self' wss://voice.example https://voice.example;"))
        #expect(page.contains("default-src 'none'") && page.hasSuffix("trusted-types voice-client"))
        #expect(try policy(of: server, "/docs").contains("script-src 'self';"))
    }

    @Test func `on this machine the page's connections to the RTC service are not encrypted`() throws {
        let client = try #require(VoiceClient(option: "http://127.0.0.1:9/livekit.js#\(Self.digest)"))
        let page = try policy(of: try server(try VoiceFixture.options("livekit:ws://127.0.0.1:7880", client: client)))
        #expect(page.contains("connect-src 'self' ws://127.0.0.1:7880 http://127.0.0.1:7880;"))
    }

    @Test func `without a client the page knows of the sound, and its policy is the usual one`() throws {
        let server = try server(try VoiceFixture.options("livekit:wss://voice.example"))
        let settings = try server.call("GET", "/page/settings.json")
        #expect(settings.json["voice"]?["client"] == .null)
        let page = try policy(of: server)
        #expect(page.contains("script-src 'self';") && page.contains("connect-src 'self';"))
        #expect(page.hasSuffix("trusted-types 'none'"))
    }

    @Test func `without an RTC service the page's settings say so`() throws {
        #expect(try server(nil).call("GET", "/page/settings.json").json["voice"] == .null)
    }

    @Test func `the client's option has a URL and a digest of its length`() {
        let url = "https://cdn.example/livekit.js"
        for (name, count) in [("sha256", 44), ("sha384", 64), ("sha512", 88)] {
            #expect(VoiceClient(option: "\(url)#\(name)-" + String(repeating: "b", count: count)) != nil)
            #expect(VoiceClient(option: "\(url)#\(name)-" + String(repeating: "b", count: count - 1)) == nil)
        }
        #expect(VoiceClient(option: "http://127.0.0.1:9/livekit.js#\(Self.digest)")?.origin == "http://127.0.0.1:9")
        for option in [
            url, "\(url)#", "#\(Self.digest)", "\(url)#md5-" + String(repeating: "a", count: 24), "\(url)#\(Self.digest)#",
            "http://cdn.example/livekit.js#\(Self.digest)", "/livekit.js#\(Self.digest)",
            "https://cdn.example/a;script-src#\(Self.digest)", "https://user@cdn.example/livekit.js#\(Self.digest)",
            "\(url)#sha384-" + String(repeating: "a", count: 60) + "'; x", "\(url)#sha384-" + String(repeating: "=", count: 64),
        ] {
            #expect(VoiceClient(option: option) == nil, "\(option)")
        }
    }
}

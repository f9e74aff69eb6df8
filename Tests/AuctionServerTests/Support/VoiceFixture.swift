import AuctionServer
import AuctionTestKit
import Cryptography
import EventLog
import ExactJSON
import Testing

/// A room on a server with an RTC service.
struct VoiceFixture {
    static let key = "APIvoice"
    static let secret = "the-secret-of-the-voice-of-these-tests"

    /// Nothing listens at the usual address.
    static func options(
        _ server: String = "livekit:ws://127.0.0.1:9", admitsAnonymous: Bool = false, client: VoiceClient? = nil
    ) throws -> VoiceOptions {
        VoiceOptions(
            try #require(VoiceServer(option: server)), key: key, secret: Array(secret.utf8), admitsAnonymous: admitsAnonymous,
            client: client)
    }

    let room: RoomFixture

    /// - Parameter systemClock: Whether the real clock is used; nil: if there is an RTC service.
    init(
        _ liveKit: LiveKitServer? = nil, log: any EventLog = InMemoryEventLog(), visibility: String = "public",
        admitsAnonymous: Bool = false, systemClock: Bool? = nil, _ configure: (inout ServerOptions) -> Void = { _ in }
    ) throws {
        let usual = "livekit:ws://127.0.0.1:9"
        let options = try Self.options(liveKit?.option ?? usual, admitsAnonymous: admitsAnonymous)
        let server = try TestServer(log: log, systemClock: systemClock ?? (liveKit != nil)) { settings in
            settings.voice = options
            configure(&settings)
        }
        room = try RoomFixture(server, visibility: visibility)
    }

    func take(by guest: Guest? = nil) throws -> HTTPResponse { try room.call("POST", "/stage/voice", by: guest) }

    /// Whether the user's next token lets them speak.
    func speaks(_ guest: Guest) throws -> Bool {
        let claims = try Self.claims(of: try take(by: guest))
        return claims["video"]?["canPublish"] == .bool(true)
    }

    /// Seats a member by request.
    func seat(_ guest: Guest) throws {
        let id = try #require(try room.call("POST", "/stage/requests", ["role": "bidder"], by: guest).text("id"))
        try #require(try room.call("POST", "/stage/\(id)/accept", by: room.host).status == 200)
        try #require(try room.call("POST", "/stage/\(id)/confirm", by: guest).status == 200)
    }

    /// The claims of a token, whose signature is computed here from the definition of HMAC (RFC 2104).
    static func claims(of response: HTTPResponse) throws -> JSONValue {
        try #require(response.status == 200, "\(response.bodyText)")
        return try claims(of: try #require(response.text("token")))
    }

    static func claims(of token: String) throws -> JSONValue {
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        let signed = Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        let block = Array(secret.utf8) + [UInt8](repeating: 0, count: 64 - secret.utf8.count)
        let inner = Array(SHA256.hash(data: block.map { $0 ^ 0x36 } + signed))
        let code = Array(SHA256.hash(data: block.map { $0 ^ 0x5C } + inner))
        #expect(bytes(ofBase64URL: parts[2]) == code, "the signature")
        #expect(String(decoding: bytes(ofBase64URL: parts[0]), as: UTF8.self) == #"{"alg":"HS256","typ":"JWT"}"#)
        return try JSONReader.read(bytes(ofBase64URL: parts[1]))
    }

    private static func bytes(ofBase64URL text: Substring) -> [UInt8] {
        let usual = text.replacing("-", with: "+").replacing("_", with: "/")
        return WebhookReceiver.bytes(ofBase64: usual[...])
    }
}

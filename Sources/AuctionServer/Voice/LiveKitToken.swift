internal import AuctionDomain
internal import Cryptography
internal import EventLog
internal import ExactJSON

/// Tokens that a LiveKit server accepts: JWTs signed with HMAC-SHA256 by the key that it shares with this server.
struct LiveKitToken: Sendable {
    /// How long a participant's token is valid, in seconds: long enough to join with, as it is used for nothing else.
    static let lifetimeSeconds: Int64 = 600
    /// How long the token of a call is valid.
    private static let callSeconds: Int64 = 60
    /// What the identity of an anonymous viewer begins with; the rest are 32 hexadecimal digits.
    static let anonymousPrefix = "listener_"
    private static let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))

    private let options: VoiceOptions

    init(_ options: VoiceOptions) { self.options = options }

    /// The token of a participant.
    /// - Parameters:
    ///   - identity: The user's id, or a random one.
    ///   - name: What others see; nil for an anonymous viewer.
    ///   - speaks: Whether they may open a microphone, the one source that there ever is.
    func participant(
        _ identity: String, name: String?, in room: RoomID, speaks: Bool, at now: Timestamp
    ) -> (text: String, expiresAt: Timestamp) {
        let issued = now.milliseconds / 1000
        let expires = issued + Self.lifetimeSeconds
        let text = sign { json in
            json.member("sub", identity)
            if let name { json.member("name", name) }
            json.member("nbf", Int(issued))
            json.member("exp", Int(expires))
            json.member(
                "video",
                object: { json in
                    json.member("roomJoin", true)
                    json.member("room", room)
                    json.member("canSubscribe", true)
                    json.member("canPublish", speaks)
                    if speaks { json.member("canPublishSources", strings: ["microphone"]) }
                    json.member("canPublishData", false)
                })
        }
        return (text, Timestamp(milliseconds: expires * 1000))
    }

    /// The token of one call to LiveKit's server.
    func service(_ call: VoiceCall, at now: Timestamp) -> String {
        let issued = now.milliseconds / 1000
        return sign { json in
            json.member("nbf", Int(issued))
            json.member("exp", Int(issued + Self.callSeconds))
            json.member(
                "video",
                object: { json in
                    // Who makes rooms may delete them.
                    json.member(call.order == .deleteRoom ? "roomCreate" : "roomAdmin", true)
                    json.member("room", call.room)
                })
        }
    }

    private func sign(_ claims: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("iss", options.key)
            claims(&json)
        }
        let signed = Self.header + "." + Base64URL.encode(json.bytes)
        return signed + "." + Base64URL.encode(Array(options.signer.code(for: Array(signed.utf8))))
    }
}

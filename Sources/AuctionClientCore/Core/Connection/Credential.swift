/// A token of the caller.
public struct Credential: Hashable, Sendable {
    /// A JWT, as `POST /v1/guests` or the operator's identity provider issues it.
    public let token: String

    /// A credential from a token.
    public init(token: String) { self.token = token }

    /// The issuer and the subject that the token states; nil if it is no JWT that can be read. The service checks tokens. This tells
    /// only whether two of them belong to the same user.
    public var subject: String? {
        guard let claims, let subject = claims["sub"]?.string else { return nil }
        return "\(claims["iss"]?.string ?? "")|\(subject)"
    }

    /// The user's id, which tokens of the service itself state. Nil for a user of an identity provider: the service derives that id from
    /// the token in its own way.
    var userId: String? {
        guard let claims, claims["iss"]?.string == "auction-room", let subject = claims["sub"]?.string,
            subject.hasPrefix("user_")
        else { return nil }
        return subject
    }

    /// When the token expires, in whole seconds; nil if it does not state that, or is no JWT that can be read.
    var expiresAt: ServerTime? {
        guard case .number(let literal)? = claims?["exp"], let seconds = Int64(literal.prefix { $0 != "." }),
            (0...253_402_300_799).contains(seconds)
        else { return nil }
        return ServerTime(milliseconds: seconds * 1000)
    }

    private var claims: JSONValue? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Self.decoded(parts[1]) else { return nil }
        return JSONValue(readable: payload)
    }

    /// Base64 with the alphabet for addresses (RFC 4648, section 5), without padding.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            guard let value = sextet(character) else { return nil }
            buffer = (buffer << 6 | value) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes
    }

    private static func sextet(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// Who follows a room, as far as the token tells.
enum Follower: Hashable, Sendable {
    /// There is no token.
    case anonymous
    /// A user by their id.
    case user(String)
    /// A user whose id the token does not have.
    case unknown

    init(_ credential: Credential?) {
        guard let credential else {
            self = .anonymous
            return
        }
        self = credential.userId.map { Follower.user($0) } ?? .unknown
    }
}

/// What the service has just refused: a token, or having none.
struct RejectedCredential: Hashable, Sendable {
    let credential: Credential?
}

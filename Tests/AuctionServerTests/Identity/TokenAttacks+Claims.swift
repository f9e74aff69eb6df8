@testable import AuctionServer
import ExactJSON
import Foundation

// Attacks by damaged tokens and by invalid claims.
extension TokenAttacks {
    /// A valid token with damaged bytes or syntax.
    func corrupted() throws -> [TokenAttack] {
        let token = try issuer.token()
        let parts = token.split(separator: ".").map(String.init)
        let (header, payload, signature) = (parts[0], parts[1], parts[2])
        let richer = Base64URL.encode(Array(Claims.with("sub", "\"bob\"").utf8))
        let bytes = Base64URL.decode(signature.utf8) ?? []
        var flipped = bytes
        flipped[10] ^= 1
        func signed(_ name: String, _ bytes: [UInt8]) -> TokenAttack {
            TokenAttack(name: name, token: "\(header).\(payload).\(Base64URL.encode(bytes))")
        }
        let order = Base64URL.decode("_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE".utf8) ?? []
        let one = [UInt8](repeating: 0, count: 31) + [1]
        return [
            TokenAttack(name: "another payload", token: "\(header).\(richer).\(signature)"),
            signed("a flipped bit", flipped), signed("an empty signature", []), signed("a short signature", bytes.dropLast()),
            signed("a long signature", bytes + [0]), signed("r = s = 0", [UInt8](repeating: 0, count: 64)),
            signed("r = s = the curve's order", order + order), signed("r = 1, s = 0", one + [UInt8](repeating: 0, count: 32)),
            signed("all ones", [UInt8](repeating: 255, count: 64)),
            signed("a signature in DER", [0x30, 0x44, 0x02, 0x20] + bytes.prefix(32) + [0x02, 0x20] + bytes.suffix(32)),
            TokenAttack(name: "no signature part", token: "\(header).\(payload)"),
            TokenAttack(name: "four parts", token: token + ".AA"),
            TokenAttack(name: "five parts, as if encrypted", token: token + ".AA.AA"),
            TokenAttack(name: "a dot more", token: token + "."), TokenAttack(name: "padding", token: token + "=="),
            TokenAttack(name: "padding within", token: "\(header).\(payload)=.\(signature)"),
            TokenAttack(name: "trailing bits", token: String(token.dropLast()) + Self.otherSpelling(of: token.last)),
            TokenAttack(name: "plain base64's alphabet", token: "\(header).\(payload).\(Self.plain(bytes))"),
            TokenAttack(name: "a character of no alphabet", token: "\(header).\(payload)!.\(signature)"),
            TokenAttack(
                name: "the JSON form", token: #"{"protected":"\#(header)","payload":"\#(payload)","signature":"\#(signature)"}"#
            ),
        ]
    }

    /// A non-canonical last digit: of 64 bytes, it carries two bits of the signature and four that must be zero.
    private static func otherSpelling(of last: Character?) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let index = last.flatMap { alphabet.firstIndex(of: $0) } ?? 0
        return String(alphabet[index ^ 1])
    }

    private static func plain(_ bytes: [UInt8]) -> String {
        // With a byte that base64 and base64url encode differently.
        Data(bytes.dropLast(3) + [0xFB, 0xEF, 0xBE]).base64EncodedString()
    }

    /// Correctly signed tokens with invalid claims.
    func claims() throws -> [TokenAttack] {
        let now = Claims.now
        let wrong: [(String, String, String?)] = [
            ("no exp", "exp", nil), ("exp null", "exp", "null"), ("exp a text", "exp", "\"\(now + 3600)\""),
            ("exp beyond all time", "exp", "1e300"), ("exp negative", "exp", "-1"), ("exp in an array", "exp", "[\(now + 60)]"),
            ("exp in milliseconds", "exp", "\(now + 3600)000"), ("nbf in the future", "nbf", String(now + 60)),
            ("nbf a text", "nbf", "\"\(now)\""), ("iat in the future", "iat", String(now + 60)),
            ("iat a text", "iat", "\"now\""),
            ("no iss", "iss", nil), ("another iss", "iss", "\"https://evil.example\""),
            ("iss in an array", "iss", "[\"\(TokenIssuer.issuer)\"]"),
            ("iss with a slash", "iss", "\"\(TokenIssuer.issuer)/\""),
            ("iss in capitals", "iss", "\"HTTPS://ID.EXAMPLE\""), ("this server's own iss", "iss", "\"auction-room\""),
            ("no aud", "aud", nil), ("another aud", "aud", "\"payments\""), ("aud of others", "aud", "[\"payments\",\"mail\"]"),
            ("aud empty", "aud", "[]"), ("aud that begins like ours", "aud", "\"\(TokenIssuer.audience)2\""),
            ("aud with what is no text", "aud", "[\"\(TokenIssuer.audience)\",1]"), ("aud a star", "aud", "\"*\""),
            ("aud an object", "aud", "{\"\(TokenIssuer.audience)\":true}"), ("no sub", "sub", nil),
            ("sub empty", "sub", "\"\""),
            ("sub a number", "sub", "7"), ("sub an object", "sub", "{}"), ("sub null", "sub", "null"),
            ("sub too long", "sub", "\"" + String(repeating: "x", count: 256) + "\""), ("no name", "name", nil),
            ("name blank", "name", "\"  \""), ("name a number", "name", "1"), ("jti a number", "jti", "1"),
        ]
        let corrupted = try wrong.map { name, claim, json in
            TokenAttack(name: name, token: try issuer.token(claims: Claims.with(claim, json)))
        }
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        return corrupted + [
            TokenAttack(
                name: "expired", token: try issuer.token(claims: Claims.with("exp", String(now))), code: "token.expired"),
            TokenAttack(
                name: "expired long ago", token: try issuer.token(claims: Claims.with("exp", "1")), code: "token.expired"),
            TokenAttack(name: "nested deeply", token: try issuer.token(claims: Claims.with("x", deep))),
            TokenAttack(
                name: "sub twice", token: try issuer.token(claims: String(Claims().text.dropLast()) + #","sub":"bob"}"#)),
            TokenAttack(
                name: "exp twice", token: try issuer.token(claims: String(Claims().text.dropLast()) + #","exp":9999999999}"#)),
            TokenAttack(name: "claims that are no object", token: try issuer.token(claims: "[]")),
            TokenAttack(name: "claims that are no JSON", token: try issuer.token(claims: "sub=alice")),
            TokenAttack(name: "claims and more", token: try issuer.token(claims: Claims().text + "{}")),
            TokenAttack(name: "no claims", token: try issuer.token(claims: "")),
        ]
    }
}

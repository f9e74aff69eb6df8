import AuctionDomain
import AuctionServer
import Cryptography
import Foundation

/// The input is used as a token, as a claim set that is signed correctly, and as a change of one byte in a valid token.
enum TokenTarget {
    private static let secret = Array("a secret of at least thirty-two bytes".utf8)
    private static let person = Person(id: UserID(bits: 7), nickname: "Ann \"甲\"")
    private static let good = TokenProbe.token(for: person, secret: secret, at: Timestamp(milliseconds: 1_764_000_000_000))

    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        let text = String(decoding: input, as: UTF8.self)
        // Without the secret no input may be a valid token, except the one signed here.
        try require(
            TokenProbe.person(in: text, secret: secret) == nil || text == good,
            "a token that was not signed with the secret is accepted")
        _ = TokenProbe.person(in: signed(claims: input), secret: secret)
        try require(TokenProbe.person(in: good, secret: secret) == person, "a valid token is refused")
        guard input.count >= 3 else { return }
        var changed = Array(good.utf8)
        let place = (Int(input[0]) << 8 | Int(input[1])) % changed.count
        guard changed[place] != input[2] else { return }
        changed[place] = input[2]
        let forged = String(decoding: changed, as: UTF8.self)
        try require(TokenProbe.person(in: forged, secret: secret) == nil, "a changed token is accepted: \(forged)")
    }

    private static func signed(claims: [UInt8]) -> String {
        let header = good.prefix { $0 != "." }
        let signed = header + "." + base64URL(claims)
        let code = HMACSHA256(key: secret).code(for: Array(signed.utf8))
        return signed + "." + base64URL(Array(code))
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

internal import Cryptography
internal import EventLog

/// A code by which another device gets a token of the same user: short enough to be typed, one-time, and of five minutes.
///
/// There are 850 billion; an address has five wrong tries in a minute (`RequestLimits.wrongCodesPerMinute`).
struct PairingCode: Hashable, Sendable {
    static let lifetimeMilliseconds: Int64 = 5 * 60_000
    /// Letters and digits of which no two look alike: neither I, L, O nor 0, 1.
    private static let alphabet = Array("ABCDEFGHJKMNPQRSTUVWXYZ23456789".utf8)
    private static let length = 8

    /// Eight letters and digits.
    let text: String

    /// - Parameter random: The source of random numbers; how many are taken depends on them.
    init(random: () -> UInt64) {
        var letters: [UInt8] = []
        while letters.count < Self.length {
            var bits = random()
            // Five bits for each; one of the 32 values is no letter, and is passed over, so that all codes are equally likely.
            for _ in 0..<12 where letters.count < Self.length {
                if Int(bits & 31) < Self.alphabet.count { letters.append(Self.alphabet[Int(bits & 31)]) }
                bits >>= 5
            }
        }
        text = String(decoding: letters, as: UTF8.self)
    }

    /// Reads what a user has typed, in any case, with spaces or hyphens; nil if it is no code.
    init?(_ typed: String) {
        let letters = typed.uppercased().utf8.filter { $0 != 0x20 && $0 != UInt8(ascii: "-") }
        guard letters.count == Self.length, letters.allSatisfy({ Self.alphabet.contains($0) }) else { return nil }
        text = String(decoding: letters, as: UTF8.self)
    }
}

/// What the log names codes by: useless to a reader of the log without the secret of the service, which all nodes share.
struct PairingKeys: Sendable {
    private let secret: HMACSHA256

    /// - Parameter secret: the token secret. A separate key is derived from it, so that it signs nothing but tokens.
    init(secret: [UInt8]) {
        self.secret = HMACSHA256(key: Array(HMACSHA256(key: secret).code(for: Array("auction-room codes of pairing".utf8))))
    }

    func key(of code: PairingCode) -> String { Array(secret.code(for: Array(code.text.utf8))).hexadecimal }
}

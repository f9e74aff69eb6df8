internal import AuctionDomain
internal import Crypto
internal import ExactJSON

// The private part of an event, stored separately from the public bytes so that no stream can send it.
extension EventBody {
    /// The private part as UTF-8 JSON; nil if the event has none.
    func privateBytes(in currency: Currency) -> [UInt8]? {
        switch self {
        case .roomOpened(let opened): Self.bytes { $0.member("inviteCode", opened.inviteCode) }
        case .memberCreditLimitChanged(_, let limit, _): Self.bytes { $0.member("creditLimit", limit, in: currency) }
        case .itemUploaded(let item): Self.reserve(of: item.rules, currency)
        case .rulesAdjusted(_, let rules, _): Self.reserve(of: rules, currency)
        case .drawCommitted(let seed): Self.bytes { $0.member("seed", DrawSeed.text(seed)) }
        case .bidPlaced(let placed):
            if placed.isSealed || placed.maximum != nil {
                Self.bytes { json in
                    if placed.isSealed { json.member("amount", placed.amount, in: currency) }
                    if let maximum = placed.maximum { json.member("maximum", maximum, in: currency) }
                }
            } else {
                nil
            }
        case .maximumRaised(let raised): Self.bytes { $0.member("maximum", raised.maximum, in: currency) }
        default: nil
        }
    }

    private static func reserve(of rules: AuctionRules, _ currency: Currency) -> [UInt8]? {
        guard let reserve = rules.reservePrice else { return nil }
        return bytes { $0.member("reservePrice", reserve, in: currency) }
    }

    private static func bytes(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(reserving: 64)
        json.object { write(&$0) }
        return json.bytes
    }
}

/// The text form of a draw's seed: 32 hexadecimal digits. The published hash is the SHA-256 of that text.
enum DrawSeed {
    static func text(_ seed: UInt128) -> String { hexadecimal(seed, digits: 32) }

    static func seed(_ text: String) -> UInt128? { text.utf8.count == 32 ? UInt128(text, radix: 16) : nil }

    static func hash(_ seed: UInt128) -> String {
        var hasher = SHA256()
        hasher.update(data: Array(text(seed).utf8))
        return hasher.finalize().map { hexadecimal(UInt128($0), digits: 2) }.joined()
    }

    private static func hexadecimal(_ value: UInt128, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }
}

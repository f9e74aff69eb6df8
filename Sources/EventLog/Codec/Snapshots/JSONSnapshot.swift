internal import AuctionDomain
internal import ExactJSON
internal import Foundation

/// Decodes snapshots of earlier programs, which were JSON: the bids, which are nearly all of a long round, by a scanner of the form in
/// which these programs wrote them, at a fraction of the cost of `JSONDecoder`; the rest, and bids in any other form, by that.
enum JSONSnapshot {
    /// The beginning of the member with the bids. Inside of strings quotes are escaped, so only a member has these bytes.
    private static let bidsMember = Array("\"bids\":[".utf8)

    static func decode(_ bytes: [UInt8]) throws -> SnapshotEnvelope {
        if let (bids, place) = scan(bytes) {
            let frame = bytes[..<place.lowerBound] + bytes[place.upperBound...]
            // Exactly one member with this name is left, the one that was scanned.
            if position(of: bidsMember, in: Array(frame)) != nil {
                let envelope = try JSONDecoder().decode(SnapshotEnvelope.self, from: Data(frame))
                return SnapshotEnvelope(envelope.room.with(BidHistory(bids)), version: envelope.version)
            }
        }
        return try JSONDecoder().decode(SnapshotEnvelope.self, from: Data(bytes))
    }

    /// The bids, and where the elements of their array are; nil if they have another form.
    static func scan(_ bytes: [UInt8]) -> (bids: [Bid], place: Range<Int>)? {
        var start = 0
        while let quote = bytes[start...].firstIndex(of: bidsMember[0]) {
            start = quote + 1
            guard bytes[quote...].starts(with: bidsMember) else { continue }
            var scanner = BidScanner(bytes, at: quote + bidsMember.count)
            guard let bids = scanner.bids() else { return nil }
            return (bids, (quote + bidsMember.count)..<scanner.index)
        }
        return nil
    }

    /// Where `pattern` begins; nil unless it is there exactly once.
    private static func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        var found: Int?
        var start = 0
        while let quote = bytes[start...].firstIndex(of: pattern[0]) {
            if bytes[quote...].starts(with: pattern) {
                guard found == nil else { return nil }
                found = quote
            }
            start = quote + 1
        }
        return found
    }
}

/// Reads bids as earlier programs wrote them: sorted members, no spaces. Every function returns nil or false for anything else.
private struct BidScanner {
    private let bytes: [UInt8]
    /// Position of the next byte.
    private(set) var index: Int
    /// The bidders so far: their bids share one nickname in memory.
    private var people: [UserID: Person] = [:]

    init(_ bytes: [UInt8], at index: Int) {
        self.bytes = bytes
        self.index = index
    }

    /// The elements of the array up to its closing bracket, which is not consumed.
    mutating func bids() -> [Bid]? {
        var bids: [Bid] = []
        guard peek != UInt8(ascii: "]") else { return bids }
        while let bid = bid() {
            bids.append(bid)
            if peek == UInt8(ascii: "]") { return bids }
            guard take(",") else { return nil }
        }
        return nil
    }

    private mutating func bid() -> Bid? {
        guard take("{\"amount\":"), let amount = number(), take(",\"at\":"), let at = number(), take(",\"automatic\":"),
            let automatic = flag()
        else { return nil }
        var (beatenMaximum, maximum): (Money?, Money?)
        if take(",\"beatenMaximum\":") {
            guard let units = number() else { return nil }
            beatenMaximum = Money(minorUnits: units)
        }
        guard take(",\"bidder\":{\"id\":"), let user = identifier(UserKind.self), take(",\"nickname\":"),
            let bidder = person(user), take("},\"id\":"), let id = identifier(BidKind.self), take(",\"leading\":"),
            let leading = flag()
        else { return nil }
        if take(",\"maximum\":") {
            guard let units = number() else { return nil }
            maximum = Money(minorUnits: units)
        }
        guard take(",\"seq\":"), let seq = number(), take("}") else { return nil }
        return Bid(
            id: id, seq: Int(seq), at: Timestamp(milliseconds: at), amount: Money(minorUnits: amount), bidder: bidder,
            leading: leading, automatic: automatic, maximum: maximum, beatenMaximum: beatenMaximum)
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Consumes `text` if it is next.
    private mutating func take(_ text: String) -> Bool {
        let expected = text.utf8Span.span
        guard bytes.count - index >= expected.count else { return false }
        for offset in expected.indices where bytes[index + offset] != expected[offset] { return false }
        index += expected.count
        return true
    }

    private mutating func number() -> Int64? {
        let isNegative = take("-")
        let start = index
        var value: Int64 = 0
        while let byte = peek, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            // More digits may not fit; none of the numbers has as many.
            guard index - start < 18 else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            index += 1
        }
        guard index > start, bytes[start] != UInt8(ascii: "0") || index == start + 1 else { return nil }
        return isNegative ? 0 - value : value
    }

    private mutating func flag() -> Bool? { take("true") ? true : take("false") ? false : nil }

    private mutating func identifier<Kind: IdentifierKind>(_ kind: Kind.Type) -> Identifier<Kind>? {
        let end = index + 1 + Identifier<Kind>.textLength
        guard end < bytes.count, take("\""), let id = Identifier<Kind>(bytes.span.extracting(index..<end)) else { return nil }
        index = end
        return take("\"") ? id : nil
    }

    /// The bidder whose nickname is next.
    private mutating func person(_ id: UserID) -> Person? {
        let start = index
        guard take("\"") else { return nil }
        while let byte = peek, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
        guard take("\"") else { return nil }
        let quoted = bytes[start..<index]
        // An escaped nickname is decoded each time: its bytes may be those of another nickname.
        let isPlain = !quoted.contains(UInt8(ascii: "\\"))
        if isPlain, let known = people[id], known.nickname.utf8.elementsEqual(quoted.dropFirst().dropLast()) { return known }
        guard case .string(let nickname)? = try? JSONReader.read(Array(quoted)) else { return nil }
        let person = Person(id: id, nickname: nickname)
        people[id] = person
        return person
    }
}

import AuctionDomain
import Foundation
import Testing

struct MoneyTests {
    private let yen = Currency(code: "JPY")
    private let dinar = Currency(code: "KWD")

    @Test(arguments: [
        ("120", 12000), ("120.5", 12050), ("120.50", 12050), ("0.01", 1), ("007", 700),
        ("90071992547409.91", 9_007_199_254_740_991),
    ])
    func `a decimal literal is parsed exactly`(text: String, minorUnits: Int64) throws {
        #expect(try Currency.cny.money(text) == Money(minorUnits: minorUnits))
    }

    @Test(arguments: [
        "", ".", "1.", ".5", "-1", "+1", "1e3", "1,000", "1.005", "0", "0.00", "NaN", "inf", "１２", " 1", "1 ",
        "90071992547409.92", "99999999999999999999999999",
    ])
    func `any other literal is refused, never rounded`(text: String) {
        #expect(throws: MoneyError.self) { try Currency.cny.money(text) }
    }

    @Test func `zero is accepted only where it is explicitly allowed`() throws {
        #expect(try Currency.cny.money("0.00", allowsZero: true) == Money(minorUnits: 0))
    }

    @Test func `a currency without minor units refuses fractions`() throws {
        let yen = try #require(yen)
        #expect(try yen.money("500") == Money(minorUnits: 500))
        #expect(throws: MoneyError.self) { try yen.money("500.0") }
        #expect(yen.text(Money(minorUnits: 500)) == "500")
    }

    @Test func `amounts are formatted with the fraction digits of the currency`() throws {
        let dinar = try #require(dinar)
        #expect(Currency.cny.text(Money(minorUnits: 5)) == "0.05")
        #expect(Currency.cny.text(Money(minorUnits: 12000)) == "120.00")
        #expect(dinar.text(Money(minorUnits: 1)) == "0.001")
        #expect(Currency.cny.text(.maximum) == "90071992547409.91")
    }

    @Test func `a sum saturates at the maximum amount`() {
        #expect(Money.maximum + Money(minorUnits: 1) == .maximum)
        #expect(Money(minorUnits: .max) + Money(minorUnits: .max) == .maximum)
    }

    @Test func `currencies that countries have introduced since 2021 are known`() {
        for code in ["SLE", "VED", "XCG", "ZWG"] { #expect(Currency(code: code)?.digits == 2, "\(code)") }
    }

    @Test func `an unknown currency code is rejected`() {
        #expect(Currency(code: "XXQ") == nil)
        #expect(Currency(code: "cny") == nil)
    }
}

struct IdentifierTests {
    @Test func `an id is parsed from its own text`() throws {
        var source = IdentifierSource(instant: Timestamp(milliseconds: 1_767_225_600_000), seed: 99)
        let id: BidID = source.next()
        #expect(id.description.hasPrefix("bid_"))
        #expect(id.description.utf8.count == 30)
        #expect(BidID(id.description) == id)
        #expect(RoomID(id.description) == nil)
    }

    @Test func `the digits of an id are its bits in Crockford's base 32`() {
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
        var random = SplitMix64(seed: 5)
        var numbers: [UInt128] = [0, .max, 1, 1 << 127] + (0..<128).map { UInt128.max >> $0 }
        for _ in 0..<1000 { numbers.append(UInt128(random.next()) << 64 | UInt128(random.next())) }
        for bits in numbers {
            let digits = (0..<26).map { alphabet[Int(truncatingIfNeeded: bits >> (125 - 5 * UInt128($0))) & 31] }
            let id = BidID(bits: bits)
            #expect(id.description == "bid_" + String(digits))
            #expect(id.bits == bits)
            #expect(BidID(id.description) == id)
        }
    }

    @Test(arguments: [
        "", "bid_", "bid_0", "bid_8zzzzzzzzzzzzzzzzzzzzzzzzz", "bid_0000000000000000000000000i",
        "bid_0000000000000000000000000A",
    ])
    func `a malformed id is rejected`(text: String) {
        #expect(BidID(text) == nil)
    }

    @Test func `the seed for a draw is the given one, regardless of generated identifiers`() {
        let bits = UInt128.max - 6
        var source = IdentifierSource(instant: Timestamp(milliseconds: 1000), seed: 1, drawSeed: DrawSeed(bits: bits))
        let _: BidID = source.next()
        #expect(source.drawSeed?.bits == bits)
    }

    @Test func `the seed for a draw is in snapshots as the number that it is`() throws {
        for bits in [0, 7, UInt128.max - 6] {
            let text = Data("[\(bits)]".utf8)
            #expect(try JSONEncoder().encode([DrawSeed(bits: bits)]) == text)
            #expect(try JSONDecoder().decode([DrawSeed].self, from: text) == [DrawSeed(bits: bits)])
        }
    }

    @Test func `later ids sort after earlier ones`() {
        var early = IdentifierSource(instant: Timestamp(milliseconds: 1000), seed: .max)
        var late = IdentifierSource(instant: Timestamp(milliseconds: 1001), seed: 0)
        let (first, second): (UserID, UserID) = (early.next(), late.next())
        #expect(first < second)
        #expect(first.description < second.description)
    }
}

struct IdentifierHashTests {
    @Test func `ids that differ in few bits have different hashes, also in few bits of them`() {
        var random = SplitMix64(seed: 6)
        for _ in 0..<64 {
            let first = UInt128(random.next()) << 64 | UInt128(random.next())
            let near = (0..<128).map { UserID(bits: first ^ 1 << UInt128($0)) }
            #expect(Set(near.map(\.hashValue)).count == 128)
            // Of 128 numbers in 1,024 places, 120 places are taken if they are spread by chance.
            #expect(Set(near.map { $0.hashValue & 1023 }).count > 90)
            #expect(UserID(bits: first).hashValue == UserID(bits: first).hashValue)
        }
    }
}

struct TimestampTests {
    @Test func `instants of two centuries are formatted and parsed again`() {
        for days in stride(from: Int64(-20_000), to: 60_000, by: 13) {
            let instant = Timestamp(milliseconds: days * 86_400_000 + (days * 7_919_317) % 86_400_000)
            #expect(Timestamp(rfc3339: instant.description) == instant)
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_767_225_600_125, "2026-01-01T00:00:00.125Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
    ])
    func `an instant is formatted as RFC 3339 and parsed again`(milliseconds: Int64, text: String) {
        let instant = Timestamp(milliseconds: milliseconds)
        #expect(instant.description == text)
        #expect(Timestamp(rfc3339: text) == instant)
    }

    @Test(arguments: [
        "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01T00:00:00Z",
        "2026-01-01 00:00:00.000Z", "2026-01-01T00:00:00.000+01:00", "",
    ])
    func `a malformed instant is refused`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }
}

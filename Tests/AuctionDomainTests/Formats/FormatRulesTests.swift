import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

struct FormatRulesTests {
    private func field(_ change: (inout AuctionRules) -> Void, to rules: AuctionRules) throws -> String? {
        var changed = rules
        change(&changed)
        let scenario = try Scenario.withMembers()
        let refusal = scenario.refusal(of: .uploadItem(Scenario.item(changed)), by: scenario.auctioneer)
        guard let refusal else { return nil }
        guard case .malformed(let field) = refusal.kind else { throw refusal }
        #expect(refusal.text.english.contains(field))
        #expect(refusal.text.chinese.contains(field))
        return field
    }

    private let amount = { Money(minorUnits: $0) }

    @Test func `prices that are out of order are refused, naming the field`() throws {
        let rules = FormatFixture.rules(reserve: 200, buyNow: 500)
        #expect(try field({ _ in }, to: rules) == nil)
        #expect(try field({ $0.startingPrice = amount(201) }, to: rules) == "rules.reservePrice")
        #expect(try field({ $0.buyNowPrice = amount(199) }, to: rules) == "rules.buyNowPrice")
        #expect(try field({ ($0.reservePrice, $0.buyNowPrice) = (nil, amount(99)) }, to: rules) == "rules.buyNowPrice")
        #expect(
            try field({ ($0.startingPrice, $0.buyNowPrice) = (amount(200), amount(200)) }, to: rules) == nil)
    }

    @Test func `an English auction refuses the fields of other formats`() throws {
        let rules = FormatFixture.rules()
        #expect(try field({ $0.floorPrice = amount(10) }, to: rules) == "rules.floorPrice")
        #expect(try field({ $0.dutchTick = Seconds(1) }, to: rules) == "rules.dutchTickSeconds")
        #expect(try field({ $0.tie = .draw }, to: rules) == "rules.tie")
    }

    @Test func `a Dutch auction needs a floor, a tick and a fixed increment`() throws {
        let rules = FormatFixture.dutch()
        #expect(try field({ _ in }, to: rules) == nil)
        #expect(try field({ $0.floorPrice = nil }, to: rules) == "rules.floorPrice")
        #expect(try field({ $0.floorPrice = amount(101) }, to: rules) == "rules.floorPrice")
        #expect(try field({ $0.dutchTick = nil }, to: rules) == "rules.dutchTickSeconds")
        #expect(try field({ $0.increment = .percent(basisPoints: 500) }, to: rules) == "rules.increment")
        #expect(try field({ $0.reservePrice = amount(100) }, to: rules) == "rules.reservePrice")
        #expect(try field({ $0.buyNowPrice = amount(100) }, to: rules) == "rules.buyNowPrice")
        #expect(try field({ $0.tie = .draw }, to: rules) == "rules.tie")
    }

    @Test func `a Dutch auction has at most 10,000 drops`() throws {
        let rules = FormatFixture.dutch(start: 10_001, step: 1, floor: 1)
        #expect(try field({ _ in }, to: rules) == nil)
        #expect(try field({ $0.startingPrice = amount(10_002) }, to: rules) == "rules.increment")
        #expect(try field({ $0.startingPrice = .maximum }, to: rules) == "rules.increment")
    }

    @Test(arguments: [AuctionFormatName.sealedFirstPrice, .vickrey])
    func `a sealed auction has no buy-now price, and may draw ties`(_ name: AuctionFormatName) throws {
        let rules = FormatFixture.sealed(name, reserve: 200, tie: .draw)
        #expect(try field({ _ in }, to: rules) == nil)
        #expect(try field({ $0.buyNowPrice = amount(500) }, to: rules) == "rules.buyNowPrice")
        #expect(try field({ $0.floorPrice = amount(50) }, to: rules) == "rules.floorPrice")
        #expect(try field({ $0.dutchTick = Seconds(5) }, to: rules) == "rules.dutchTickSeconds")
        #expect(try field({ $0.reservePrice = amount(99) }, to: rules) == "rules.reservePrice")
    }

    @Test func `an unknown format is refused with the list of known formats`() throws {
        #expect(try field({ $0.format = AuctionFormatName(rawValue: "candle") }, to: FormatFixture.rules()) == "rules.format")
    }
}

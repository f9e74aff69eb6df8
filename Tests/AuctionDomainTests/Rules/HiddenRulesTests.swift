import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

/// Responses to a host who does not own the item must not depend on the existence of a reserve price.
struct HiddenRulesTests {
    private static let one = Money(minorUnits: 1)

    /// Each field with valid and invalid values.
    private static let patches: [RulesPatch] = {
        func patch(_ change: (inout RulesPatch) -> Void) -> RulesPatch {
            var patch = RulesPatch()
            change(&patch)
            return patch
        }
        let formats = ["english", "dutch", "sealedFirstPrice", "vickrey", "candle"].map { AuctionFormatName(rawValue: $0) }
        var patches: [RulesPatch] = [
            patch { $0.startingPrice = one }, patch { $0.reservePrice = .some(one) }, patch { $0.reservePrice = .some(nil) },
            patch { $0.buyNowPrice = .some(one) }, patch { $0.buyNowPrice = .some(nil) },
            patch { $0.floorPrice = .some(one) }, patch { $0.floorPrice = .some(nil) },
            patch { $0.increment = .percent(basisPoints: 500) }, patch { $0.increment = .fixed(.maximum) },
            patch { $0.listing = Seconds(7) }, patch { $0.bidding = Seconds(7) }, patch { $0.countdown = .fixed },
            patch { $0.extendWindow = Seconds(7) }, patch { $0.extendBy = Seconds(7) },
            patch { $0.maxDuration = .some(Seconds(70)) }, patch { $0.maxDuration = .some(nil) },
            patch { $0.dutchTick = .some(Seconds(7)) }, patch { $0.dutchTick = .some(nil) }, patch { $0.tie = .draw },
            patch { $0.tie = .earliest },
        ]
        for format in formats {
            patches.append(patch { $0.format = format })
            patches.append(
                patch {
                    $0.format = format
                    $0.dutchTick = .some(Seconds(7))
                    $0.increment = .fixed(one)
                })
            patches.append(
                patch {
                    $0.format = format
                    $0.tie = .draw
                })
        }
        return patches
    }()

    /// Formats that support a reserve price, also with a buy-now price where the format has one.
    private static let openings: [AuctionRules] = [
        FormatFixture.rules(), FormatFixture.rules(buyNow: 5000), FormatFixture.sealed(.vickrey),
        FormatFixture.sealed(.sealedFirstPrice, tie: .draw),
    ]

    /// The response to the caller and the rules that are public afterwards, as text.
    private func response(_ patch: RulesPatch, in scenario: Scenario, by person: Person) throws -> String {
        var scenario = scenario
        let item = try #require(scenario.room.item)
        do throws(Refusal) {
            let events = try scenario.perform(.adjustRules(item.id, patch), by: person)
            var shown = scenario.room.rules
            shown?.reservePrice = nil
            return "\(events.count) events: \(String(describing: shown))"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [100, 300, 5000])
    func `every adjustment by a host gets the same response with and without a reserve price`(_ reserve: Int64) throws {
        for opening in Self.openings {
            var rules = opening
            let without = try Scenario.withItem(rules)
            rules.reservePrice = Money(minorUnits: reserve)
            let with = try Scenario.withItem(rules)
            for patch in Self.patches {
                let responses = try [without, with].map { try response(patch, in: $0, by: $0.host) }
                #expect(responses[0] == responses[1], "\(opening.format) \(patch)")
            }
        }
    }

    @Test func `a refused change to Dutch names the missing public field to the host, never the reserve price`() throws {
        var patch = RulesPatch()
        patch.format = .dutch
        let scenario = try Scenario.withItem(FormatFixture.rules(reserve: 300))
        let item = try #require(scenario.room.item)
        #expect(
            scenario.refusal(of: .adjustRules(item.id, patch), by: scenario.host)?.kind == .malformed(field: "rules.floorPrice")
        )
        let owners = scenario.refusal(of: .adjustRules(item.id, patch), by: scenario.auctioneer)
        #expect(owners?.kind == .malformed(field: "rules.reservePrice"), "the owner knows it")
    }

    @Test func `a host may not make a sealed item English, which would reveal whether there is a reserve price`() throws {
        var patch = RulesPatch()
        patch.format = .english
        let scenario = try Scenario.withItem(FormatFixture.sealed(.vickrey))
        let item = try #require(scenario.room.item)
        #expect(
            scenario.refusal(of: .adjustRules(item.id, patch), by: scenario.host)?.kind == .malformed(field: "rules.format"))
        #expect(scenario.refusal(of: .adjustRules(item.id, patch), by: scenario.auctioneer) == nil)
    }

    @Test func `a host may change between formats that keep the reserve price`() throws {
        for reserve in [nil, 300] as [Int64?] {
            var scenario = try Scenario.withItem(FormatFixture.rules(reserve: reserve))
            let item = try #require(scenario.room.item)
            for format in [AuctionFormatName.vickrey, .sealedFirstPrice] {
                var patch = RulesPatch()
                patch.format = format
                try scenario.perform(.adjustRules(item.id, patch), by: scenario.host)
                #expect(scenario.room.rules?.format == format)
                #expect(scenario.room.rules?.reservePrice?.minorUnits == reserve)
            }
        }
    }

    @Test func `only the owner may choose a format without a reserve price, even if no field is missing`() throws {
        let product = try RoomRulebook.product()
        let rulebook = RoomRulebook(
            states: product.states, formats: AuctionFormats(AuctionFormats.product + [PlainFormat()]),
            permissions: product.permissions)
        var patch = RulesPatch()
        patch.format = PlainFormat().name
        for reserve in [nil, 300] as [Int64?] {
            let scenario = try Scenario.withItem(FormatFixture.rules(reserve: reserve), rulebook: rulebook)
            let item = try #require(scenario.room.item)
            #expect(
                scenario.refusal(of: .adjustRules(item.id, patch), by: scenario.host)?.kind == .malformed(field: "rules.format")
            )
        }
    }

    @Test func `explanations of permissions are the same with and without a reserve price`() throws {
        var responses: [[String]] = [[], []]
        for (index, reserve) in ([nil, 300] as [Int64?]).enumerated() {
            let scenario = try Scenario.withItem(FormatFixture.rules(reserve: reserve))
            for person in [scenario.host, scenario.auctioneer, scenario.bidder, scenario.stranger] {
                for changesPrices in [nil, true, false] {
                    let context = RuleContext(
                        room: scenario.room, rulebook: scenario.rulebook, caller: person.id, at: scenario.instant,
                        RuleRequest(changesPrices: changesPrices))
                    let trace = scenario.rulebook.permissions.explain(
                        .adjustRules, in: context, configuration: scenario.room.configuration)
                    responses[index].append("\(trace)")
                }
            }
        }
        #expect(responses[0] == responses[1])
    }
}

/// A format that refuses a reserve price and requires no other field.
private struct PlainFormat: AuctionFormat {
    let name = AuctionFormatName(rawValue: "plain")

    func problem(with rules: AuctionRules) -> RulesProblem? {
        rules.reservePrice == nil ? nil : RulesProblem(field: "reservePrice", LocalizedText("No reserve price.", "无保留价。"))
    }

    func nextMinimum(in room: Room, for user: UserID?) -> Money? { nil }

    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        throw .unavailable(.placeBid, in: context.room.state)
    }

    func outcome(in context: DecisionContext) -> RoundResult.Outcome { .passed(.noBids) }
}

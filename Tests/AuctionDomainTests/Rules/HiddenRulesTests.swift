import AuctionDomain
import AuctionTestKit
import Permissions
import Testing

/// A host who is not the owner is answered alike with a reserve price and without, whatever they ask to adjust.
struct HiddenRulesTests {
    private static let one = Money(minorUnits: 1)

    /// Each field with values that fit and values that do not.
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

    /// Formats that know a reserve price; with buy-now where they have it.
    private static let openings: [AuctionRules] = [
        FormatScene.rules(), FormatScene.rules(buyNow: 5000), FormatScene.sealed(.vickrey),
        FormatScene.sealed(.sealedFirstPrice, tie: .draw),
    ]

    /// What the caller is answered, and what everybody may read of the rules afterwards.
    private func answer(_ patch: RulesPatch, in scene: Scenario, by person: Person) throws -> String {
        var scene = scene
        let item = try #require(scene.room.item)
        do throws(Refusal) {
            let events = try scene.perform(.adjustRules(item.id, patch), by: person)
            var shown = scene.room.rules
            shown?.reservePrice = nil
            return "\(events.count) events: \(String(describing: shown))"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [100, 300, 5000])
    func `a host's every adjustment is answered alike with a reserve price and without`(_ reserve: Int64) throws {
        for opening in Self.openings {
            var rules = opening
            let without = try Scenario.withItem(rules)
            rules.reservePrice = Money(minorUnits: reserve)
            let with = try Scenario.withItem(rules)
            for patch in Self.patches {
                let answers = try [without, with].map { try answer(patch, in: $0, by: $0.host) }
                #expect(answers[0] == answers[1], "\(opening.format) \(patch)")
            }
        }
    }

    @Test func `the answer about Dutch names what everybody sees missing, never the reserve price`() throws {
        var patch = RulesPatch()
        patch.format = .dutch
        let scene = try Scenario.withItem(FormatScene.rules(reserve: 300))
        let item = try #require(scene.room.item)
        #expect(scene.refusal(of: .adjustRules(item.id, patch), by: scene.host)?.kind == .malformed(field: "rules.floorPrice"))
        let owners = scene.refusal(of: .adjustRules(item.id, patch), by: scene.auctioneer)
        #expect(owners?.kind == .malformed(field: "rules.reservePrice"), "the owner knows it")
    }

    @Test func `a sealed item is not opened by a host who would then read whether there is a reserve price`() throws {
        var patch = RulesPatch()
        patch.format = .english
        let scene = try Scenario.withItem(FormatScene.sealed(.vickrey))
        let item = try #require(scene.room.item)
        #expect(scene.refusal(of: .adjustRules(item.id, patch), by: scene.host)?.kind == .malformed(field: "rules.format"))
        #expect(scene.refusal(of: .adjustRules(item.id, patch), by: scene.auctioneer) == nil)
    }

    @Test func `a host chooses among formats that take a reserve price over`() throws {
        for reserve in [nil, 300] as [Int64?] {
            var scene = try Scenario.withItem(FormatScene.rules(reserve: reserve))
            let item = try #require(scene.room.item)
            for format in [AuctionFormatName.vickrey, .sealedFirstPrice] {
                var patch = RulesPatch()
                patch.format = format
                try scene.perform(.adjustRules(item.id, patch), by: scene.host)
                #expect(scene.room.rules?.format == format)
                #expect(scene.room.rules?.reservePrice?.minorUnits == reserve)
            }
        }
    }

    @Test func `a format that takes no reserve price is the owner's to choose even where nothing else is missing`() throws {
        let product = try RoomRulebook.product()
        let rulebook = RoomRulebook(
            states: product.states, formats: AuctionFormats(AuctionFormats.product + [PlainFormat()]),
            permissions: product.permissions)
        var patch = RulesPatch()
        patch.format = PlainFormat().name
        for reserve in [nil, 300] as [Int64?] {
            let scene = try Scenario.withItem(FormatScene.rules(reserve: reserve), rulebook: rulebook)
            let item = try #require(scene.room.item)
            #expect(scene.refusal(of: .adjustRules(item.id, patch), by: scene.host)?.kind == .malformed(field: "rules.format"))
        }
    }

    @Test func `permissions explain alike with a reserve price and without`() throws {
        var answers: [[String]] = [[], []]
        for (index, reserve) in ([nil, 300] as [Int64?]).enumerated() {
            let scene = try Scenario.withItem(FormatScene.rules(reserve: reserve))
            for person in [scene.host, scene.auctioneer, scene.bidder, scene.stranger] {
                for changesPrices in [nil, true, false] {
                    let context = RuleContext(
                        room: scene.room, rulebook: scene.rulebook, caller: person.id, at: scene.instant,
                        RuleRequest(changesPrices: changesPrices))
                    answers[index].append("\(scene.rulebook.explain(.adjustRules, in: context))")
                }
            }
        }
        #expect(answers[0] == answers[1])
    }
}

/// A format without a reserve price that asks for nothing else.
private struct PlainFormat: AuctionFormat {
    let name = AuctionFormatName(rawValue: "plain")

    func problem(with rules: AuctionRules) -> RulesProblem? {
        rules.reservePrice == nil ? nil : RulesProblem(field: "reservePrice", LocalizedText("No reserve price.", "无保留价。"))
    }

    func nextMinimum(in room: Room, for user: UserID?) -> Money? { nil }

    func placeBid(_ bid: PlaceBid, by person: Person, in context: inout DecisionContext) throws(Refusal) -> BidDecision {
        throw .unavailable(.placeBid, in: context.room.state)
    }

    func outcome(in context: DecisionContext) -> RoundResult.Outcome { .passed(.noBids) }
}

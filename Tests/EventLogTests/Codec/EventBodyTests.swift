import AuctionDomain
import EventLog
import ExactJSON
import Foundation
import Permissions
import Testing

/// Every type of event with all of its fields: round trips, and no confidential value in the public bytes.
struct EventBodyTests {
    private static let ann = Person(id: UserID(bits: 1), nickname: "Ann")
    private static let bo = Person(id: UserID(bits: 2), nickname: "Bo \"quotes\" 竞")
    private static let noon = Timestamp(milliseconds: 1_764_000_000_000)
    private static let later = Timestamp(milliseconds: 1_764_000_015_000)
    private static func money(_ units: Int64) -> Money { Money(minorUnits: units) }

    /// Amounts that may only occur in private parts, each different from every other number in these events.
    private static let (reserve, maximum, sealed, limit) = (money(770_077), money(880_088), money(990_099), money(660_066))
    private static let own = money(550_055)
    private static let seed = DrawSeed(bits: 0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF)
    private static let paddle = "Q-4711"
    private static let hidden = [
        "7700.77", "8800.88", "9900.99", "6600.66", "letmein12345", "0123456789abcdef0123456789abcdef", paddle,
    ]

    private static let rules = AuctionRules(
        startingPrice: money(100), increment: .percent(basisPoints: 525), reservePrice: reserve, buyNowPrice: money(900_000),
        floorPrice: money(1), listing: Seconds(0), bidding: Seconds(86400), countdown: .extend, extendWindow: Seconds(20),
        extendBy: Seconds(30), maxDuration: Seconds(600), dutchTick: Seconds(5),
        format: AuctionFormatName(rawValue: "vickrey"), tie: .draw)

    private static var tiered: AuctionRules {
        var rules = Self.rules
        rules.increment = .tiers([
            .init(from: money(0), step: money(1)), .init(from: money(10000), step: money(500)),
        ])
        rules.reservePrice = nil
        return rules
    }

    private static let people: [EventBody] = [
        .memberJoined(bo, role: .bidder), .memberRoleChanged(bo, from: .bidder, to: .auctioneer, by: ann),
        .memberRoleChanged(bo, from: .auctioneer, to: .host, by: nil), .memberKicked(bo, by: ann),
        .memberBanned(bo, isBanned: true, by: ann), .memberBanned(bo, isBanned: false, by: ann),
        .memberMuted(bo, isMuted: true, by: ann), .memberCreditLimitChanged(bo, limit: limit, by: ann),
        .memberCreditLimitChanged(bo, limit: nil, by: ann), .memberLeft(bo), .hostGone(ann), .hostReturned(ann),
        .permissionChanged(PermissionChange(rule: "bid.viewer", isEnabled: false, priority: nil, by: ann)),
        .permissionChanged(PermissionChange(rule: "bid.viewer", isEnabled: nil, priority: 0, by: ann)),
        .roomArchived(by: ann), .memberLinked(MemberLinked(from: ann, to: bo, role: .host, standing: Standing())),
        .memberLinked(MemberLinked(from: ann, to: bo, role: nil, standing: limited)),
    ]

    private static var limited: Standing {
        var standing = Standing()
        (standing.isBanned, standing.isMuted, standing.creditLimit) = (true, true, limit)
        return standing
    }

    private static let auction: [EventBody] = [
        .itemUploaded(
            AuctionItem(
                id: ItemID(bits: 3), name: "Pot", description: "", media: ["https://a.example/b"], owner: bo, rules: rules)),
        .rulesAdjusted(ItemID(bits: 3), tiered, by: bo), .rulesAdjusted(ItemID(bits: 3), rules, by: bo),
        .stateChanged(StateChange(from: .preparing, to: .listing, cause: .start, by: ann, reason: "now")),
        .stateChanged(StateChange(from: .closed, to: .preparing, cause: .start, by: nil, beginsRound: true)),
        .countdownStarted(endsAt: later, nextDropAt: nil), .countdownStarted(endsAt: later, nextDropAt: noon),
        .countdownStarted(endsAt: later, nextDropAt: nil, cuts: []),
        .countdownStarted(
            endsAt: later, nextDropAt: nil,
            cuts: [
                AbsenteeCut(bidder: bo.id, bid: BidID(bits: 7), amount: nil),
                AbsenteeCut(bidder: ann.id, bid: BidID(bits: 8), amount: money(500)),
            ]),
        .countdownMoved(CountdownMoved(endsAt: later, nextDropAt: noon, extendedBySeconds: 7, cause: .resume)),
        .countdownMoved(CountdownMoved(from: noon, to: later, cause: .retraction)), .drawCommitted(seed: seed),
        .warningGiven(WarningGiven(level: 2, by: ann)), .askChanged(AskChanged(nextMinimum: money(300), by: ann)),
        .incrementChanged(IncrementChanged(increment: tiered.increment, nextMinimum: money(300), by: ann)),
        .priceDropped(price: money(300), nextDropAt: later), .priceDropped(price: money(200), nextDropAt: nil),
        .itemSold(winner: bo, price: money(500)), .itemPassed(.noBids), .itemPassed(.reserveNotMet),
        .messageSent(Message(id: MessageID(bits: 4), author: bo, text: "two\nlines, \u{1F375}")),
        .messageRemoved(MessageID(bits: 4), by: ann),
        .systemMessage(SystemMessage(key: "item.sold", text: LocalizedText("Sold", "成交"))), report,
        .application(.made(Person(id: UserID(bits: 14), nickname: "letmein12345"))),
        .application(.declined(Person(id: UserID(bits: 14), nickname: "letmein12345"), by: ann, reason: nil)),
    ]

    private static let report = EventBody.messageReported(
        MessageReported(
            reports: 3, id: ReportID(bits: 12), message: MessageID(bits: 4), messageSeq: 17,
            reporter: Person(id: UserID(bits: 13), nickname: "letmein12345"), reason: nil))

    private static let lots: [EventBody] = {
        let (id, premium) = (LotID(bits: 10), Premium(rawValue: 1250))
        let pot = AuctionItem(
            id: ItemID(bits: 3), name: "Pot", description: "Old", media: [],
            estimate: Estimate(low: money(100), high: money(200)),
            condition: "One \"chip\"", owner: bo, rules: rules, lot: id)
        let sale = Sale(mode: .automatic, pause: Seconds(0), startsAt: later, premium: premium)
        let attended = Sale(mode: .automatic, pause: Seconds(0), isAttended: true)
        return [
            .lotQueued(LotQueued(id: id, item: pot, reference: "A-12", number: 7)),
            .lotQueued(LotQueued(id: id, item: pot, reference: nil, number: nil)),
            .lotQueued(LotQueued(id: id, item: pot, reference: nil, number: 1, responseBytes: 70_000)),
            .lotQueued(LotQueued(id: id, item: pot, reference: "A-12", number: 8, offeredBefore: LotID(bits: 11), by: bo)),
            .lotChanged(LotChanged(id: id, item: pot, reference: "A-12", number: 7, by: ann, responseBytes: 700)),
            .lotChanged(LotChanged(id: id, item: pot, reference: nil, number: nil, by: ann)),
            .lotMoved(LotMoved(id: id, before: LotID(bits: 11), by: bo)), .lotMoved(LotMoved(id: id, before: nil, by: nil)),
            .offer(
                .made(
                    ItemOffer(
                        id: OfferID(bits: 12), round: 2, lot: nil, to: bo, price: money(500),
                        expiresAt: Timestamp(milliseconds: 1_767_225_600_000)), cause: .outage)),
            .offer(.accepted(OfferID(bits: 12), round: 2, lot: nil, by: bo, price: money(500))),
            .itemVoided(
                ItemVoided(
                    round: 2, lot: nil, item: NamedItem(id: ItemID(bits: 4), name: "Vase"), winner: bo, price: money(500),
                    reason: "not paid", by: ann)),
            .lotWithdrawn(LotWithdrawn(id: id, by: ann, reason: "broken")),
            .lotBidsChanged(LotBidsChanged(lot: id, absenteeBids: 2, bidder: bo, bid: BidID(bits: 9), maximum: money(700))),
            .lotBidsChanged(LotBidsChanged(lot: id, absenteeBids: 1, bidder: bo, bid: nil, maximum: nil)),
            .itemUploaded(pot),
            .stateChanged(StateChange(from: .preparing, to: .listing, cause: .sale, by: nil, lot: id)),
            .itemSold(winner: bo, price: money(500), lot: id), .itemPassed(.noBids, lot: id),
            .sale(.configured(sale, by: ann)), .sale(.configured(attended, by: ann)), .sale(.postponed(.hostGone)),
            .sale(.starting(later, cause: nil)), .sale(.starting(later, cause: .outage)),
            .sale(.started(by: nil)), .sale(.stopped(.host, by: ann)), .sale(.stopped(.hostGone, by: nil)), .sale(.finished),
        ]
    }()

    private static let floor = BidPlaced(
        bid: BidID(bits: 9), amount: money(300), bidder: .floor, leading: true, origin: .floor, nextMinimum: money(400),
        reserveMet: nil, endsAt: later)

    private static let bids: [EventBody] = [
        .bidPlaced(
            BidPlaced(
                bid: BidID(bits: 5), amount: money(100), bidder: bo, leading: true, nextMinimum: money(200), reserveMet: false,
                endsAt: later)),
        .bidPlaced(
            BidPlaced(
                bid: BidID(bits: 6), amount: money(200), bidder: ann, leading: false, origin: .automatic, maximum: maximum,
                ownAmount: own, nextMinimum: nil, reserveMet: true, endsAt: nil)),
        .bidPlaced(
            BidPlaced(
                bid: BidID(bits: 7), amount: sealed, bidder: bo, leading: false, isSealed: true, nextMinimum: money(100),
                endsAt: nil)),
        .maximumRaised(MaximumRaised(bid: BidID(bits: 5), bidder: bo, maximum: maximum)),
        .bidRetracted(
            BidRetracted(
                bid: BidID(bits: 5), bidder: bo, by: ann, reason: "slip", removed: [BidID(bits: 5), BidID(bits: 6)],
                price: money(100), leader: ann, nextMinimum: money(200), reserveMet: true)),
        .bidRetracted(
            BidRetracted(
                bid: BidID(bits: 5), bidder: bo, by: ann, reason: "slip", removed: [BidID(bits: 5)], price: nil, leader: nil,
                nextMinimum: nil, reserveMet: nil)),
        .maximumVoided(MaximumVoided(bid: BidID(bits: 5), bidder: bo)),
        .floorBidPlaced(FloorBidPlaced(placed: floor, by: ann, paddle: paddle)),
        .floorBidPlaced(FloorBidPlaced(placed: floor, by: bo, paddle: nil)),
    ]

    private static let stage: [EventBody] = {
        let (id, seat) = (StageID(bits: 8), 3)
        let events: [StageEvent] = [
            .requested(id, guest: bo, role: .bidder), .invited(id, guest: bo, role: .auctioneer, by: ann),
            .accepted(id, guest: bo, role: .bidder, by: ann),
            .seated(.init(id: id, guest: bo, role: .bidder, seat: seat, previousRole: .viewer, by: bo)),
            .declined(id, guest: bo, by: ann), .cancelled(id, guest: bo, by: bo), .timedOut(id, guest: bo),
            .ended(id, guest: bo, reason: .startedAnew, by: bo), .ended(id, guest: bo, reason: .disconnected, by: nil),
            .seatClosed(seat, by: ann), .seatMuted(seat, muted: false, by: ann), .seatCleared(seat, by: ann),
            .left(.init(person: bo, seat: seat, restoredRole: .viewer, cause: .evicted)),
        ]
        return events.map(EventBody.stage)
    }()

    /// The examples, and events with the fields and values that those lack.
    private static var all: [EventBody] { EventExamples.all + people + auction + lots + bids + stage + [.roomOpened(opened)] }

    private static let opened = RoomOpened(
        name: "Tonight", host: ann, currency: .cny, visibility: .private, inviteCode: "letmein12345")

    private func stored(_ body: EventBody) -> StoredEvent {
        let begins = if case .stateChanged(let change) = body { change.beginsRound } else { false }
        let event = Event(seq: 2, at: Self.noon, round: begins ? 2 : 1, body: body)
        return EventCodec.encode(event, currency: .cny, after: .zero)
    }

    @Test func `every kind of event reads back as it was written`() throws {
        let room = try #require(
            Room(id: RoomID(bits: 9), opening: Event(seq: 1, at: Self.noon, round: 1, body: .roomOpened(Self.opened))))
        for body in Self.all {
            let stored = stored(body)
            let decoded = try EventCodec.decode(stored, after: room)
            #expect(decoded.body == body, "\(stored.type)")
        }
        // A revealed seed is public, so it is not part of the list in which the seed must be hidden.
        let revealed = stored(.drawRevealed(seed: Self.seed))
        #expect(try EventCodec.decode(revealed, after: room).body == .drawRevealed(seed: Self.seed))
    }

    /// The fuzzer begins with these: the public bytes, and on a second line the private ones if there are any.
    @Test func `the corpus has an event of every kind`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Corpora/event")
        let writes = ProcessInfo.processInfo.environment["AUCTION_WRITE_PAGES"] != nil
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for (number, example) in EventExamples.all.map(stored).enumerated() {
            guard !names.contains(where: { $0.hasSuffix("-" + example.type) }) else { continue }
            let bytes = example.publicBytes + (example.privateBytes.map { [0x0A] + $0 } ?? [])
            if writes { try Data(bytes).write(to: folder.appending(path: "\(names.count + number)-\(example.type)")) }
            #expect(writes, "write \(example.type): AUCTION_WRITE_PAGES=1 swift test --filter EventBodyTests")
        }
    }

    @Test func `members that may be nil or empty may also be absent`() throws {
        let room = try #require(
            Room(id: RoomID(bits: 9), opening: Event(seq: 1, at: Self.noon, round: 1, body: .roomOpened(Self.opened))))
        let item = AuctionItem(id: ItemID(bits: 3), name: "Pot", description: "", media: [], owner: Self.bo, rules: Self.tiered)
        let bid = BidPlaced(
            bid: BidID(bits: 5), amount: Self.money(100), bidder: Self.bo, leading: true, nextMinimum: nil, endsAt: nil)
        let shortened: [(EventBody, without: [String])] = [
            (.itemUploaded(item), [#""media":[],"#]),
            (.bidPlaced(bid), [#","nextMinimum":null"#, #","endsAt":null"#, #","reserveMet":null"#]),
            (.priceDropped(price: Self.money(200), nextDropAt: nil), [#","nextDropAt":null"#]),
        ]
        for (body, members) in shortened {
            let whole = stored(body)
            var text = String(decoding: whole.publicBytes, as: UTF8.self)
            for member in members {
                #expect(text.contains(member), "\(member)")
                text = text.replacing(member, with: "")
            }
            let old = StoredEvent(
                seq: 2, at: Self.noon, type: whole.type, publicBytes: Array(text.utf8), privateBytes: whole.privateBytes,
                hash: .zero)
            #expect(try EventCodec.decode(old, after: room).body == body)
        }
    }

    @Test func `the public bytes contain no confidential value`() throws {
        for body in Self.all {
            let stored = stored(body)
            let sent = String(decoding: stored.publicBytes, as: UTF8.self)
            for secret in Self.hidden { #expect(!sent.contains(secret), "\(stored.type): \(secret)") }
        }
    }

    @Test func `the private part contains the confidential fields`() throws {
        func secret(_ body: EventBody) -> String? { stored(body).privateBytes.map { String(decoding: $0, as: UTF8.self) } }
        #expect(secret(.roomOpened(Self.opened)) == #"{"inviteCode":"letmein12345"}"#)
        #expect(secret(.memberCreditLimitChanged(Self.bo, limit: Self.limit, by: Self.ann)) == #"{"creditLimit":"6600.66"}"#)
        #expect(secret(.memberCreditLimitChanged(Self.bo, limit: nil, by: Self.ann)) == #"{"creditLimit":null}"#)
        #expect(secret(Self.auction[0]) == #"{"reservePrice":"7700.77"}"#)
        #expect(secret(Self.auction[1]) == nil)
        #expect(
            secret(Self.report)
                == #"{"reportId":"report_0000000000000000000000000c","messageId":"message_00000000000000000000000004","messageSeq":17,"#
                + #""reporter":{"id":"user_0000000000000000000000000d","nickname":"letmein12345"},"reason":null}"#)
        #expect(secret(.drawCommitted(seed: Self.seed)) == #"{"seed":"0123456789abcdef0123456789abcdef"}"#)
        #expect(
            Self.bids.map(secret) == [
                nil, #"{"maximum":"8800.88","ownAmount":"5500.55"}"#, #"{"amount":"9900.99"}"#, #"{"maximum":"8800.88"}"#, nil,
                nil, nil, #"{"paddle":"Q-4711"}"#, nil,
            ])
    }

    @Test func `the published hash is the SHA-256 of the seed's revealed text`() throws {
        let committed = try JSONReader.read(stored(.drawCommitted(seed: DrawSeed(bits: 7))).publicBytes)
        // printf 00000000000000000000000000000007 | sha256sum
        let hash = "e5090df26d24944b1e29254e5540e676eda0788f76a6a85a387344c4e0f70c64"
        guard case .object(let members) = committed, case .object(let data)? = members.last?.value,
            case .string(let found)? = data.first?.value
        else {
            Issue.record("no hash")
            return
        }
        #expect(found == hash)
    }

    @Test func `decoding an event without its private part throws`() throws {
        let room = try #require(
            Room(id: RoomID(bits: 9), opening: Event(seq: 1, at: Self.noon, round: 1, body: .roomOpened(Self.opened))))
        for body in [Self.bids[2], Self.bids[3], .drawCommitted(seed: DrawSeed(bits: 1))] {
            let whole = stored(body)
            let torn = StoredEvent(
                seq: whole.seq, at: whole.at, type: whole.type, publicBytes: whole.publicBytes, privateBytes: nil,
                hash: whole.hash)
            #expect(throws: JSONError.self) { try EventCodec.decode(torn, after: room) }
        }
    }
}

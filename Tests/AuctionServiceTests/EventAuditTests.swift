import AuctionDomain
import AuctionTestKit
import Testing

/// What `audit-events` finds in a history of one round with two bids, and in what clients received.
struct EventAuditTests {
    private static let room = RoomID(bits: 1).description

    private static func person(_ number: UInt128) -> String {
        #"{"id":"\#(UserID(bits: number))","nickname":"Person \#(number)"}"#
    }

    /// A time in the minute in which all happens.
    private static func time(_ second: Int) -> String { "2026-01-01T12:00:\(second < 10 ? "0" : "")\(second).000Z" }

    /// The room's events: the host 1, the auctioneer 2, and the bidders 3 and 4.
    private static var history: [String] {
        let rules =
            #"{"format":"english","startingPrice":"1.00","increment":{"fixed":"0.50"},"listingSeconds":0,"biddingSeconds":20}"#
        func change(_ from: String, _ to: String, _ cause: String) -> String {
            #"{"from":"\#(from)","to":"\#(to)","cause":"\#(cause)","by":\#(cause == "start" ? person(1) : "null")}"#
        }
        func bid(_ number: UInt128, by bidder: UInt128, _ amount: String, _ minimum: String, until end: Int) -> String {
            #"{"bidId":"\#(BidID(bits: number))","bidder":\#(person(bidder)),"amount":"\#(amount)","automatic":false,"leading":true,"#
                + #""nextMinimum":"\#(minimum)","reserveMet":null,"endsAt":"\#(time(end))"}"#
        }
        let events: [(type: String, second: Int, data: String)] = [
            ("room.opened", 0, #"{"host":\#(person(1)),"visibility":"public"}"#),
            ("member.joined", 0, #"{"member":\#(person(2)),"role":"viewer"}"#),
            ("member.roleChanged", 0, #"{"member":\#(person(2)),"from":"viewer","to":"auctioneer","by":\#(person(1))}"#),
            ("member.joined", 0, #"{"member":\#(person(3)),"role":"bidder"}"#),
            ("member.joined", 0, #"{"member":\#(person(4)),"role":"bidder"}"#),
            ("item.uploaded", 1, #"{"item":{"id":"item_1","owner":\#(person(2)),"rules":\#(rules)}}"#),
            ("state.changed", 2, change("preparing", "listing", "start")),
            ("state.changed", 2, change("listing", "auctioning", "countdown")),
            ("countdown.started", 2, #"{"endsAt":"\#(time(22))"}"#),
            ("bid.placed", 3, bid(1, by: 3, "1.00", "1.50", until: 23)),
            ("bid.placed", 5, bid(2, by: 4, "2.00", "2.50", until: 25)),
            ("state.changed", 25, change("auctioning", "closed", "countdown")),
            ("item.sold", 25, #"{"winner":\#(person(4)),"price":"2.00"}"#),
        ]
        return events.enumerated().map { index, event in
            #"{"room":"\#(room)","seq":\#(index + 1),"type":"\#(event.type)","at":"\#(time(event.second))","round":1,"data":\#(event.data)}"#
        }
    }

    /// A bid that was sent: the first or the second of the history, acknowledged unless `outcome` is another.
    private static func sent(
        _ number: Int, outcome: String = "acknowledged", amount: String? = nil, end: Int? = nil, at sent: Int? = nil
    ) -> String {
        let text = amount ?? (number == 1 ? "1.00" : "2.00")
        let (seq, second) = (number + 9, number == 1 ? 3 : 5)
        let bid = #"{"id":"\#(BidID(bits: UInt128(number)))","amount":"\#(text)","seq":\#(seq),"at":"\#(time(second))"}"#
        let receipt = #"{"seq":\#(seq),"endsAt":"\#(time(end ?? second + 20))"}"#
        return #"{"bid":{"room":"\#(room)","round":1,"bidder":"\#(UserID(bits: UInt128(number + 2)))","amount":"\#(text)","#
            + #""outcome":"\#(outcome)","sent":\#(sent ?? number),"received":\#((sent ?? number) + 0).5,"#
            + #""response":{"bid":\#(bid),"receipt":\#(receipt)}}}"#
    }

    private static let told = [sent(1), sent(2)]

    private static func findings(_ lines: [String]) throws -> [String] {
        var audit = EventAudit()
        for line in lines { try audit.take(Array(line.utf8)) }
        audit.finish()
        return audit.findings.map(\.description)
    }

    /// A response that shows the room after the first bid.
    private static func shown(price: String) -> String {
        #"{"room":"\#(room)","shown":{"seq":10,"state":"closing","round":1,"currentPrice":"\#(price)","nextMinimum":"1.50","#
            + #""currentBid":{"bidder":\#(person(3))},"endsAt":"\#(time(23))"}}"#
    }

    /// A start of the server after the second bid, that many milliseconds before its deadline.
    private static func outage(_ milliseconds: Int64, before deadline: Timestamp?) -> String {
        let spawned = (deadline?.milliseconds ?? 0) - milliseconds
        return #"{"room":"\#(room)","outage":{"after":11,"spawned":\#(spawned),"ready":\#(spawned + 100)}}"#
    }

    @Test func `a sound history with its acknowledgements has no findings`() throws {
        let end = Timestamp(rfc3339: Self.time(25))
        #expect(try Self.findings(Self.history) == [])
        #expect(
            try Self.findings(Self.history + Self.told + [Self.shown(price: "1.00"), Self.outage(20_001, before: end)]) == [])
    }

    @Test(arguments: [
        ("order", "a gap or a repeat", 10, "", ""),
        ("acknowledged", "changed", 9, #""amount":"1.00""#, #""amount":"1.01""#),
        ("price", "the price is not", 9, #""amount":"1.00""#, #""amount":"1.01""#),
        ("round", "is in round 2", 9, #""round":1"#, #""round":2"#),
        ("refusal", "bid.below_minimum", 10, #""amount":"2.00""#, #""amount":"1.20""#),
        ("minimum", "the next minimum", 10, #""nextMinimum":"2.50""#, #""nextMinimum":"2.60""#),
        ("countdown", "does not extend", 10, ":25.000Z", ":26.000Z"),
        ("deadline", "expires before", 11, ":25.000Z", ":24.000Z"),
        ("winner", "sold to", 12, #""price":"2.00""#, #""price":"2.50""#),
    ])
    func `damage of an event is found`(rule: String, text: String, index: Int, old: String, new: String) throws {
        var history = Self.history
        if old.isEmpty {
            history.remove(at: index)
        } else {
            try #require(history[index].contains(old))
            history[index].replace(old, with: new)
        }
        // Without acknowledgements the amounts are taken from the events.
        let findings = try Self.findings(history + Self.told) + Self.findings(history)
        #expect(findings.contains { $0.hasPrefix(rule + ": ") && $0.contains(text) }, "\(findings)")
    }

    @Test(arguments: [
        ([sent(1)], "promise: ", "no client sent"),
        (
            [sent(1), sent(2), sent(2).replacing(BidID(bits: 2).description, with: BidID(bits: 9).description)],
            "acknowledged: ", "0 times"
        ),
        (
            [sent(1), sent(2).replacing(BidID(bits: 2).description, with: BidID(bits: 9).description)], "exactly once: ",
            "at seq 11, too"
        ),
        ([sent(1), sent(2, outcome: "refused")], "refused: ", "is in the log"),
        ([sent(1), sent(2, end: 26)], "acknowledged: ", "changed"),
        ([sent(1, at: 9), sent(2)], "order: ", "was sent after seq 11"),
        ([sent(1), sent(2), shown(price: "1.10")], "picture: ", "seq 10"),
        ([sent(1), sent(2), outage(19_999, before: Timestamp(rfc3339: time(25)))], "outage: ", "was not extended"),
    ])
    func `a broken promise is found`(told: [String], rule: String, text: String) throws {
        let findings = try Self.findings(Self.history + told)
        #expect(findings.contains { $0.hasPrefix(rule) && $0.contains(text) }, "\(findings)")
    }

    @Test func `a bid without an answer may be in the log once`() throws {
        #expect(try Self.findings(Self.history + [Self.sent(1), Self.sent(2, outcome: "unknown")]) == [])
        let again = Self.history[10].replacing(#""seq":11"#, with: #""seq":12"#).replacing(
            BidID(bits: 2).description, with: BidID(bits: 7).description)
        let findings = try Self.findings(Array(Self.history[..<11]) + [again, Self.sent(1), Self.sent(2, outcome: "unknown")])
        #expect(findings.contains { $0.hasPrefix("exactly once: ") && $0.contains("has no answer") }, "\(findings)")
    }

    @Test func `a line of no known kind is refused`() {
        for line in ["{", "{}", #"{"room":"\#(Self.room)"}"#, #"{"bid":{}}"#] {
            #expect(throws: EventAudit.UnreadableLine.self) { try Self.findings([line]) }
        }
    }
}

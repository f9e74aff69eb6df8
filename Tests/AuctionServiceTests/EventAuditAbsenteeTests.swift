import AuctionDomain
import AuctionTestKit
import Testing

/// What `audit-events` finds in the sale of a lot on which bids were left, with what clients know of them, and from the events alone.
struct EventAuditAbsenteeTests {
    private static let room = RoomID(bits: 1).description

    private static func person(_ number: UInt128) -> String {
        #"{"id":"\#(UserID(bits: number))","nickname":"Person \#(number)"}"#
    }

    private static func time(_ second: Int) -> String { "2026-01-01T12:00:\(second < 10 ? "0" : "")\(second).000Z" }

    private static func change(_ from: String, _ to: String, _ cause: String) -> String {
        #"{"from":"\#(from)","to":"\#(to)","cause":"\#(cause)","by":null,"lotId":"lot_1"}"#
    }

    private static func bid(
        _ number: UInt128, by bidder: UInt128, _ amount: String?, _ minimum: String, until end: Int, leads: Bool = false,
        _ marks: String = #""automatic":true,"absentee":true"#
    ) -> String {
        let amount = amount.map { #","amount":"\#($0)""# } ?? ""
        return #"{"bidId":"\#(BidID(bits: number))","bidder":\#(person(bidder))\#(amount),\#(marks),"leading":\#(leads),"#
            + #""nextMinimum":"\#(minimum)","reserveMet":null,"endsAt":"\#(time(end))"}"#
    }

    private typealias Line = (type: String, second: Int, data: String)

    /// The host 1 starts the sale of a lot of the auctioneer 2, on which 3 has left 5.00, and 4 after a change 4.00; 5 took a bid back.
    private static func history(_ format: String, _ course: [Line]) -> [String] {
        let rules =
            #"{"format":"\#(format)","startingPrice":"1.00","increment":{"fixed":"0.50"},"listingSeconds":0,"biddingSeconds":5}"#
        let item = #"{"id":"item_1","name":"A lot","owner":\#(person(2)),"rules":\#(rules)}"#
        let joined: [Line] = ([3, 4, 5] as [UInt128]).map {
            ("member.joined", 0, #"{"member":\#(person($0)),"role":"bidder"}"#)
        }
        let left: [Line] = ["1", "2", "2", "3", "2"].map { ("lot.bidsChanged", 1, #"{"lotId":"lot_1","absenteeBids":\#($0)}"#) }
        let events: [Line] =
            [
                ("room.opened", 0, #"{"host":\#(person(1)),"visibility":"public"}"#),
                ("member.joined", 0, #"{"member":\#(person(2)),"role":"viewer"}"#),
                ("member.roleChanged", 0, #"{"member":\#(person(2)),"from":"viewer","to":"auctioneer","by":\#(person(1))}"#),
            ] + joined + [
                ("lot.queued", 1, #"{"lotId":"lot_1","number":1,"reference":null,"item":\#(item),"by":\#(person(2))}"#)
            ] + left + [
                ("sale.configured", 1, #"{"mode":"automatic","pauseSeconds":2,"startsAt":null,"by":\#(person(1))}"#),
                ("sale.started", 2, #"{"by":\#(person(1))}"#),
                ("item.uploaded", 2, #"{"lotId":"lot_1","item":\#(item)}"#),
                ("state.changed", 2, change("preparing", "listing", "sale")),
                ("state.changed", 2, change("listing", "auctioning", "countdown")),
                ("countdown.started", 2, #"{"endsAt":"\#(time(7))"}"#),
            ] + course + [("sale.finished", course.last?.second ?? 0, "{}")]
        return events.enumerated().map { index, event in
            #"{"room":"\#(room)","seq":\#(index + 1),"type":"\#(event.type)","at":"\#(time(event.second))","round":1,"data":\#(event.data)}"#
        }
    }

    /// The bids of the opening, and a live one that reaches the leader's maximum.
    private static let english = history(
        "english",
        [
            ("bid.placed", 2, bid(3, by: 4, "4.00", "5.00", until: 7)),
            ("bid.placed", 2, bid(1, by: 3, "4.50", "5.00", until: 7, leads: true)),
            ("bid.placed", 4, bid(7, by: 5, "5.00", "5.50", until: 9, #""automatic":false"#)),
            ("bid.placed", 4, bid(8, by: 3, "5.00", "5.50", until: 9, leads: true, #""automatic":true"#)),
            ("state.changed", 9, change("auctioning", "closed", "countdown")),
            ("item.sold", 9, #"{"winner":\#(person(3)),"price":"5.00","lotId":"lot_1"}"#),
        ])

    /// At the close the winner's bid is shown, which was left, and that of the second, whose amount is the price.
    private static let vickrey = history(
        "vickrey",
        [
            ("bid.placed", 7, bid(1, by: 3, nil, "1.00", until: 7)),
            ("bid.placed", 7, bid(3, by: 4, nil, "1.00", until: 7)),
            ("state.changed", 7, change("auctioning", "closed", "countdown")),
            ("item.sold", 7, #"{"winner":\#(person(3)),"price":"4.00","lotId":"lot_1"}"#),
        ])

    private static func left(_ seq: Int, by bidder: UInt128, _ bid: UInt128?, _ maximum: String?) -> String {
        let more = bid.map { #","bidId":"\#(BidID(bits: $0))","maximum":"\#(maximum ?? "")","seq":\#(seq)"# } ?? ""
        return #"{"room":"\#(room)","absentee":{"lot":"lot_1","bidder":"\#(UserID(bits: bidder))"\#(more)}}"#
    }

    private static let told = [
        left(8, by: 3, 1, "5.00"), left(9, by: 4, 2, "3.00"), left(10, by: 4, 3, "4.00"), left(11, by: 5, 4, "9.00"),
        left(12, by: 5, nil, nil),
    ]

    private static func findings(_ lines: [String]) throws -> [String] {
        var audit = EventAudit()
        for line in lines { try audit.take(Array(line.utf8)) }
        audit.finish()
        return audit.findings.map(\.description)
    }

    @Test(arguments: [english, vickrey])
    func `a sound opening has no findings, whether clients tell of the bids or only the events`(history: [String]) throws {
        #expect(try Self.findings(history) == [])
        #expect(try Self.findings(history + Self.told) == [])
    }

    @Test(arguments: [
        ("price", "the opening shows", 18, #""amount":"4.00""#, #""amount":"4.20""#),
        ("price", "the opening shows", 19, #""amount":"4.50""#, #""amount":"4.60""#),
        ("price", "the opening shows", 18, "", ""),
        ("minimum", "the next minimum", 19, #""nextMinimum":"5.00""#, #""nextMinimum":"4.90""#),
        ("absentee", "is not automatic", 19, #""automatic":true"#, #""automatic":false"#),
        ("countdown", "moves the deadline", 19, time(7), time(8)),
        ("price", "the automatic bid is not", 21, #""amount":"5.00""#, #""amount":"5.60""#),
        ("winner", "sold to", 23, #""price":"5.00""#, #""price":"4.50""#),
    ])
    func `damage of an opening is found, also without what clients tell`(
        rule: String, text: String, index: Int, old: String, new: String
    ) throws {
        var history = Self.english
        if old.isEmpty {
            history.remove(at: index)
            for later in index..<history.count {
                history[later].replace(#""seq":\#(later + 2),"#, with: #""seq":\#(later + 1),"#)
            }
        } else {
            try #require(history[index].contains(old))
            history[index].replace(old, with: new)
        }
        for findings in [try Self.findings(history), try Self.findings(history + Self.told)] {
            #expect(findings.contains { $0.hasPrefix(rule + ": ") && $0.contains(text) }, "\(findings)")
        }
    }

    @Test(arguments: [
        // Who has left less, or more, than the events show.
        ("price", "the opening shows", 0, left(8, by: 3, 1, "4.00")),
        ("price", "is not person", 0, left(8, by: 3, 1, "5.50")),
        ("price", "the opening shows", 2, left(10, by: 4, 3, "4.20")),
        ("price", "the opening shows", 4, left(12, by: 4, nil, nil)),
        ("absentee", "another identifier", 2, left(10, by: 4, 9, "4.00")),
        ("promise", "no client left a bid", 3, ""), ("promise", "no client left a bid", 4, ""),
        ("acknowledged", "not in the log", 3, left(9, by: 5, 4, "9.00")),
        ("acknowledged", "not in the log", 3, left(30, by: 5, 4, "9.00")),
    ])
    func `what clients were told of their bids is held against the opening`(
        rule: String, text: String, index: Int, line: String
    ) throws {
        var told = Self.told
        if line.isEmpty { told.remove(at: index) } else { told[index] = line }
        let findings = try Self.findings(Self.english + told)
        #expect(findings.contains { $0.hasPrefix(rule + ": ") && $0.contains(text) }, "\(findings)")
    }

    @Test(arguments: [
        // The second is not shown; another than the second is; the winner had left less than the price.
        ("another price", Array(vickrey[..<19] + vickrey[20...]), told),
        ("another second", vickrey, [told[0], told[1], left(10, by: 4, 3, "3.80"), told[3], told[4]]),
        ("a lower winner", vickrey, [left(8, by: 3, 1, "3.90"), told[1], told[2], told[3], told[4]]),
        ("another winner", vickrey.map { $0.replacing("\"winner\":\(person(3))", with: "\"winner\":\(person(4))") }, told),
    ])
    func `damage of a sealed round with bids that were left is found`(what: String, history: [String], told: [String]) throws {
        #expect(try !Self.findings(history + told).filter { !$0.hasPrefix("order") }.isEmpty, "\(what)")
    }

    @Test func `a line of an absentee bid that lacks a member is refused`() {
        let line = Self.told[0].replacing(#","maximum":"5.00""#, with: "")
        #expect(throws: EventAudit.UnreadableLine.self) { try Self.findings([line]) }
    }
}

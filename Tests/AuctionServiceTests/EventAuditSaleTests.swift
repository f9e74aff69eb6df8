import AuctionDomain
import AuctionTestKit
import Testing

/// What `audit-events` finds in a sale of two lots, and what it says of the lots after each event.
struct EventAuditSaleTests {
    private static let room = RoomID(bits: 1).description

    private static func person(_ number: UInt128) -> String {
        #"{"id":"\#(UserID(bits: number))","nickname":"Person \#(number)"}"#
    }

    private static func time(_ second: Int) -> String { "2026-01-01T12:00:\(second < 10 ? "0" : "")\(second).000Z" }

    private static func item(_ number: Int) -> String {
        let rules =
            #"{"format":"english","startingPrice":"1.00","increment":{"fixed":"0.50"},"listingSeconds":0,"biddingSeconds":5}"#
        return #"{"id":"item_\#(number)","name":"A \"lot\" \#(number)","owner":\#(person(2)),"rules":\#(rules)}"#
    }

    private static func queued(_ number: Int) -> String {
        #"{"lotId":"lot_\#(number)","number":\#(number),"reference":"A-\#(number)","item":\#(item(number)),"by":\#(person(2))}"#
    }

    private static func uploaded(_ number: Int) -> String { #"{"lotId":"lot_\#(number)","item":\#(item(number))}"# }

    private static func change(_ from: String, _ to: String, _ cause: String, _ lot: Int) -> String {
        #"{"from":"\#(from)","to":"\#(to)","cause":"\#(cause)","by":null,"lotId":"lot_\#(lot)"}"#
    }

    /// The host 1 starts the sale of the lots 1 and 2 of the auctioneer 2, who moves lot 3 away and withdraws it; the bidder 3 buys lot 1.
    private static var history: [String] {
        let bid =
            #"{"bidId":"\#(BidID(bits: 1))","bidder":\#(person(3)),"amount":"1.00","automatic":false,"leading":true,"#
            + #""nextMinimum":"1.50","reserveMet":null,"endsAt":"\#(time(8))"}"#
        let events: [(type: String, second: Int, round: Int, data: String)] = [
            ("room.opened", 0, 1, #"{"host":\#(person(1)),"visibility":"public"}"#),
            ("member.joined", 0, 1, #"{"member":\#(person(2)),"role":"viewer"}"#),
            ("member.roleChanged", 0, 1, #"{"member":\#(person(2)),"from":"viewer","to":"auctioneer","by":\#(person(1))}"#),
            ("member.joined", 0, 1, #"{"member":\#(person(3)),"role":"bidder"}"#),
            ("lot.queued", 1, 1, queued(1)),
            ("lot.queued", 1, 1, queued(2)),
            ("lot.queued", 1, 1, queued(3)),
            ("sale.configured", 1, 1, #"{"mode":"automatic","pauseSeconds":2,"startsAt":null,"by":\#(person(1))}"#),
            ("sale.started", 2, 1, #"{"by":\#(person(1))}"#),
            ("item.uploaded", 2, 1, uploaded(1)),
            ("state.changed", 2, 1, change("preparing", "listing", "sale", 1)),
            ("state.changed", 2, 1, change("listing", "auctioning", "countdown", 1)),
            ("countdown.started", 2, 1, #"{"endsAt":"\#(time(7))"}"#),
            ("bid.placed", 3, 1, bid),
            ("lot.moved", 4, 1, #"{"lotId":"lot_3","before":"lot_2","by":\#(person(2))}"#),
            ("lot.withdrawn", 5, 1, #"{"lotId":"lot_3","by":\#(person(2))}"#),
            ("state.changed", 8, 1, change("auctioning", "closed", "countdown", 1)),
            ("item.sold", 8, 1, #"{"winner":\#(person(3)),"price":"1.00","lotId":"lot_1"}"#),
            ("countdown.started", 8, 1, #"{"endsAt":"\#(time(10))"}"#),
            ("state.changed", 10, 2, change("closed", "preparing", "sale", 2)),
            ("item.uploaded", 10, 2, uploaded(2)),
            ("state.changed", 10, 2, change("preparing", "listing", "sale", 2)),
            ("state.changed", 10, 2, change("listing", "auctioning", "countdown", 2)),
            ("countdown.started", 10, 2, #"{"endsAt":"\#(time(15))"}"#),
            ("state.changed", 15, 2, change("auctioning", "closed", "countdown", 2)),
            ("item.passed", 15, 2, #"{"reason":"no_bids","lotId":"lot_2"}"#),
            ("sale.finished", 15, 2, "{}"),
        ]
        return events.enumerated().map { index, event in
            #"{"room":"\#(room)","seq":\#(index + 1),"type":"\#(event.type)","at":"\#(time(event.second))","round":\#(event.round),"#
                + #""data":\#(event.data)}"#
        }
    }

    private static func audited(_ lines: [String]) throws -> EventAudit {
        var audit = EventAudit()
        for line in lines { try audit.take(Array(line.utf8)) }
        audit.finish()
        return audit
    }

    @Test func `states say which lots an event has changed`() throws {
        let audit = try Self.audited(Self.history)
        #expect(audit.findings.map(\.description) == [])
        var lines: [String] = []
        audit.forEachState { lines.append($0) }
        #expect(lines.count == Self.history.count)
        func line(_ seq: Int, _ state: String, _ price: String, _ more: String) -> String {
            #"{"room":"\#(Self.room)","seq":\#(seq),"state":"\#(state)","round":1,\#(price),\#(more)}"#
        }
        func lot(_ number: Int, _ state: String) -> String {
            #"{"id":"lot_\#(number)","number":\#(number),"state":"\#(state)","reference":"A-\#(number)","item":\#(Self.item(number))}"#
        }
        let none = #""endsAt":null,"price":null,"leader":null,"nextMinimum":null"#
        let end = Timestamp(rfc3339: Self.time(8))?.milliseconds ?? 0
        let bid = #""endsAt":\#(end),"price":100,"leader":"\#(UserID(bits: 3))","nextMinimum":150"#
        #expect(lines[3] == line(4, "preparing", none, #""running":false"#))
        let queued = #""running":false,"order":["lot_1","lot_2"],"lots":[\#(lot(2, "queued"))]"#
        #expect(lines[5] == line(6, "preparing", none, queued))
        #expect(lines[13] == line(14, "auctioning", bid, #""running":true"#))
        let moved = #""running":true,"order":["lot_1","lot_3","lot_2"],"lots":[]"#
        #expect(lines[14] == line(15, "auctioning", bid, moved))
        #expect(lines[15].contains(#""lots":[\#(lot(3, "withdrawn"))]"#))
        #expect(lines[17].contains(#""lots":[\#(lot(1, "sold"))]"#))
        #expect(lines[25].contains(#""running":true,"#) && lines[25].contains(#""lots":[\#(lot(2, "passed"))]"#))
        #expect(lines[26].hasSuffix(#""running":false}"#))
    }

    @Test(arguments: [
        ("lots", "not of the first queued lot", 9, uploaded(1), uploaded(2)),
        ("lots", "not the one that was queued", 20, "A \\\"lot\\\" 2", "A lot"),
        ("lots", "not the one that was queued", 20, #""startingPrice":"1.00""#, #""startingPrice":"2.00""#),
        ("lots", "moved before one that is current", 14, #""before":"lot_2""#, #""before":"lot_1""#),
        ("lots", "names another lot", 17, #""lotId":"lot_1""#, #""lotId":"lot_2""#),
        ("lots", "a lot has not the number", 5, #""number":2"#, #""number":3"#),
        ("winner", "sold to", 17, #""price":"1.00""#, #""price":"1.50""#),
        ("sale", "the pause between lots", 18, ":10.000Z", ":11.000Z"),
        ("sale", "finishes while lots wait", 15, "lot.withdrawn", "message.system"),
    ])
    func `damage of a sale is found`(rule: String, text: String, index: Int, old: String, new: String) throws {
        var history = Self.history
        try #require(history[index].contains(old))
        history[index].replace(old, with: new)
        let findings = try Self.audited(history).findings.map(\.description)
        #expect(findings.contains { $0.hasPrefix(rule + ": ") && $0.contains(text) }, "\(findings)")
    }
}

import AuctionDomain
import AuctionServer
import AuctionTestKit
import EventLog
import ExactJSON
import Synchronization
import Testing

@testable import AuctionServer

/// What follows from rooms' events, in the feed: who was outbid, and which lot is next.
struct DerivedEventTests {
    private let log = InMemoryEventLog()
    private let room: RoomFixture

    init() throws {
        room = try RoomFixture(try TestServer(log: log) { $0.adminToken = OperatorFixture.adminToken })
    }

    private func feed(_ query: String = "") throws -> HTTPResponse {
        try room.server.call(
            "GET", "/v1/feed\(query)", nil, by: nil, OperatorFixture.bearer(OperatorFixture.adminToken))
    }

    /// Nickname and price of those who were outbid, in order.
    private func outbid(_ response: HTTPResponse) -> [String] {
        response.list("events").filter { $0.text("event.type") == "bid.outbid" }.map {
            "\($0.text("event.data.bidder.nickname") ?? "?") at \($0.text("event.data.price") ?? "?")"
        }
    }

    private func bid(_ amount: JSONValue, by guest: Guest, upTo maximum: JSONValue? = nil) throws {
        var members = [JSONMember(name: "amount", value: amount)]
        if let maximum { members.append(JSONMember(name: "maximum", value: maximum)) }
        let response = try room.call("POST", "/bids", .object(members), by: guest)
        try #require(response.status == 201, "\(response.bodyText)")
    }

    @Test func `the leader until a bid is outbid by it, at the price that stands then, and no other bidder is`() throws {
        try room.openBidding()
        try bid("100", by: room.bidder)
        try bid("110", by: room.rival, upTo: "200")
        try bid("130", by: room.bidder)
        try bid("300", by: room.bidder)
        let all = try feed("?limit=1000")
        // The rival's maximum answers the third bid, which does not lead.
        #expect(outbid(all) == ["Bea at 110.00", "Rui at 300.00"])
        #expect(!all.bodyText.contains("200.00"), "a maximum stays hidden")
        let events = all.list("events")
        let index = try #require(events.firstIndex { $0.text("event.type") == "bid.outbid" })
        for member in ["cursor", "room", "event.seq", "event.at", "event.round"] {
            #expect(events[index].at(member) == events[index - 1].at(member), "\(member) is that of the bid")
        }
        #expect(events[index - 1].text("event.type") == "bid.placed")
    }

    @Test
    func
        `a reader of those alone gets them, with the cursor of their bids, wherever it begins and however small its pages are`()
        throws
    {
        try room.openBidding()
        for (amount, guest) in zip(100..., [room.bidder, room.rival, room.bidder, room.rival]).map({
            (JSONValue.string("\($0 * 10)"), $1)
        }) {
            try bid(amount, by: guest)
            #expect(
                try room.call(
                    "PATCH", "/members/\(room.viewer.id)", ["muted": .bool(guest.id == room.bidder.id)], by: room.host
                ).status == 200)
        }
        let expected = ["Bea at 1010.00", "Rui at 1020.00", "Bea at 1030.00"]
        #expect(outbid(try feed("?types=bid.outbid&limit=1000")) == expected)
        for limit in [1, 2, 3] {
            var (read, cursors, path) = ([String](), [String](), "?limit=\(limit)")
            while true {
                let page = try feed(path)
                read += outbid(page)
                cursors += page.list("events").compactMap { $0.text("cursor") }
                // A page is not cut between a bid and what follows from it.
                #expect(page.list("events").count <= limit + 1)
                let last = page.list("events").last
                if last?.text("event.type") == "bid.placed" { #expect(last?.text("event.data.amount") == "1000.00") }
                path = "?limit=\(limit)&after=\(try #require(page.text("next")))"
                guard page["more"] == true else { break }
            }
            #expect(read == expected, "\(limit)")
            #expect(cursors.count == Set(cursors).count + 3)
        }
    }

    @Test func `the leader is found however far back the leading bid is`() throws {
        try room.openBidding()
        try bid("100", by: room.bidder)
        #expect(try room.call("POST", "/auction/pause", by: room.host).status == 200)
        for number in 0..<70 {
            room.server.clock.advance(seconds: 1)
            #expect(try room.call("POST", "/messages", ["text": .string("\(number)")], by: room.host).status == 201)
        }
        #expect(try room.call("POST", "/auction/resume", by: room.host).status == 200)
        let cursor = try #require(try feed("?after=latest").text("next"))
        try bid("110", by: room.rival)
        #expect(outbid(try feed("?types=bid.outbid&after=\(cursor)")) == ["Bea at 110.00"])
    }

    @Test func `a bid that follows another costs the reading of a few events, however long the room is`() throws {
        final class CountedLog: ForwardingEventLog {
            let forwarded: any EventLog
            let read = Atomic<Int>(0)

            init(_ log: any EventLog) { forwarded = log }

            func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
                let events = try forwarded.events(of: room, after: after, limit: limit, bytes: bytes)
                read.add(events.count, ordering: .relaxed)
                return events
            }
        }
        try room.openBidding()
        for number in 0..<20 { try bid(.string("\(100 + 10 * number)"), by: number % 2 == 0 ? room.bidder : room.rival) }
        guard case .events(let events) = try log.feed(after: .beginning, limit: 1000) else {
            Issue.record("the feed is gone")
            return
        }
        let last = try #require(events.last { $0.event.type == "bid.placed" })
        let counted = CountedLog(log)
        var derivation = FeedDerivation(for: FeedFilter())
        #expect(try derivation.events(after: last, from: counted).map(\.event.type) == ["bid.outbid"])
        #expect(counted.read.load(ordering: .relaxed) <= 2)
    }

    @Test func `a retraction decides who leads, and a new round begins without a leader`() throws {
        try room.openBidding()
        try bid("100", by: room.bidder)
        try bid("110", by: room.rival)
        let latest = try #require(try room.room().text("currentBid.id"))
        #expect(try room.call("DELETE", "/bids/\(latest)?reason=slip", by: room.host).status == 200)
        try bid("120", by: room.rival)
        try room.call("POST", "/auction/end", by: room.host)
        try room.call("POST", "/auction/start", by: room.host)
        try room.openBidding()
        try bid("100", by: room.bidder)
        #expect(outbid(try feed("?limit=1000")) == ["Bea at 110.00", "Bea at 120.00"])
    }

    @Test func `a sealed round displaces no bidder`() throws {
        try room.upload([
            "name": "Vase",
            "rules": ["format": "sealedFirstPrice", "startingPrice": "100", "listingSeconds": 60, "biddingSeconds": 60],
        ])
        for _ in 1...2 { try room.start() }
        try bid("150", by: room.bidder)
        try bid("250", by: room.rival)
        try room.call("POST", "/auction/end", by: room.host)
        let all = try feed("?limit=1000")
        #expect(outbid(all).isEmpty && all.list("events").contains { $0.text("event.type") == "item.sold" })
    }

    @Test func `the lot that follows is announced when it becomes the item of the room`() throws {
        for name in ["Vase", "Bowl"] {
            let lot: JSONValue = [
                "name": .string(name), "rules": ["startingPrice": "100", "listingSeconds": 60, "biddingSeconds": 60],
            ]
            #expect(try room.call("POST", "/lots", lot, by: room.owner).status == 201)
        }
        for _ in 1...2 { try room.start() }
        try room.call("POST", "/auction/end", by: room.host)
        try room.call("POST", "/auction/start", by: room.host)
        let next = try feed("?types=lot.next").list("events")
        #expect(next.map { $0.text("event.data.item.name") } == ["Vase", "Bowl"])
        let lots = try room.call("GET", "/lots", by: room.host).list("lots").map { $0.text("id") }
        #expect(next.map { $0.text("event.data.lotId") } == lots)
    }

    @Test func `a stream gives the cursor with the last event that has it`() throws {
        let server = try TestServer(systemClock: true) { $0.adminToken = OperatorFixture.adminToken }
        let room = try RoomFixture(server)
        try room.openBidding()
        #expect(try room.bid("100", by: room.bidder).status == 201)
        let cursor = try #require(
            try server.call("GET", "/v1/feed?after=latest", nil, by: nil, OperatorFixture.bearer(OperatorFixture.adminToken))
                .text("next"))
        let reader = try EventReader(
            port: server.auctionServer.port,
            "GET /v1/feed?after=\(cursor) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n"
                + "Authorization: Bearer \(OperatorFixture.adminToken)\r\n\r\n")
        #expect(try room.bid("110", by: room.rival).status == 201)
        let placed = try #require(try reader.next())
        let idOfBid = reader.lastText
        let outbid = try #require(try reader.next())
        #expect(placed.type == "bid.placed" && outbid.type == "bid.outbid")
        let shared = try #require(outbid.data.text("cursor"))
        #expect(placed.data.text("cursor") == shared && idOfBid != shared && reader.lastText == shared)
    }
}

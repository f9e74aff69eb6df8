import IPAddresses
import AuctionDomain
import AuctionServer
import AuctionTestKit
import ExactJSON
import Testing

/// The limit on what the users of one address can make the log store within a day.
struct AddressStorageTests {
    @Test func `an address sends so many bytes of texts a day, of all its users to all rooms; bids and ends are taken`() throws
    {
        let block = try #require(AddressBlock("127.0.0.0/8"))
        let server = try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0)) {
            $0.limits.textBytesPerAddress = 20_000
            $0.trustedProxies = [block]
        }
        let fixture = try RoomFixture(server)
        try fixture.openBidding()
        let text = String(repeating: "x", count: 500)
        func write(by guest: Guest, from address: String) throws -> HTTPResponse {
            try fixture.call("POST", "/messages", ["text": .string(text)], by: guest, [("X-Forwarded-For", address)])
        }
        var sent = 0
        while try write(by: fixture.viewer, from: "203.0.113.1").status == 201, sent < 100 { sent += 1 }
        #expect((16...18).contains(sent), "\(sent) of 640 bytes and their text")
        let refused = try write(by: fixture.bidder, from: "203.0.113.1")
        #expect(refused.status == 429 && refused.code == "address.storage_full")
        #expect(refused.text("detail")?.contains("limit-text-bytes-per-address") == true)
        #expect(refused.header("Retry-After") != nil)
        let from = [(name: "X-Forwarded-For", value: "203.0.113.1")]
        #expect(try server.call("POST", "/v1/rooms", ["name": "Other"], by: fixture.stranger, from).code == refused.code)
        #expect(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner, from).code == refused.code)
        let socket = try SocketReader(
            fixture, "?after=latest", by: fixture.viewer, host: "test\r\nX-Forwarded-For: 203.0.113.1")
        try socket.sendText(#"{"id":"c1","type":"sendMessage","text":"hi"}"#)
        var frame = try socket.next()
        while let current = frame, current.data["ack"] == nil { frame = try socket.next() }
        #expect(frame?.data.text("problem.code") == refused.code, "a frame counts for the client, not the proxy")
        #expect(try fixture.call("POST", "/bids", ["amount": "100"], by: fixture.bidder, from).status == 201)
        #expect(try fixture.call("POST", "/auction/end", by: fixture.host, from).status == 200)
        #expect(try write(by: fixture.bidder, from: "203.0.113.2").status == 201)
        server.clock.advance(seconds: 24 * 3600)
        #expect(try server.call("POST", "/v1/rooms", ["name": "Other"], by: fixture.stranger, from).status == 201)
    }

    @Test func `a change of a lot counts for the whole item that its event has`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.textBytesPerAddress = 67_000 })
        let lot = try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).text("id"))
        let statuses = try ["A", "B"].map { name in
            try fixture.call("PATCH", "/lots/\(lot)", ["name": .string(name)], by: fixture.owner).status
        }
        #expect(statuses == [200, 429])
    }

    @Test func `the start of a lot's round counts for the item that its events repeat`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.textBytesPerAddress = 25_000 })
        func queue() throws -> Int {
            let lot: JSONValue = [
                "name": "Vase", "description": .string(String(repeating: "x", count: 5000)), "rules": ["startingPrice": "1"],
            ]
            return try fixture.call("POST", "/lots", lot, by: fixture.owner).status
        }
        #expect(try queue() == 201)
        try fixture.start()
        #expect(try fixture.room().text("state") == "listing")
        #expect(try [queue(), queue()] == [201, 429])
    }

    @Test func `a host cannot start and cancel a round for ever, and a round that was started is cancelled`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.textBytesPerAddress = 67_000 })
        #expect(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).status == 201)
        var (starts, refused) = (0, "")
        while starts < 30, refused.isEmpty {
            let response = try fixture.call("POST", "/auction/start", by: fixture.host)
            guard response.status == 200 else {
                refused = response.code ?? ""
                continue
            }
            starts += 1
            #expect(try fixture.call("POST", "/auction/cancel", ["reason": "wrong lot"], by: fixture.host).status == 200)
        }
        #expect((12...18).contains(starts), "\(starts) starts")
        #expect(refused == "address.storage_full")
    }

    @Test func `orders that undo each other count, so that they do not fill the log for ever`() throws {
        func repeats(_ prepare: (RoomFixture) throws -> Void = { _ in }, _ orders: (RoomFixture) throws -> [HTTPResponse])
            throws
            -> Int
        {
            let fixture = try RoomFixture(try TestServer { $0.limits.textBytesPerAddress = 40_000 })
            try prepare(fixture)
            for turn in 0..<40 {
                let refused = try orders(fixture).filter { $0.status >= 300 }
                for response in refused { #expect(response.code == "address.storage_full", "\(response.bodyText)") }
                if !refused.isEmpty { return turn }
            }
            return .max
        }
        let reason: JSONValue = ["reason": .string(String(repeating: "x", count: 500))]
        let pauses = try repeats({ try $0.openBidding() }) { fixture in
            let paused = try fixture.call("POST", "/auction/pause", reason, by: fixture.host)
            return paused.status >= 300
                ? [paused] : [paused, try fixture.call("POST", "/auction/resume", reason, by: fixture.host)]
        }
        #expect((5...8).contains(pauses), "\(pauses) of some 4,200 bytes")
        let mutes = try repeats { fixture in
            try [true, false].map { muted -> HTTPResponse in
                try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["muted": .bool(muted)], by: fixture.host)
            }
        }
        #expect((10...14).contains(mutes), "\(mutes) of some 2,600 bytes")
        let joins = try repeats { fixture in
            let joined = try fixture.call("POST", "/members", ["role": "viewer"], by: fixture.stranger)
            return joined.status >= 300 ? [joined] : [joined, try fixture.call("DELETE", "/members/me", by: fixture.stranger)]
        }
        #expect((10...14).contains(joins), "\(joins) of some 2,600 bytes")
        let requests = try repeats { fixture in
            let asked = try fixture.call("POST", "/stage/requests", ["role": "bidder"], by: fixture.viewer)
            guard let id = asked.text("id"), asked.status < 300 else { return [asked] }
            return [asked, try fixture.call("POST", "/stage/\(id)/cancel", by: fixture.viewer)]
        }
        #expect((10...14).contains(requests), "\(requests) of some 2,600 bytes")
    }

    @Test func `beyond the limit of its address members get out, and the room is protected, but nothing of it is undone`()
        throws
    {
        let server = try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0)) { $0.limits.textBytesPerAddress = 40_000 }
        let fixture = try RoomFixture(server)
        let lot = try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.host).text("id"))
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let bid = try #require(try fixture.call("GET", "/bids").text("bids.0.id"))
        #expect(try fixture.call("POST", "/auction/pause", by: fixture.host).status == 200)
        var message: String?
        for _ in 0..<100 {
            guard let next = try fixture.call("POST", "/messages", ["text": "hi"], by: fixture.viewer).text("id") else { break }
            message = next
        }
        func expect(
            _ isTaken: Bool, _ method: String, _ tail: String, _ body: JSONValue? = nil, by guest: Guest,
            at location: SourceLocation = #_sourceLocation
        ) throws {
            let response = try fixture.call(method, tail, body, by: guest)
            let isAsExpected = isTaken ? response.status < 300 : response.code == "address.storage_full"
            #expect(isAsExpected, "\(response.status) \(response.bodyText)", sourceLocation: location)
        }
        let rival = "/members/\(fixture.rival.id)"
        try expect(true, "PATCH", rival, ["muted": true], by: fixture.host)
        try expect(false, "PATCH", rival, ["muted": false], by: fixture.host)
        try expect(false, "PATCH", rival, ["banned": true, "role": "viewer"], by: fixture.host)
        try expect(true, "PATCH", rival, ["banned": true], by: fixture.host)
        try expect(false, "PATCH", rival, ["banned": false], by: fixture.host)
        try expect(true, "DELETE", "/bids/\(bid)?reason=mistake", by: fixture.host)
        try expect(true, "POST", "/auction/resume", by: fixture.host)
        try expect(false, "POST", "/auction/pause", by: fixture.host)
        try expect(true, "POST", "/stage/seats/1/mute", ["muted": true], by: fixture.host)
        try expect(false, "POST", "/stage/seats/1/mute", ["muted": false], by: fixture.host)
        try expect(true, "POST", "/stage/seats/1/close", by: fixture.host)
        try expect(false, "POST", "/stage/seats/1/clear", by: fixture.host)
        try expect(false, "POST", "/stage/requests", ["role": "bidder"], by: fixture.viewer)
        try expect(true, "POST", "/members", ["role": "viewer"], by: fixture.viewer)
        try expect(true, "DELETE", "/members/me", by: fixture.viewer)
        try expect(false, "POST", "/members", ["role": "viewer"], by: fixture.viewer)
        try expect(true, "DELETE", "/members/\(fixture.bidder.id)", by: fixture.host)
        try expect(true, "DELETE", "/messages/\(try #require(message))", by: fixture.host)
        try expect(true, "DELETE", "/lots/\(lot)?reason=broken", by: fixture.host)
        try expect(true, "POST", "/auction/end", by: fixture.host)
        try expect(true, "DELETE", "", by: fixture.host)
    }

    @Test func `beyond the limit of its address a sale is voided and an offer answered, but no bid left`() throws {
        let server = try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0)) { $0.limits.textBytesPerAddress = 40_000 }
        let fixture = try RoomFixture(server)
        _ = try fixture.sellLot()
        let lot = try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).text("id"))
        #expect(try fixture.call("PUT", "/lots/\(lot)/bid", ["maximum": "100"], by: fixture.bidder).status == 201)
        for _ in 0..<100 {
            if try fixture.call("POST", "/messages", ["text": "hi"], by: fixture.viewer).status != 201 { break }
        }
        let more = try fixture.call("PUT", "/lots/\(lot)/bid", ["maximum": "120"], by: fixture.bidder)
        #expect(more.code == "address.storage_full")
        #expect(try fixture.call("DELETE", "/lots/\(lot)/bid", by: fixture.bidder).status == 204)
        let void = try fixture.call("POST", "/results/1/void", ["reason": "Not paid.", "offerTo": "next"], by: fixture.host)
        let offer = try #require(void.text("offer.id"))
        #expect(try fixture.call("POST", "/offers/\(offer)/accept", by: fixture.rival).status == 200)
    }

    @Test func `voids, answers to offers and bids that are left count, and those of strangers do not`() throws {
        /// How many orders of this kind there are until messages of the room are refused.
        func orders(_ order: (RoomFixture) throws -> HTTPResponse) throws -> Int {
            let server = try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0)) { $0.limits.textBytesPerAddress = 40_000 }
            let fixture = try RoomFixture(server)
            _ = try fixture.sellLot()
            for number in 0..<60 {
                if try fixture.call("POST", "/messages", ["text": "hi"], by: fixture.viewer).status != 201 { return number }
                _ = try order(fixture)
            }
            return .max
        }
        let none = "offer_01m7yn51psh16pxpxz9yp3xz7t"
        let reason: JSONValue = ["reason": .string(String(repeating: "x", count: 500))]
        let messages = try orders { try $0.room() }
        let voids = try orders { try $0.call("POST", "/results/1/void", reason, by: $0.host) }
        #expect(voids < messages / 3, "\(voids) of some 3,100 bytes, \(messages) of some 650")
        for guest in [\RoomFixture.stranger, \.bidder] {
            #expect(try orders { try $0.call("POST", "/offers/\(none)/accept", by: $0[keyPath: guest]) } == messages)
        }
        let bids = try orders { fixture in
            let lot = "lot_01m7yn51psh16pxpxz9yp3xz7p"
            return try fixture.call("PUT", "/lots/\(lot)/bid", ["maximum": "100"], by: fixture.bidder)
        }
        #expect(bids < messages * 3 / 4, "\(bids) of some 1,300 bytes")
        #expect(
            try orders {
                try $0.call("PUT", "/lots/lot_01m7yn51psh16pxpxz9yp3xz7p/bid", ["maximum": "100"], by: $0.stranger)
            } == messages)
    }

    @Test func `commands that are the host's count for nothing when others of the address send them`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.textBytesPerAddress = 20_000 })
        let lot = try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).text("id"))
        for _ in 0..<10 {
            for guest in [fixture.bidder, fixture.stranger] {
                #expect(try fixture.call("POST", "/auction/start", by: guest).status == 403)
                #expect(try fixture.call("POST", "/sale/start", by: guest).status == 403)
                #expect(try fixture.call("POST", "/auction/cancel", ["reason": "no"], by: guest).status != 429)
                #expect(try fixture.call("PATCH", "/lots/\(lot)", ["name": "A"], by: guest).status == 403)
                #expect(try fixture.call("POST", "/auction/pause", by: guest).status != 429)
                #expect(try fixture.call("PATCH", "/members/\(fixture.viewer.id)", ["muted": true], by: guest).status == 403)
            }
        }
        try fixture.start()
        #expect(try fixture.call("POST", "/auction/cancel", ["reason": "wrong lot"], by: fixture.host).status == 200)
    }

    @Test func `beyond the limit of its address a repeat gets the stored response`() throws {
        let server = try TestServer(roomLimits: RoomLimits(messagesPerSecond: 0)) { $0.limits.textBytesPerAddress = 15_000 }
        let fixture = try RoomFixture(server)
        func keyed(_ key: String, _ path: String, _ body: JSONValue? = nil) throws -> HTTPResponse {
            try server.call("POST", path, body, by: fixture.host, [("Idempotency-Key", key)])
        }
        func open(_ key: String) throws -> HTTPResponse { try keyed(key, "/v1/rooms", ["name": "Other"]) }
        func start(_ key: String) throws -> HTTPResponse { try keyed(key, "\(fixture.path)/auction/start") }
        #expect(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).status == 201)
        let opened = try open("room")
        let started = try start("start")
        #expect(opened.status == 201 && started.status == 200)
        #expect(try fixture.call("POST", "/auction/cancel", ["reason": "wrong lot"], by: fixture.host).status == 200)
        var number = 0
        while number < 20, try keyed("\(number)", "\(fixture.path)/messages", ["text": "hi"]).status == 201 { number += 1 }
        for refused in [try open("other"), try start("other"), try keyed("other", "\(fixture.path)/messages", ["text": "hi"])] {
            #expect(refused.status == 429 && refused.code == "address.storage_full", "\(refused.bodyText)")
            #expect(refused.text("detail")?.contains("limit-text-bytes-per-address") == true)
            #expect((1...86_400).contains(refused.header("Retry-After").flatMap { Int($0) } ?? 0))
            #expect(refused.header("Retry-After") != "3600", "when the address may send again, not the hour of a full room")
        }
        for (again, first) in [(try open("room"), opened), (try start("start"), started)] {
            #expect(again.status == first.status && again.body == first.body, "\(again.bodyText)")
            #expect(again.header("Idempotency-Replayed") == "true")
        }
    }
}

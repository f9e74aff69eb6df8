import AuctionServer
import AuctionService
import AuctionTestKit
import Dispatch
import EventLog
import ExactJSON
import Glibc
import MicroHTTP
import Testing

struct SocketCommandTests {
    private func ack(_ socket: SocketReader, _ frame: String) throws -> JSONValue { try socket.ack(frame) }

    @Test func `a bid by WebSocket is acknowledged once durable and published to all readers`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        let listener = try EventReader(fixture, "?after=latest")
        let ack = try ack(socket, #"{"id":"c1","type":"placeBid","amount":"120"}"#)
        #expect(ack.text("ack") == "c1")
        #expect(ack.int("status") == 201)
        #expect(ack.text("bid.amount") == "120.00")
        #expect(ack.at("receipt") != nil)
        let event = try #require(try listener.event())
        #expect(event.data.text("data.bidId") == ack.text("bid.id"))
        #expect(try socket.event()?.data == event.data)
    }

    @Test func `the host warns by a frame, and all readers see it`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let listener = try EventReader(fixture, "?after=latest")
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        let ack = try ack(socket, #"{"id":"c1","type":"warn","level":2,"expectedRound":1}"#)
        #expect(ack.int("status") == 200)
        #expect(ack.int("warning") == 2)
        #expect(try listener.event()?.data.int("data.level") == 2)
        #expect(try self.ack(socket, #"{"id":"c2","type":"warn","level":3}"#).text("problem.field") == "level")
    }

    @Test func `the host enters a floor bid by a frame`() throws {
        let fixture = try RoomFixture()
        try fixture.call("PATCH", "/permission-rules/bid.floor_off", ["enabled": false], by: fixture.host)
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        let entered = try ack(socket, #"{"id":"c1","type":"placeBid","amount":"100","floor":{"paddle":"217"}}"#)
        #expect(entered.int("status") == 201)
        #expect(entered.text("bid.bidder.id") == "user_floor" && entered.text("bid.paddle") == "217")
        let low = try ack(socket, #"{"id":"c2","type":"placeBid","amount":"90","floor":{}}"#)
        #expect(low.text("problem.code") == "floor.below_minimum")
    }

    @Test func `a member reports a message by a frame`() throws {
        let fixture = try RoomFixture()
        let message = try #require(try fixture.call("POST", "/messages", ["text": "Fool"], by: fixture.bidder).text("id"))
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.viewer)
        let frame = #"{"id":"c1","type":"reportMessage","messageId":"\#(message)","reason":"An insult."}"#
        #expect(try ack(socket, frame).int("status") == 204)
        #expect(try fixture.call("GET", "/reports", by: fixture.host).text("reports.0.reason") == "An insult.")
    }

    @Test func `a sale is voided, offered and bought, and a lot offered again, by frames`() throws {
        let fixture = try RoomFixture()
        let lot = try fixture.sellLot()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        let voided = try ack(socket, #"{"id":"c1","type":"voidResult","round":1,"reason":"Not paid.","offerTo":"next"}"#)
        #expect(voided.int("status") == 200)
        let offer = try #require(voided.text("offer.id"))
        let early = try ack(socket, #"{"id":"c2","type":"reofferLot","lotId":"\#(lot)"}"#)
        #expect(early.text("problem.code") == "reoffer.not_ended")
        let bidder = try SocketReader(fixture, "?after=latest", by: fixture.rival)
        let declined = try ack(bidder, #"{"id":"c1","type":"declineOffer","offerId":"\#(offer)"}"#)
        #expect(declined.int("status") == 200)
        let again = try ack(socket, #"{"id":"c3","type":"reofferLot","lotId":"\#(lot)","rules":{"biddingSeconds":20}}"#)
        #expect(again.int("status") == 201)
        #expect(again.text("offeredBefore") == lot)
    }

    @Test func `the host declines and approves an applicant by frames`() throws {
        let fixture = try RoomFixture()
        try fixture.call("PATCH", "/permission-rules/bid.not_approved", ["enabled": true], by: fixture.host)
        let applicant = try SocketReader(fixture, "?after=latest", by: fixture.viewer)
        let applied = try ack(applicant, #"{"id":"c1","type":"joinRoom","role":"bidder"}"#)
        #expect(applied.int("status") == 200 && applied.text("application.state") == "open")
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        let user = #""userId":"\#(fixture.viewer.id)""#
        let declined = try ack(socket, #"{"id":"c1","type":"declineApplication",\#(user),"reason":"Not yet."}"#)
        #expect(declined.text("state") == "declined" && declined.text("reason") == "Not yet.")
        let refused = try ack(applicant, #"{"id":"c2","type":"joinRoom","role":"bidder"}"#)
        #expect(refused.text("problem.code") == "application.declined")
        let approved = try ack(socket, #"{"id":"c2","type":"approveApplication",\#(user),"creditLimit":"500"}"#)
        #expect(approved.text("role") == "bidder" && approved.text("creditLimit") == "500.00")
    }

    @Test func `the host asks by a frame`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        try fixture.bid("100", by: fixture.bidder)
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        let asked = try ack(socket, #"{"id":"c1","type":"changeAsk","nextMinimum":"130","expectedRound":1}"#)
        #expect(asked.int("status") == 200)
        #expect(asked.text("nextMinimum") == "130.00")
        let low = try ack(socket, #"{"id":"c2","type":"changeAsk","nextMinimum":"90"}"#)
        #expect(low.text("problem.code") == "ask.below_price")
    }

    @Test func `a bid is left on a lot, and taken back, by frames`() throws {
        let fixture = try RoomFixture()
        let lot = try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.owner).text("id"))
        let listener = try EventReader(fixture, "?after=latest")
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        let left = try ack(socket, #"{"id":"c1","type":"placeAbsenteeBid","lotId":"\#(lot)","maximum":"130"}"#)
        #expect(left.int("status") == 201)
        #expect(left.text("maximum") == "130.00")
        #expect(left.at("receipt") != nil)
        #expect(try listener.event()?.data.int("data.absenteeBids") == 1)
        let low = try ack(socket, #"{"id":"c2","type":"placeAbsenteeBid","lotId":"\#(lot)","maximum":"90"}"#)
        #expect(low.text("problem.code") == "absentee.below_start")
        #expect(try ack(socket, #"{"id":"c3","type":"withdrawAbsenteeBid","lotId":"\#(lot)"}"#).int("status") == 204)
        #expect(try listener.event()?.data.int("data.absenteeBids") == 0)
    }

    @Test func `refused commands get the same problems as over HTTP`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        let low = try ack(socket, #"{"id":"c1","type":"placeBid","amount":"1.00"}"#)
        #expect(low.text("ack") == "c1")
        #expect(low.text("problem.code") == "bid.below_minimum")
        #expect(low.text("problem.permission.required") == "100.00")
        let anonymous = try SocketReader(fixture, "?after=latest")
        #expect(
            try ack(anonymous, #"{"id":"c2","type":"placeBid","amount":"120"}"#).text("problem.code") == "token.missing")
        let unknown = try ack(socket, #"{"id":"c3","type":"placeBid","amount":"120","x\"y":1}"#)
        #expect(unknown.text("problem.code") == "request.unknown_field")
    }

    @Test func `a malformed frame is acknowledged with a problem, and with its id if it has one`() throws {
        let fixture = try RoomFixture()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        for frame in ["no JSON", "[]", "{}", #"{"id":7,"type":"placeBid"}"#, #"{"id":"","type":"pause"}"#] {
            let response = try ack(socket, frame)
            #expect(response["ack"] == .null, "\(frame)")
            #expect(response.int("problem.status") == 400, "\(frame)")
        }
        let unknown = try ack(socket, #"{"id":"c1","type":"fly"}"#)
        #expect(unknown.text("ack") == "c1")
        #expect(unknown.text("problem.field") == "type")
        #expect(try ack(socket, #"{"id":"c2","type":"retractBid","bidId":"../x"}"#).int("problem.status") == 400)
    }

    @Test func `a bid of a user who has sent too many malformed frames is refused under its id`() throws {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 5 })
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        var code: String?
        for _ in 0..<100 where code != "command.rate" { code = try ack(socket, "{").text("problem.code") }
        #expect(code == "command.rate")
        let refused = try ack(socket, #"{"id":"c7","type":"placeBid","amount":"120"}"#)
        #expect(refused.text("ack") == "c7")
        #expect(refused.text("problem.code") == "command.rate")
        #expect(refused.int("problem.seq") == (try fixture.seq()))
    }

    @Test func `frames of commands without a body are refused if they have an unknown member`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bid = try #require(try fixture.bid("120", by: fixture.bidder).text("bid.id"))
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        let seq = try fixture.seq()
        let commands = [
            #""type":"archiveRoom""#, #""type":"clearSale""#, #""type":"kick","userId":"\#(bid)""#, #""type":"leaveRoom""#,
            #""type":"removeMessage","messageId":"\#(bid)""#, #""type":"retractBid","bidId":"\#(bid)","reason":"a slip""#,
            #""type":"withdrawLot","lotId":"\#(bid)""#,
        ]
        for command in commands {
            let refused = try ack(socket, #"{"id":"c","key":"k1",\#(command),"reasom":"a slip"}"#)
            #expect(refused.text("ack") == "c", "\(command)")
            #expect(refused.text("problem.code") == "request.unknown_field", "\(command)")
            #expect(refused.text("problem.field") == "reasom", "\(command)")
        }
        #expect(try fixture.seq() == seq)
    }

    @Test func `a key with a blank at its end is refused, as it is by HTTP`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        for key in ["k ", #"k\t"#, " k"] {
            let refused = try ack(socket, #"{"id":"c","type":"placeBid","key":"\#(key)","amount":"100"}"#)
            #expect(refused.text("problem.field") == "Idempotency-Key", "\(key)")
        }
        #expect(try fixture.room().text("currentPrice") == nil)
    }

    @Test func `a socket without a token that sends many commands is refused and closed like one with malformed frames`() throws
    {
        let fixture = try RoomFixture(try TestServer { $0.limits.commandsPerSecond = 5 })
        let socket = try SocketReader(fixture, "?after=latest")
        var codes: [String] = []
        for _ in 0..<100 where codes.last != "command.rate" {
            codes.append(try socket.ack(#"{"id":"c1","type":"pause"}"#).text("problem.code") ?? "-")
        }
        #expect(codes == Array(repeating: "token.missing", count: 80) + ["command.rate"])
        for _ in 0..<15 { try socket.sendText(#"{"id":"c1","type":"pause"}"#) }
        while try socket.next() != nil {}
        #expect(socket.closeCode == 4429)
    }

    @Test func `the host can run an auction over one socket`() throws {
        let fixture = try RoomFixture()
        try fixture.upload()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        #expect(try ack(socket, #"{"id":"1","type":"startAuction"}"#).text("state") == "listing")
        #expect(try ack(socket, #"{"id":"2","type":"startAuction"}"#).text("state") == "auctioning")
        #expect(try ack(socket, #"{"id":"3","type":"pause","reason":"tea"}"#).text("state") == "paused")
        #expect(try ack(socket, #"{"id":"4","type":"resume"}"#).text("state") == "auctioning")
        #expect(try ack(socket, #"{"id":"5","type":"sendMessage","text":"hello"}"#).int("status") == 201)
    }

    @Test func `the host retracts a bid over a socket, with any text as reason`() throws {
        let fixture = try RoomFixture()
        try fixture.openBidding()
        let bid = try #require(try fixture.bid("120", by: fixture.bidder).text("bid.id"))
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.host)
        let silent = try ack(socket, #"{"id":"1","type":"retractBid","bidId":"\#(bid)"}"#)
        #expect(silent.text("problem.field") == "reason")
        #expect(try ack(socket, #"{"id":"2","type":"retractBid","bidId":"\#(bid)","reason":7}"#).int("problem.status") == 400)
        let reason = "a slip & more=1 #2 100% 手误+"
        let done = try ack(socket, #"{"id":"3","type":"retractBid","bidId":"\#(bid)","reason":"\#(reason)"}"#)
        #expect(done.int("status") == 200)
        #expect(try fixture.events().last { $0.text("type") == "bid.retracted" }?.text("data.reason") == reason)
    }

    @Test func `a stop waits for the response to an accepted command`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        log.commits.shut()
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"120"}"#)
        eventually("the bid's commit is blocked") { log.commits.blockedCalls > 0 }
        // The gate opens once the server accepts no more connections: then the stop waits for the outstanding response.
        let port = fixture.server.auctionServer.port
        DispatchQueue.global().async {
            eventually("the stop has begun") { (try? HTTPConnection(port: port)) == nil }
            log.commits.open()
        }
        fixture.server.stop(within: 5)
        var acknowledged = false
        while let item = try socket.next() {
            if item.data.text("ack") == "c1", item.data.int("status") == 201 { acknowledged = true }
        }
        #expect(acknowledged)
        #expect(socket.closeCode == 1001)
    }

    @Test func `concurrent frames are acknowledged by id, and frames beyond the limit are refused`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let fixture = try RoomFixture(try TestServer(log: log))
        try fixture.openBidding()
        let socket = try SocketReader(fixture, "?after=latest", by: fixture.bidder)
        log.commits.shut()
        for number in 0..<40 { try socket.sendText(#"{"id":"c\#(number)","type":"placeBid","amount":"\#(120 + number)"}"#) }
        var responses: [JSONValue] = []
        while responses.count < 40, let item = try socket.next() {
            if item.data["ack"] != nil { responses.append(item.data) }
            if responses.count == 8 { log.commits.open() }
        }
        #expect(Set(responses.compactMap { $0.text("ack") }).count == 40)
        let overloaded = responses.filter { $0.text("problem.code") == "service.overloaded" }
        #expect(overloaded.count == 8)
        #expect(
            overloaded.allSatisfy { $0.int("problem.seq") != nil && $0.text("problem.endsAt") != nil }, "each has a receipt")
        #expect(responses.count { $0.int("status") == 201 } == 1)
        #expect(responses.count { $0.text("problem.code") == "bid.already_leading" } == 31)
    }
}

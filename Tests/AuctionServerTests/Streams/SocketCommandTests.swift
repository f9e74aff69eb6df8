import AuctionServer
import AuctionService
import Dispatch
import EventLog
import ExactJSON
import Glibc
import MicroHTTP
import Testing

struct SocketCommandTests {
    /// Sends a frame and returns its acknowledgement, past whatever events come before.
    private func ack(_ socket: SocketReader, _ frame: String) throws -> JSONValue {
        try socket.sendText(frame)
        while let item = try socket.next() {
            if item.data["ack"] != nil { return item.data }
        }
        throw StreamReader.Failure(description: "closed: \(socket.closeCode ?? 0)")
    }

    @Test func `a bid by WebSocket is a bid, acknowledged once it is durable, and everybody hears of it`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        let listener = try EventReader(scene, "?after=latest")
        let ack = try ack(socket, #"{"id":"c1","type":"placeBid","amount":"120"}"#)
        #expect(ack.text("ack") == "c1")
        #expect(ack.int("status") == 201)
        #expect(ack.text("bid.amount") == "120.00")
        #expect(ack.at("receipt") != nil)
        let event = try #require(try listener.event())
        #expect(event.data.text("data.bidId") == ack.text("bid.id"))
        #expect(try socket.event()?.data == event.data)
    }

    @Test func `refusals are the problems of HTTP`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        let low = try ack(socket, #"{"id":"c1","type":"placeBid","amount":"1.00"}"#)
        #expect(low.text("ack") == "c1")
        #expect(low.text("problem.code") == "bid.below_minimum")
        #expect(low.text("problem.permission.required") == "100.00")
        let anonymous = try SocketReader(scene, "?after=latest")
        #expect(
            try ack(anonymous, #"{"id":"c2","type":"placeBid","amount":"120"}"#).text("problem.code") == "token.missing")
        let unknown = try ack(socket, #"{"id":"c3","type":"placeBid","amount":"120","x\"y":1}"#)
        #expect(unknown.text("problem.code") == "request.unknown_field")
    }

    @Test func `a frame that cannot be read is told so, by its id if it has one`() throws {
        let scene = try Scene()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        for frame in ["no JSON", "[]", "{}", #"{"id":7,"type":"placeBid"}"#, #"{"id":"","type":"pause"}"#] {
            let answer = try ack(socket, frame)
            #expect(answer["ack"] == .null, "\(frame)")
            #expect(answer.int("problem.status") == 400, "\(frame)")
        }
        let unknown = try ack(socket, #"{"id":"c1","type":"fly"}"#)
        #expect(unknown.text("ack") == "c1")
        #expect(unknown.text("problem.field") == "type")
        #expect(try ack(socket, #"{"id":"c2","type":"retractBid","bidId":"../x"}"#).int("problem.status") == 400)
    }

    @Test func `a key makes a repeat the same command, over both ways`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        let frame = #"{"id":"c1","type":"placeBid","amount":"120","key":"k1"}"#
        let first = try ack(socket, frame)
        #expect(try ack(socket, frame).text("bid.id") == first.text("bid.id"))
        let again = try scene.call("POST", "/bids", ["amount": "120"], by: scene.bidder, [("Idempotency-Key", "k1")])
        #expect(again.text("bid.id") == first.text("bid.id"))
    }

    @Test func `the host runs an auction over one socket`() throws {
        let scene = try Scene()
        try scene.upload()
        let socket = try SocketReader(scene, "?after=latest", by: scene.host)
        #expect(try ack(socket, #"{"id":"1","type":"startAuction"}"#).text("state") == "listing")
        #expect(try ack(socket, #"{"id":"2","type":"startAuction"}"#).text("state") == "auctioning")
        #expect(try ack(socket, #"{"id":"3","type":"pause","reason":"tea"}"#).text("state") == "paused")
        #expect(try ack(socket, #"{"id":"4","type":"resume"}"#).text("state") == "auctioning")
        #expect(try ack(socket, #"{"id":"5","type":"sendMessage","text":"hello"}"#).int("status") == 201)
    }

    @Test func `the host takes a bid back over a socket, with a reason in any words`() throws {
        let scene = try Scene()
        try scene.openBidding()
        let bid = try #require(try scene.bid("120", by: scene.bidder).text("bid.id"))
        let socket = try SocketReader(scene, "?after=latest", by: scene.host)
        let silent = try ack(socket, #"{"id":"1","type":"retractBid","bidId":"\#(bid)"}"#)
        #expect(silent.text("problem.field") == "reason")
        #expect(try ack(socket, #"{"id":"2","type":"retractBid","bidId":"\#(bid)","reason":7}"#).int("problem.status") == 400)
        let reason = "a slip & more=1 #2 100% 手误+"
        let done = try ack(socket, #"{"id":"3","type":"retractBid","bidId":"\#(bid)","reason":"\#(reason)"}"#)
        #expect(done.int("status") == 200)
        #expect(try scene.events().last { $0.text("type") == "bid.retracted" }?.text("data.reason") == reason)
    }

    @Test func `a stop lets a command that was taken be answered first`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let scene = try Scene(try House(log: log))
        try scene.openBidding()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        log.shut()
        try socket.sendText(#"{"id":"c1","type":"placeBid","amount":"120"}"#)
        eventually("the bid stands at the gate") { log.isHolding }
        // The gate opens while the stop waits for the answer that is owed.
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { log.open() }
        scene.house.stop(within: 5)
        var acknowledged = false
        while let item = try socket.next() {
            if item.data.text("ack") == "c1", item.data.int("status") == 201 { acknowledged = true }
        }
        #expect(acknowledged)
        #expect(socket.closeCode == 1001)
    }

    @Test func `many frames at once are answered, each by its id, and too many are refused`() throws {
        let log = GatedEventLog(InMemoryEventLog())
        let scene = try Scene(try House(log: log))
        try scene.openBidding()
        let socket = try SocketReader(scene, "?after=latest", by: scene.bidder)
        log.shut()
        for number in 0..<40 { try socket.sendText(#"{"id":"c\#(number)","type":"placeBid","amount":"\#(120 + number)"}"#) }
        var answers: [JSONValue] = []
        while answers.count < 40, let item = try socket.next() {
            if item.data["ack"] != nil { answers.append(item.data) }
            if answers.count == 8 { log.open() }
        }
        #expect(Set(answers.compactMap { $0.text("ack") }).count == 40)
        #expect(answers.count { $0.text("problem.code") == "service.overloaded" } == 8)
        #expect(answers.count { $0.int("status") == 201 } == 1)
        #expect(answers.count { $0.text("problem.code") == "bid.already_leading" } == 31)
    }
}

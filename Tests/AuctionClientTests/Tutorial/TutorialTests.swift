import Foundation
import Testing

@testable import AuctionClientCore

@MainActor struct TutorialTests {
    @Test func `the code of the article is the code that is compiled here`() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let package = tests.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let article = try String(
            contentsOf: package.appendingPathComponent("Sources/AuctionClientCore/AuctionClient.docc/ABiddingScreen.md"),
            encoding: .utf8)
        let model = try String(contentsOf: tests.appendingPathComponent("BiddingModel.swift"), encoding: .utf8)
        let compiled = Self.lines(model)
        let blocks = article.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count >= 6)
        for block in blocks {
            let lines = Self.lines(block)
            let isThere = compiled.indices.contains { compiled[$0...].starts(with: lines) }
            #expect(isThere, "not in BiddingModel.swift:\n\(block)")
        }
    }

    /// Without indentation, which a type around the code changes.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test func `the screen shows the room, and what became of bids`() async {
        let transport = FakeTransport { call throws(TransportError) in
            guard call.method == "POST" else { return Responses.room(Responses.auctioning) }
            let body = String(decoding: call.body ?? [], as: UTF8.self)
            if body.contains("9.00") { return SimulatedService.problem(422, "bid.below_minimum", required: "\"10.00\"", at: 0) }
            if body.contains("12.00") { throw .interrupted("lost") }
            return Responses.bid(leading: !body.contains("11.00"))
        }
        var configuration = ClientConfiguration()
        configuration.commands = .impatient
        let client = AuctionClient(transport: transport, configuration: configuration, clock: TestClock())
        let model = BiddingModel(client: client, room: "room_1", locale: Locale(identifier: "en_US"))
        let following = Task { await model.follow() }
        while model.screen.title.isEmpty { await Task.yield() }
        #expect(model.screen.title == "Teapot")
        #expect(model.screen.minimum?.decimal == "10.00")
        #expect(model.screen.mayBid)
        #expect(model.remaining().map { $0 > .seconds(10) && $0 <= .seconds(16) } == true)
        await model.bid("10")
        #expect(model.screen.notice == "You lead.")
        await model.bid("11.00")
        #expect(model.screen.notice == "Outbid at once; at least CN¥11.00 now.")
        await model.bid("9")
        #expect(model.screen.notice == "At least CN¥10.00.")
        await model.bid("1,50")
        #expect(model.screen.notice == "Not an amount: 1,50")
        await model.bid("12")
        #expect(model.screen.notice == "It is not known whether your bid was placed.")
        #expect(model.undecided != nil)
        let bids = transport.calls.filter { $0.method == "POST" }
        #expect(bids.allSatisfy { String(decoding: $0.body ?? [], as: UTF8.self).contains(#""round":1"#) })
        following.cancel()
        await following.value
        #expect(model.screen.notice == "It is not known whether your bid was placed.")
    }
}

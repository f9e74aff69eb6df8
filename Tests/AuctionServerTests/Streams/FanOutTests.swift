import AuctionDomain
@testable import AuctionServer
import MicroHTTP
import Testing

struct FanOutTests {
    private final class Work: Sendable {
        let name: String

        init(_ name: String) { self.name = name }
    }

    /// What each subscriber is sent, in order.
    private func sends(_ fanOut: inout FanOut<Int, Work>) -> [String] {
        var sends: [String] = []
        while let (id, work) = fanOut.next() { sends.append("\(work.name) to \(id)") }
        return sends
    }

    @Test func `a subscriber that joins the work added last is served in order, and with the same work`() {
        var fanOut = FanOut<Int, Work>()
        let (first, second) = (Work("first"), Work("second"))
        #expect(fanOut.lastWork == nil)
        fanOut.add(first, to: [1, 2])
        fanOut.add(first, to: 3)
        #expect(fanOut.next()?.0 == 1)
        fanOut.add(second, to: 4)
        #expect(fanOut.lastWork === second)
        fanOut.add(second, to: 5)
        // Not the work added last: an item of its own, so that the order is kept.
        fanOut.add(first, to: 6)
        #expect(sends(&fanOut) == ["first to 2", "first to 3", "second to 4", "second to 5", "first to 6"])
        #expect(fanOut.lastWork == nil)
    }

    /// `serverTime` must not be from before the request: clients set their clock by it.
    @Test func `a page that has been encoded takes no poll that arrives later`() {
        let room = RoomID(bits: 1)
        let page = PollPage(room, after: 10, limit: 100)
        #expect(page.takes(room, after: 10, limit: 100))
        #expect(!page.takes(room, after: 11, limit: 100) && !page.takes(RoomID(bits: 2), after: 10, limit: 100))
        page.keep(SharedResponse(Response(status: 200, headers: [], body: [])), at: 0)
        #expect(!page.takes(room, after: 10, limit: 100))
    }

    @Test func `thousands that join the same work, one by one, are all served`() {
        var fanOut = FanOut<Int, Work>()
        let work = Work("page")
        for id in 0..<3 * FanOut<Int, Work>.itemLimit { fanOut.add(work, to: id) }
        #expect(sends(&fanOut).count == 3 * FanOut<Int, Work>.itemLimit)
    }

    @Test func `a queue is full while it has as many sends as it may, whatever items they belong to`() {
        let limit = FanOut<Int, Work>.sendLimit
        var fanOut = FanOut<Int, Work>()
        let work = Work("page")
        fanOut.add(Work("event"), to: Array(0..<limit - 2))
        fanOut.add(work, to: 1)
        #expect(!fanOut.isFull)
        fanOut.add(work, to: 2)
        #expect(fanOut.isFull)
        _ = fanOut.next()
        #expect(!fanOut.isFull && fanOut.sendCount == limit - 1)
        #expect(sends(&fanOut).count == limit - 1)
        #expect(fanOut.isEmpty && fanOut.sendCount == 0)
    }
}

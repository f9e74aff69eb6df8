import AuctionServer
import AuctionTestKit
import Dispatch
import ExactJSON
import Glibc
import Synchronization

/// Writes bids and messages of several users on a background thread, one after the other, until stopped.
final class RoomTraffic: Sendable {
    /// How many events the room may be ahead of the reader, so that the log's length does not depend on the machine's speed.
    private static let leadEvents = 150

    private let port: UInt16
    private let path: String
    private let clock: TestClock
    private let bidders: [Guest]
    private let talkers: [Guest]
    private let reader = Atomic<Int>(0)
    private let isStopping = Atomic<Bool>(false)
    private let failure = Mutex<String?>(nil)
    private let running = DispatchGroup()

    /// - Parameter fixture: a room whose round is open and stays open.
    init(_ fixture: RoomFixture) {
        port = fixture.server.auctionServer.port
        path = fixture.path
        clock = fixture.server.clock
        bidders = [fixture.bidder, fixture.rival]
        talkers = [fixture.host, fixture.owner, fixture.viewer]
    }

    func start() {
        DispatchQueue.global().async(group: running) { [self] in
            do { try run() } catch { failure.withLock { $0 = "\(error)" } }
        }
    }

    /// Reports the reader's position.
    func read(to seq: Int) { reader.store(seq, ordering: .relaxed) }

    /// Stops after the response to the last command; returns the error that stopped the writer early, if any.
    func stop() -> String? {
        isStopping.store(true, ordering: .relaxed)
        running.wait()
        return failure.withLock { $0 }
    }

    private func run() throws {
        let connection = try HTTPConnection(port: port)
        var amount = 100
        var turn = 0
        while !isStopping.load(ordering: .relaxed) {
            let bid = try send("/bids", ["amount": .string(String(amount))], by: bidders[turn % 2], on: connection)
            if turn % 4 == 0 {
                // Half a second of simulated time, so that no member exceeds the message rate.
                clock.advance(milliseconds: 500)
                try send("/messages", ["text": .string("turn \(turn)\n竞拍")], by: talkers[turn / 4 % 3], on: connection)
            }
            amount += 10
            turn += 1
            let seq = bid.int("receipt.seq") ?? 0
            while seq > reader.load(ordering: .relaxed) + Self.leadEvents, !isStopping.load(ordering: .relaxed) { usleep(500) }
        }
    }

    @discardableResult
    private func send(
        _ tail: String, _ body: JSONValue, by guest: Guest, on connection: HTTPConnection
    ) throws -> HTTPResponse {
        try connection.send(
            HTTPRequest(
                method: "POST", path: path + tail,
                headers: [("Authorization", "Bearer \(guest.token)"), ("Content-Type", "application/json")],
                body: Array(body.written.utf8)))
        let response = try connection.receive()
        guard response.status == 201 else {
            throw HTTPConnection.Failure(description: "\(tail) \(response.status): \(response.bodyText)")
        }
        return response
    }
}

import AuctionServer
import AuctionTestKit
import Dispatch
import ExactJSON
import Glibc
import Synchronization

/// Bids and messages of several people, one after the other on a thread of their own, for as long as a test needs them.
final class RoomTraffic: Sendable {
    /// How far the room may be ahead of whoever reads: so the log stays as long as the test makes it, on any machine.
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

    /// - Parameter scene: its round must be open and stay so.
    init(_ scene: Scene) {
        port = scene.house.server.port
        path = scene.path
        clock = scene.house.clock
        bidders = [scene.bidder, scene.rival]
        talkers = [scene.host, scene.owner, scene.viewer]
    }

    func start() {
        DispatchQueue.global().async(group: running) { [self] in
            do { try run() } catch { failure.withLock { $0 = "\(error)" } }
        }
    }

    /// Where the reader is.
    func read(to seq: Int) { reader.store(seq, ordering: .relaxed) }

    /// Returns once the last command is answered; what went wrong, if anything did.
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
                // Half a second of the room's own time: nobody writes faster than a member may.
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
    ) throws -> HTTPAnswer {
        try connection.send(
            HTTPRequest(
                method: "POST", path: path + tail,
                headers: [("Authorization", "Bearer \(guest.token)"), ("Content-Type", "application/json")],
                body: Array(body.written.utf8)))
        let answer = try connection.receive()
        guard answer.status == 201 else {
            throw HTTPConnection.Failure(description: "\(tail) \(answer.status): \(answer.bodyText)")
        }
        return answer
    }
}

internal import ArgumentParser
internal import AuctionDomain

/// `auction-bench decide`: measures the decision of a plain bid in rooms of several sizes, without log, network and encoding.
struct BenchDecide: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decide", abstract: "Measures how long deciding and folding a plain bid takes.")

    @Option(help: "Bids in the room before; several, to see whether the cost grows.") var bids = [10, 1000, 10000]
    @Option(help: "Members of the room.") var members = 1000
    @Option(help: "Decisions to measure in each room; the best of five runs counts.") var decisions = 20000

    private static let instant = Timestamp(milliseconds: 1_767_225_600_000)

    func run() throws {
        for count in bids {
            var room = try PlayedRoom(id: RoomID(bits: 1), name: "Bench", members: members, at: Self.instant)
            for _ in 0..<count { try room.bid() }
            let (decide, fold) = try room.measure(decisions)
            print(
                "\(members) members, \(count) bids: decide \(decide) ns a bid, decide and fold \(fold) ns a bid")
        }
    }
}

extension PlayedRoom {
    /// Nanoseconds per decision, without and with applying its events to the room; the best of five runs.
    fileprivate func measure(_ decisions: Int) throws -> (decide: Int, fold: Int) {
        let clock = ContinuousClock()
        var best = (decide: Duration.seconds(60), fold: Duration.seconds(60))
        for _ in 0..<5 {
            let alone = try clock.measure { for index in 0..<decisions { _ = try decideBid(index) } }
            var copy = self
            let folding = try clock.measure { for _ in 0..<decisions { try copy.bid() } }
            best = (min(best.decide, alone), min(best.fold, folding))
        }
        return (Self.nanoseconds(best.decide, decisions), Self.nanoseconds(best.fold, decisions))
    }

    private static func nanoseconds(_ duration: Duration, _ count: Int) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(count))
    }
}

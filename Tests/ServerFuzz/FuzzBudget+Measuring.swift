import AuctionServer
import ExactJSON
package import HTTPContract
import MicroHTTP

extension FuzzBudget {
    /// Measures ordinary requests on this machine: the minimum of several, because other processes use the CPU too.
    package static func measured(_ contract: Contract) throws -> FuzzBudget {
        let unbounded = FuzzBudget(small: .max / 1_000_000, large: 0, largeBytes: 1)
        let run = try FuzzRun(FuzzOptions(seed: 0, steps: 14), contract, unbounded)
        let report = run.run(drains: false)
        guard let room = run.world.rooms.first, report.findings.isEmpty else {
            throw Contract.Failure(description: "no room to measure in: \(report.findings)")
        }
        let largeBytes = 60_000
        let text = JSONText.plain(["text": .string(String(repeating: "a", count: largeBytes))])
        let small = run.least(method: "GET", "/v1/rooms/\(room.id)", [])
        let large = run.least(method: "POST", "/v1/rooms/\(room.id)/messages", text)
        return FuzzBudget(small: small, large: large, largeBytes: largeBytes)
    }

    package var description: String {
        "a small request takes \(small / 1000) us here, one of \(largeBytes) plain bytes \(large / 1000) us"
    }
}

extension FuzzRun {
    fileprivate func least(method: String, _ target: String, _ body: [UInt8]) -> Int64 {
        let headers = [
            ("Host", "auction.example"), ("Authorization", "Bearer \(world.users[0].token)"),
            ("Content-Type", "application/json"),
        ]
        var least = Int64.max
        for _ in 0..<15 {
            let before = FuzzBudget.spent()
            server.send(.init(method: method, target: target, headers: headers.map { ($0.0, $0.1) }, body: body)) { _ in }
            settle()
            least = min(least, FuzzBudget.spent() - before)
        }
        return least
    }
}

import Foundation
import Testing

@testable import AuctionClient

/// The whole client core against a simulated network and service.
struct SimulationTests {
    /// How many seeds: `AUCTION_CLIENT_SEEDS=100000 swift test --filter AuctionClientTests`.
    private static var seeds: UInt64 {
        ProcessInfo.processInfo.environment["AUCTION_CLIENT_SEEDS"].flatMap(UInt64.init) ?? 10_000
    }

    @Test func `no network makes the client lose, double or invent anything`() async {
        // In parallel, because one core is not enough for the time that a unit test may take.
        let failures = await withTaskGroup(of: [String].self) { group in
            let parts: UInt64 = 8
            for part in 0..<parts {
                group.addTask {
                    stride(from: part, to: Self.seeds, by: Int(parts)).compactMap { seed in
                        do { try SimulatedWorld(seed: seed).simulate() } catch { return String(describing: error) }
                        return nil
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(failures.isEmpty, "\(failures.count) seeds fail: \(failures.prefix(5))")
    }

    @Test(arguments: PlantedBug.allCases) func `the simulation finds a planted bug`(bug: PlantedBug) {
        let found = (0..<UInt64(2000)).first { seed in
            do { try SimulatedWorld(seed: seed, bug: bug).simulate() } catch { return true }
            return false
        }
        #expect(found != nil, "\(bug) is not found")
    }

    @Test func `a seed always gives the same run`() throws {
        for seed: UInt64 in 0..<20 {
            let first = SimulatedWorld(seed: seed)
            let second = SimulatedWorld(seed: seed)
            try first.simulate()
            try second.simulate()
            #expect(first.now == second.now)
            #expect(first.service.events == second.service.events)
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import AuctionClientCore

/// The whole client core against a simulated network and service.
struct SimulationTests {
    private static let seeds = RandomRuns.count(of: 10_000)

    @Test func `no network makes the client lose, double or invent anything`() async {
        let failures = await Self.onThreads(2) { part in
            stride(from: part, to: Self.seeds, by: 2).compactMap { seed in
                do { try SimulatedWorld(seed: seed).simulate() } catch { return String(describing: error) }
                return nil
            }
        }
        #expect(failures.isEmpty, "\(failures.count) seeds fail: \(failures.prefix(5))")
    }

    /// Seeds that found a bug which few do; they are tried first.
    private static let findings: [PlantedBug: UInt64] = [.newKeyForEveryAttempt: 425, .trustsEveryRefusal: 1781]

    @Test(arguments: PlantedBug.allCases) func `the simulation finds a planted bug`(bug: PlantedBug) async {
        let found = await Self.onThreads(1) { _ in
            let seed = ([Self.findings[bug]].compactMap(\.self) + (0..<2000)).first { seed in
                do { try SimulatedWorld(seed: seed, bug: bug).simulate() } catch { return true }
                return false
            }
            return seed.map { ["seed \($0)"] } ?? []
        }
        #expect(!found.isEmpty, "\(bug) is not found")
    }

    /// Runs parts of the work on threads of their own: for so long the threads of Swift's tasks must not be taken from other tests.
    private static func onThreads(
        _ count: UInt64, _ work: @escaping @Sendable (_ part: UInt64) -> [String]
    ) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            for part in 0..<count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread { continuation.resume(returning: work(part)) }.start()
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
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

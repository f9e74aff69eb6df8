import AuctionTestKit
import Foundation
import Testing

/// The service in simulated time with injected faults; `make simulate` runs more seeds.
struct SimulationTests {
    /// Seeds that once violated an invariant.
    private static let regressionSeeds: [UInt64] = [15, 22, 29, 47, 251, 266, 272, 287, 347, 397, 415, 785, 1469]

    /// Number of fresh seeds; set by `AUCTION_SIMULATION_RUNS`.
    private static let freshSeedCount =
        ProcessInfo.processInfo.environment["AUCTION_SIMULATION_RUNS"].flatMap(UInt64.init) ?? 30

    @Test func `no invariant is violated with fresh seeds`() throws {
        let simulation = try Simulation()
        var tally = SimulationTally()
        let first = UInt64.random(in: 1...1 << 48)
        for seed in first..<first + Self.freshSeedCount {
            let report = simulation.run(SimulationOptions(seed: seed))
            tally.add(report)
            if let failure = simulation.shrink(report) { Issue.record("\(failure)") }
        }
        print("simulated from seed \(first): \(tally)")
    }

    @Test(arguments: regressionSeeds)
    func `no invariant is violated with seeds that once failed`(_ seed: UInt64) throws {
        let report = try Simulation().run(SimulationOptions(seed: seed))
        #expect(report.findings == [], "\(report.options.commandLine)")
    }

    @Test func `the same seed produces the same run`() throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            let digests = try (1...2).map { _ in try Simulation().run(SimulationOptions(seed: seed)).digest }
            #expect(digests[0] == digests[1], "seed \(seed)")
        }
    }

    /// An auditor without findings proves something only if it detects defects that exist.
    @Test(arguments: SimulationBug.allCases)
    func `the auditor finds every planted bug`(_ bug: SimulationBug) throws {
        let found = try Simulation.detect(bug, within: 1..<401)
        #expect(found != nil, "\(bug.rawValue) violates \"\(bug.guarantee)\" and is not detected")
    }

    @Test func `a failure report has the smallest options that reproduce it`() throws {
        let simulation = try Simulation(bug: .sealedAmountShows)
        // A seed that fails even without faults.
        let found = (1..<401 as Range<UInt64>).lazy.map { SimulationOptions(seed: $0, bug: .sealedAmountShows) }.first {
            options in
            var calm = options
            calm.faults = []
            return [calm, options].allSatisfy { simulation.run($0).findings.first?.rule == "secret" }
        }
        let report = simulation.run(try #require(found))
        let failure = try #require(simulation.shrink(report))
        #expect(failure.smallest.steps < report.options.steps)
        #expect(failure.smallest.faults.isEmpty)
        #expect(simulation.run(failure.smallest).findings.contains { $0.rule == report.findings[0].rule })
        #expect("\(failure)".contains(failure.smallest.commandLine))
    }
}

import AuctionTestKit
import TestSupport
import Testing

/// The service in simulated time with injected faults. `make simulate` runs more seeds, fresh ones too, and plants every bug that the
/// auditor has to find.
struct SimulationTests {
    /// Seeds that once violated an invariant.
    private static let regressionSeeds: [UInt64] = [
        10, 15, 22, 29, 42, 47, 251, 266, 272, 286, 287, 347, 397, 415, 785, 1469, 2479, 20_025,
        255_041_400_386_463,
        255_041_400_387_858,
        220_026_379_418_422, 92_316_468_434_338, 92_316_468_462_647, 169_390_330_626_407,
        // The prepared lot was moved to the end, where only a withdrawn one was behind it.
        143_653_625_171_446,
        // The clock jumped, a bid decided before was stored, the process ended before it stored the jump, and the clock was set back.
        213_624_813_081_588,
        // A slow reader left when the processes no longer sent heartbeats, two minutes into an idle period.
        168_361_346_246_985,
        // A clock jump while a room was read that had been archived between two lots.
        236_725_959_741_538,
        // A price drop that was due before an outage, and a process whose users the others still counted as absent after its link was back.
        81_066_973_856_690, 81_066_973_866_608,
    ]

    @Test func `no invariant is violated with the first seeds`() throws {
        let simulation = try Simulation()
        for seed in 1...RandomRuns.count(of: 30) {
            if let failure = simulation.shrink(simulation.run(SimulationOptions(seed: seed))) { Issue.record("\(failure)") }
        }
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

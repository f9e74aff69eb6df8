/// Sums over many runs; the counts are those of `Simulation.Report`.
package struct SimulationTally: Sendable, CustomStringConvertible {
    /// Number of runs added.
    package private(set) var runs = 0
    /// Number of requests that arrived.
    package private(set) var commands = 0
    /// Number of commands answered with 200.
    package private(set) var accepted = 0
    /// Number of events in the final logs.
    package private(set) var events = 0
    /// Number of rounds that ended with a result.
    package private(set) var rounds = 0
    /// Number of process restarts.
    package private(set) var restarts = 0

    package init() {}

    /// Adds one run's counts.
    package mutating func add(_ report: Simulation.Report) {
        runs += 1
        commands += report.commands
        accepted += report.accepted
        events += report.events
        rounds += report.rounds
        restarts += report.restarts
    }

    package var description: String {
        "\(runs) runs: \(commands) commands, \(accepted) of them accepted, \(events) events, \(rounds) rounds ended, "
            + "\(restarts) processes restarted"
    }
}

extension Simulation {
    /// First seed in `seeds` with which a planted bug breaks its guarantee, and the auditor's finding; nil if there is none.
    package static func detect(
        _ bug: SimulationBug, within seeds: Range<UInt64>
    ) throws -> (seed: UInt64, finding: SimulationFinding)? {
        let simulation = try Simulation(bug: bug)
        for seed in seeds {
            let findings = simulation.run(SimulationOptions(seed: seed, bug: bug)).findings
            if let finding = findings.first(where: { $0.rule == bug.guarantee }) { return (seed, finding) }
        }
        return nil
    }
}

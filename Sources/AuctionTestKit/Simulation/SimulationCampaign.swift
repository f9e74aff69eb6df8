/// What many runs did.
public struct SimulationTally: Sendable, CustomStringConvertible {
    public private(set) var runs = 0
    public private(set) var commands = 0
    public private(set) var accepted = 0
    public private(set) var events = 0
    public private(set) var rounds = 0
    public private(set) var restarts = 0

    public init() {}

    public mutating func add(_ report: Simulation.Report) {
        runs += 1
        commands += report.commands
        accepted += report.accepted
        events += report.events
        rounds += report.rounds
        restarts += report.restarts
    }

    public var description: String {
        "\(runs) runs: \(commands) commands, \(accepted) of them carried out, \(events) events, \(rounds) rounds ended, "
            + "\(restarts) processes restarted"
    }
}

extension Simulation {
    /// The first of so many seeds with which a planted bug breaks a promise, and what the auditor says; nil: never.
    public static func detect(
        _ bug: SimulationBug, within seeds: Range<UInt64>
    ) throws -> (seed: UInt64, finding: SimulationFinding)? {
        let simulation = try Simulation(bug: bug)
        for seed in seeds {
            let findings = simulation.run(SimulationOptions(seed: seed, bug: bug)).findings
            if let finding = findings.first(where: { $0.rule == bug.promise }) { return (seed, finding) }
        }
        return nil
    }
}

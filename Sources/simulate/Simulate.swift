import ArgumentParser
import AuctionTestKit
import Dispatch
import Foundation
import Synchronization

@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the whole service in simulated time with everything that can go wrong, and audits every run.",
        discussion: "A seed makes a run; the same options make the same run. A failure prints the command that repeats it.")

    @Option(help: "The first seed. Default: a fresh one for several runs, 1 for one.") var seed: UInt64?
    @Option(help: "How often somebody does something in a run.") var steps = SimulationOptions.defaultSteps
    @Option(help: "How many seeds, one after the other.") var runs: UInt64 = 1
    @Option(help: "So many of them are the seeds 1, 2, 3…, before the others.") var fixed: UInt64 = 0
    @Option(help: "Begin no run after so many seconds.") var seconds: Double = .infinity
    @Option(help: "Fail unless so many commands were simulated, in as many runs as were asked for.") var leastCommands = 0
    @Option(help: "How many runs at a time.") var threads = ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "What does not go wrong, separated by commas.") var without: String?
    @Option(help: "How many people take part.") var people = SimulationOptions.allPeople
    @Option(help: "At most so many rooms.") var rooms = SimulationOptions.allRooms
    @Option(help: "At most so many processes on one log.") var nodes = SimulationOptions.allNodes
    @Option(help: "Something to break on purpose.") var bug: String?
    @Flag(help: "Print everything that happens.") var trace = false
    @Flag(help: "Plant every known bug in turn: the auditor has to find each.") var selfTest = false

    func run() throws {
        try Hashing.makeDeterministic()
        if selfTest { return try plantAll() }
        let options = try options()
        let simulation = try Simulation(bug: options.bug)
        if trace { for line in simulation.run(options, tracing: true).trace { print(line) } }
        let begun = ContinuousClock.now
        let (tally, failed) = campaign(simulation, options, from: begun)
        for report in failed {
            print("\nFAILED \(simulation.shrink(report)?.description ?? "")")
        }
        let passed = (ContinuousClock.now - begun) / .seconds(1)
        print(tally)
        print(
            String(
                format: "%llu fixed seeds, then from seed %llu, in %.1f s: %.0f seeds/s, %.0f commands/s", min(fixed, runs),
                options.seed, passed, Double(tally.runs) / passed, Double(tally.commands) / passed))
        if !failed.isEmpty { throw ExitCode.failure }
        try checkEnough(tally)
    }

    /// A campaign that its time was too short for has shown less than it was asked to.
    private func checkEnough(_ tally: SimulationTally) throws {
        guard leastCommands > 0, tally.runs < Int(clamping: runs) || tally.commands < leastCommands else { return }
        print("too few: \(runs) runs and \(leastCommands) commands were asked for")
        throw ExitCode.failure
    }

    private func options() throws -> SimulationOptions {
        var options = SimulationOptions(seed: seed ?? (runs > 1 ? UInt64.random(in: 1 << 32...1 << 48) : 1), steps: steps)
        (options.people, options.rooms, options.nodes) = (people, rooms, nodes)
        for name in without?.split(separator: ",") ?? [] {
            guard let fault = SimulationFault(rawValue: String(name)) else {
                let known = SimulationFault.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\(name) is none of \(known)")
            }
            options.faults.remove(fault)
        }
        if let bug {
            guard let planted = SimulationBug(rawValue: bug) else {
                let known = SimulationBug.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\(bug) is none of \(known)")
            }
            options.bug = planted
        }
        return options
    }

    /// Runs share nothing, so as many go on at a time as there are cores; a few failures are enough.
    private func campaign(
        _ simulation: Simulation, _ options: SimulationOptions, from begun: ContinuousClock.Instant
    ) -> (SimulationTally, [Simulation.Report]) {
        let next = Atomic<UInt64>(0)
        let state = Mutex<(tally: SimulationTally, failed: [Simulation.Report])>((SimulationTally(), []))
        let deadline = seconds.isFinite ? begun + .seconds(seconds) : nil
        DispatchQueue.concurrentPerform(iterations: max(1, threads)) { _ in
            while deadline.map({ ContinuousClock.now < $0 }) ?? true, state.withLock({ $0.failed.count < 3 }) {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < runs else { return }
                var options = options
                options.seed = number < fixed ? number + 1 : options.seed &+ (number - fixed)
                let report = simulation.run(options)
                state.withLock { state in
                    state.tally.add(report)
                    if !report.findings.isEmpty { state.failed.append(report) }
                }
            }
        }
        return state.withLock { $0 }
    }

    private func plantAll() throws {
        var missed: [SimulationBug] = []
        for bug in SimulationBug.allCases {
            if let (seed, finding) = try Simulation.detect(bug, within: 1..<301) {
                print("\(bug.rawValue): seed \(seed): \(finding)".prefix(240))
            } else {
                print("\(bug.rawValue): NOT FOUND")
                missed.append(bug)
            }
        }
        print("\(SimulationBug.allCases.count - missed.count) of \(SimulationBug.allCases.count) planted bugs found")
        if !missed.isEmpty { throw ExitCode.failure }
    }
}

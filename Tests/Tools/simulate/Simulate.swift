import ArgumentParser
import AuctionTestKit
import Dispatch
import Foundation
import Synchronization

@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the whole service in simulated time with injected faults, and audits every run.",
        discussion: "The same options produce the same run. A failure prints the command that reproduces it.")

    @Option(help: "First seed. Default: a random one for several runs, 1 for one run.") var seed: UInt64?
    @Option(help: "Number of steps per run.") var steps = SimulationOptions.defaultSteps
    @Option(help: "Number of runs, each with the next seed.") var runs: UInt64 = 1
    @Option(help: "Number of runs that use the seeds 1, 2, 3…; the others follow.") var fixed: UInt64 = 0
    @Option(help: "Time limit in seconds after which no further run begins.") var seconds: Double = .infinity
    @Option(help: "Fail unless all runs took place with at least this many commands.") var leastCommands = 0
    @Option(help: "Number of parallel runs.") var threads = ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "Fault classes to disable, separated by commas.") var without: String?
    @Option(help: "Number of simulated people.") var people = SimulationOptions.allPeople
    @Option(help: "Maximum number of rooms.") var rooms = SimulationOptions.allRooms
    @Option(help: "Maximum number of processes on one log.") var nodes = SimulationOptions.allNodes
    @Option(help: "Maximum number of sequencers of each process.") var sequencers = SimulationOptions.allSequencers
    @Option(help: "Name of a bug to plant.") var bug: String?
    @Flag(help: "Print the trace of the first run.") var trace = false
    @Flag(help: "Plant every known bug in turn; fail unless the auditor finds each.") var selfTest = false

    func run() throws {
        try Hashing.makeDeterministic()
        if selfTest { return try runSelfTest() }
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

    /// Fails if the time limit left fewer runs or commands than required.
    private func checkEnough(_ tally: SimulationTally) throws {
        guard leastCommands > 0, tally.runs < Int(clamping: runs) || tally.commands < leastCommands else { return }
        print("too few: \(runs) runs and \(leastCommands) commands were required")
        throw ExitCode.failure
    }

    private func options() throws -> SimulationOptions {
        var options = SimulationOptions(seed: seed ?? (runs > 1 ? UInt64.random(in: 1 << 32...1 << 48) : 1), steps: steps)
        (options.people, options.rooms, options.nodes) = (people, rooms, nodes)
        options.sequencers = sequencers
        for name in without?.split(separator: ",") ?? [] {
            guard let fault = SimulationFault(rawValue: String(name)) else {
                let known = SimulationFault.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\(name) is not one of \(known)")
            }
            options.faults.remove(fault)
        }
        if let bug {
            guard let planted = SimulationBug(rawValue: bug) else {
                let known = SimulationBug.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\(bug) is not one of \(known)")
            }
            options.bug = planted
        }
        return options
    }

    /// Runs share no state, so they run in parallel, up to `threads` at a time; stops after three failures.
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

    private func runSelfTest() throws {
        let bugs = SimulationBug.allCases
        let next = Atomic<Int>(0)
        let found = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: max(1, threads)) { _ in
            while true {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < bugs.count else { return }
                let bug = bugs[number]
                do {
                    guard let (seed, finding) = try Simulation.detect(bug, within: 1..<301) else {
                        print("\(bug.rawValue): NOT FOUND, but it violates \"\(bug.guarantee)\"")
                        continue
                    }
                    print("\(bug.rawValue): seed \(seed): \(finding)".prefix(240))
                    found.withLock { $0 += 1 }
                } catch {
                    print("\(bug.rawValue): \(error)")
                }
            }
        }
        let count = found.withLock { $0 }
        print("\(count) of \(bugs.count) planted bugs found")
        if count < bugs.count { throw ExitCode.failure }
    }
}

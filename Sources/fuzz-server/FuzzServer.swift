import ArgumentParser
import Dispatch
import Foundation
import ServerFuzz
import Synchronization

@main
struct FuzzServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz-server",
        abstract: "Sends the whole server, in this machine's memory and in simulated time, what strangers might send it.",
        discussion: """
            A seed makes a run of requests and frames from the contract. A run fails on a trap, on a hang, on an answer of 500 or one \
            that the contract does not allow, and on a request that takes more than its time. What fails is made smaller, and the \
            command printed that repeats it.
            """)

    @Option(help: "The first seed. Default: a fresh one for several runs.") var seed: UInt64?
    @Option(help: "How many seeds, one after the other.") var runs: UInt64 = .max
    @Option(help: "So many of them are the seeds 1, 2, 3…, before the others.") var fixed: UInt64 = 0
    @Option(help: "Begin no run after so many seconds.") var seconds: Double = .infinity
    @Option(help: "How many steps a run has.") var steps = FuzzOptions.defaultSteps
    @Option(help: "Only these steps of the run, separated by commas.") var only: String?
    @Option(help: "How many processes at a time.") var threads = ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "Something to break on purpose.") var defect: String?
    @Option(help: "How long one run may take before it counts as a hang, in seconds.") var hangSeconds: UInt32 = 60
    @Option(help: "Stop after so many failures.") var failures = 1
    @Flag(help: "Print every step.") var trace = false
    @Flag(help: "Plant every defect in turn: each has to be found.") var selfTest = false
    @Flag(help: .hidden) var worker = false
    @Option(help: .hidden) var stride: UInt64 = 1

    private static let shrinkSeconds = 120

    func run() throws {
        if worker {
            return try Worker(options: try options(), hangSeconds: hangSeconds, trace: trace).run(runs, stride, seconds)
        }
        if selfTest { return try plantAll() }
        let options = try options()
        if only != nil || trace {
            guard let finding = try WorkerProcess.attempt(options, hangSeconds, echo: true) else {
                return print("nothing found")
            }
            print("FAILED \(finding)")
            throw ExitCode.failure
        }
        try campaign(options)
    }

    private func options() throws -> FuzzOptions {
        var options = FuzzOptions(seed: seed ?? (runs == 1 ? 1 : UInt64.random(in: 1 << 32...1 << 48)), steps: steps)
        options.kept = only?.split(separator: ",").compactMap { Int($0) }
        if let defect {
            guard let planted = PlantedDefect(rawValue: defect) else {
                throw ValidationError("\(defect) is none of \(PlantedDefect.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            options.defect = planted
        }
        return options
    }

    /// Several processes side by side, the seeds dealt out among them.
    private func campaign(_ options: FuzzOptions) throws {
        let begun = ContinuousClock.now
        let total = Mutex(FuzzTally())
        let limit = failures
        let lanes = max(1, min(UInt64(clamping: threads), runs))
        DispatchQueue.concurrentPerform(iterations: Int(lanes)) { lane in
            var next = UInt64(lane)
            while next < runs, total.withLock({ $0.failures.count < limit }) {
                let left = seconds - (ContinuousClock.now - begun) / .seconds(1)
                guard left > 0 else { return }
                // The fixed seeds first: so two stretches, of which the second begins where the first ends.
                let isFixed = next < fixed
                let end = isFixed ? min(fixed, runs) : runs
                var stretch = options
                stretch.seed = isFixed ? next + 1 : options.seed &+ (next - fixed)
                let count = (end - next - 1) / lanes + 1
                let result = WorkerProcess.stretch(stretch, count, lanes, left, hangSeconds)
                next += lanes * max(1, result.runs)
                total.withLock { $0.add(result) }
            }
        }
        let tally = total.withLock { $0 }
        for (options, finding) in tally.failures.prefix(limit) { report(options, finding) }
        let passed = (ContinuousClock.now - begun) / .seconds(1)
        print(tally.description(seconds: passed))
        if !tally.failures.isEmpty { throw ExitCode.failure }
    }

    private func report(_ found: FuzzOptions, _ finding: FuzzFinding) {
        let end = ContinuousClock.now + .seconds(Self.shrinkSeconds)
        let smallest = FuzzCampaign.shrink(found, finding) { fewer in
            ContinuousClock.now < end && (try? WorkerProcess.attempt(fewer, hangSeconds))?.rule == finding.rule
        }
        let last = (try? WorkerProcess.attempt(smallest, hangSeconds, echo: true)) ?? finding
        print(
            "FAILED with seed \(found.seed): \(last)\nrun it again:\n  fuzz-server \(smallest.arguments.joined(separator: " ")) --trace\n"
        )
    }

    private func plantAll() throws {
        var missed = 0
        for defect in PlantedDefect.allCases {
            let options = FuzzOptions(seed: 1, defect: defect)
            let result = WorkerProcess.stretch(options, runs == .max ? 300 : runs, 1, .infinity, hangSeconds)
            if let (found, finding) = result.failures.first, finding.rule == defect.rule {
                print("\(defect.rawValue): seed \(found.seed): \(finding)".prefix(300))
            } else {
                missed += 1
                print("\(defect.rawValue): NOT FOUND \(result.failures.first.map { "\($0.1)" } ?? "")")
            }
        }
        print("\(PlantedDefect.allCases.count - missed) of \(PlantedDefect.allCases.count) planted defects found")
        if missed > 0 { throw ExitCode.failure }
    }
}

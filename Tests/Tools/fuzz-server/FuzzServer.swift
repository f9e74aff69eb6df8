import ArgumentParser
import Dispatch
import Foundation
import ServerFuzz
import Synchronization

@main
struct FuzzServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz-server",
        abstract: "Fuzzes the whole server, in process and in simulated time, with requests that hostile clients might send.",
        discussion: """
            Each seed determines a run of requests and frames generated from the contract. A run fails on a crash, a hang, a response \
            with status 500 or against the contract, and a request that exceeds its CPU time. A failing run is shrunk, and the \
            command that repeats it is printed.
            """)

    @Option(help: "The first seed. Default: 1 for a single run, a random one for several.") var seed: UInt64?
    @Option(help: "Number of seeds to run, counting up.") var runs: UInt64 = .max
    @Option(help: "How many of the runs use the seeds 1, 2, 3…; they are started first.") var fixed: UInt64 = 0
    @Option(help: "Start no run after this many seconds.") var seconds: Double = .infinity
    @Option(help: "Number of steps of a run.") var steps = FuzzOptions.defaultSteps
    @Option(help: "Execute only these steps of the run, separated by commas.") var only: String?
    @Option(help: "Number of worker processes at a time.") var threads = ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "A bug to plant on purpose; an unknown name prints the list.") var bug: String?
    @Option(help: "Seconds after which a run counts as hung.") var hangSeconds: UInt32 = 60
    @Option(help: "Stop after this many failures.") var failures = 1
    @Flag(help: "Print every step.") var trace = false
    @Flag(help: "Plant every bug in turn, and fail unless each is detected.") var selfTest = false
    @Flag(help: .hidden) var worker = false
    @Option(help: .hidden) var stride: UInt64 = 1

    private static let shrinkSeconds = 120

    func run() throws {
        if worker {
            return try Worker(options: try options(), hangSeconds: hangSeconds, trace: trace).run(runs, stride, seconds)
        }
        if selfTest { return try runSelfTest() }
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
        if let bug {
            guard let planted = PlantedBug(rawValue: bug) else {
                throw ValidationError("\(bug) is none of \(PlantedBug.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            options.bug = planted
        }
        return options
    }

    /// Distributes the seeds over several worker processes that run in parallel.
    private func campaign(_ options: FuzzOptions) throws {
        let begun = ContinuousClock.now
        let total = Mutex(FuzzTally())
        let limit = failures
        let processes = max(1, min(UInt64(clamping: threads), runs))
        DispatchQueue.concurrentPerform(iterations: Int(processes)) { process in
            var next = UInt64(process)
            while next < runs, total.withLock({ $0.failures.count < limit }) {
                let left = seconds - (ContinuousClock.now - begun) / .seconds(1)
                guard left > 0 else { return }
                // The fixed seeds run first, so a worker's batch ends where they end; the next batch continues with the other seeds.
                let isFixed = next < fixed
                let end = isFixed ? min(fixed, runs) : runs
                var batch = options
                batch.seed = isFixed ? next + 1 : options.seed &+ (next - fixed)
                let count = (end - next - 1) / processes + 1
                let result = WorkerProcess.batch(batch, count, processes, left, hangSeconds)
                next += processes * max(1, result.runs)
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

    private func runSelfTest() throws {
        var missed = 0
        for bug in PlantedBug.allCases {
            let options = FuzzOptions(seed: 1, bug: bug)
            let result = WorkerProcess.batch(options, runs == .max ? 300 : runs, 1, .infinity, hangSeconds)
            if let (found, finding) = result.failures.first, finding.rule == bug.rule {
                print("\(bug.rawValue): seed \(found.seed): \(finding)".prefix(300))
            } else {
                missed += 1
                print("\(bug.rawValue): NOT FOUND \(result.failures.first.map { "\($0.1)" } ?? "")")
            }
        }
        print("\(PlantedBug.allCases.count - missed) of \(PlantedBug.allCases.count) planted bugs found")
        if missed > 0 { throw ExitCode.failure }
    }
}

import Foundation
import Glibc
import ServerFuzz

/// Starts worker processes and interprets their output and exit status.
enum WorkerProcess {
    /// Executes one run in a worker; returns its first finding, or nil.
    static func attempt(_ options: FuzzOptions, _ hangSeconds: UInt32, echo: Bool = false) throws -> FuzzFinding? {
        var tally = FuzzTally()
        try run(options, ["--runs", "1", "--trace"], hangSeconds, echo: echo, &tally)
        return tally.failures.first?.1
    }

    /// Executes up to `runs` runs in one worker, with seeds `stride` apart, up to the first that fails.
    static func batch(
        _ options: FuzzOptions, _ runs: UInt64, _ stride: UInt64, _ seconds: Double, _ hangSeconds: UInt32
    ) -> FuzzTally {
        var tally = FuzzTally()
        let time = seconds.isFinite ? ["--seconds", String(seconds)] : []
        do {
            try run(options, ["--runs", String(runs), "--stride", String(stride)] + time, hangSeconds, echo: false, &tally)
        } catch {
            tally.failures.append((options, FuzzFinding(.trap, step: 0, "no worker: \(error)")))
        }
        return tally
    }

    private static func run(
        _ options: FuzzOptions, _ arguments: [String], _ hangSeconds: UInt32, echo: Bool, _ tally: inout FuzzTally
    ) throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--worker", "--hang-seconds", String(hangSeconds)] + arguments + options.arguments
        var environment = ProcessInfo.processInfo.environment
        // Random hash seeds would make runs with the same seed differ.
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        if !echo { environment["SWIFT_BACKTRACE"] = "enable=no" }
        process.environment = environment
        process.standardOutput = output
        if !echo { process.standardError = FileHandle.nullDevice }
        try process.run()
        try output.fileHandleForWriting.close()
        var (seen, last) = (options, "")
        var rest = Data()
        while let data = try output.fileHandleForReading.read(upToCount: 65536), !data.isEmpty {
            rest += data
            while let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest = Data(rest[(end + 1)...])
                if echo, line.hasPrefix("step ") { print("  " + line.dropFirst(5).prefix(1000)) }
                if line.hasPrefix("step ") { last = String(line.dropFirst(5)) }
                parse(line, &seen, &tally)
            }
        }
        process.waitUntilExit()
        guard process.terminationReason == .uncaughtSignal else {
            if process.terminationStatus != 0 { throw WorkerError(status: process.terminationStatus) }
            return
        }
        guard tally.failures.isEmpty else { return }
        let rule: FuzzFinding.Rule = process.terminationStatus == SIGALRM ? .hang : .trap
        let step = Int(last.prefix { $0 != ":" }) ?? options.steps
        tally.runs += 1
        tally.failures.append((seen, FuzzFinding(rule, step: step, "signal \(process.terminationStatus) in \(last)")))
    }

    /// The worker exited with an error, which it printed on standard error.
    struct WorkerError: Error, CustomStringConvertible {
        let status: Int32
        var description: String { "a worker exited with status \(status)" }
    }

    private static func parse(_ line: String, _ seen: inout FuzzOptions, _ tally: inout FuzzTally) {
        if line.hasPrefix("run "), let seed = UInt64(line.dropFirst(4)) { seen.seed = seed }
        if line.hasPrefix("did "), let requests = Int(line.dropFirst(4)) {
            tally.runs += 1
            tally.requests += requests
        }
        guard line.hasPrefix("finding ") else { return }
        let parts = line.dropFirst(8).split(separator: "|", maxSplits: 2).map(String.init)
        guard parts.count == 3, let rule = FuzzFinding.Rule(rawValue: parts[0]), let step = Int(parts[1]) else { return }
        tally.failures.append((seen, FuzzFinding(rule, step: step, parts[2])))
    }
}

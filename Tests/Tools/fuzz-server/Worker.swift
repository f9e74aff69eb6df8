import Foundation
import Glibc
import ServerFuzz

/// The worker process that executes runs, isolated because a run may crash it. It reports its progress on standard output, one line each.
struct Worker {
    let options: FuzzOptions
    let hangSeconds: UInt32
    let trace: Bool

    func run(_ runs: UInt64, _ stride: UInt64, _ seconds: Double) throws {
        let campaign = try FuzzCampaign()
        let end = seconds.isFinite ? ContinuousClock.now + .seconds(seconds) : nil
        var options = options
        for _ in 0..<runs {
            if let end, ContinuousClock.now >= end { return }
            emit("run \(options.seed)")
            // SIGALRM terminates a hung run; the parent process has its seed from the line above.
            _ = alarm(hangSeconds)
            let report = try campaign.run(options, trace: trace ? { emit("step \($0)") } : nil)
            _ = alarm(0)
            emit("did \(report.requests)")
            if let finding = report.findings.first {
                emit("finding \(finding.rule.rawValue)|\(finding.step)|\(finding.detail.replacing("\n", with: "\\n"))")
                return
            }
            options.seed &+= stride
        }
    }

    private func emit(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }
}

/// Totals over several runs.
struct FuzzTally {
    var runs: UInt64 = 0
    var requests = 0
    var failures: [(FuzzOptions, FuzzFinding)] = []

    mutating func add(_ other: FuzzTally) {
        runs += other.runs
        requests += other.requests
        failures += other.failures
    }

    func description(seconds: Double) -> String {
        String(
            format: "%llu runs, %ld requests and frames in %.1f s: %.0f a second; %ld failed", runs, requests, seconds,
            Double(requests) / seconds, failures.count)
    }
}

/// A run that broke a promise, made as small as it could be.
public struct SimulationFailure: Sendable, CustomStringConvertible {
    /// The seed and the number of steps that it was found with.
    public let found: SimulationOptions
    /// The least that still breaks the same promise.
    public let smallest: SimulationOptions
    public let findings: [SimulationFinding]
    /// The end of the smallest run.
    public let lastSteps: [String]

    public static let shownLines = 30
    public static let shownFindings = 5

    public var description: String {
        let shown = findings.prefix(Self.shownFindings).map { "  \($0)" }
        let more = findings.count > shown.count ? ["  and \(findings.count - shown.count) more"] : []
        var lines = ["seed \(found.seed), found with \(found.steps) steps, still there with \(smallest.steps):"]
        lines += shown + more + ["the last of what happened:"] + lastSteps.map { "  " + $0.prefix(240) }
        lines += ["run it again:", "  \(smallest.commandLine)"]
        return lines.joined(separator: "\n")
    }
}

extension Simulation {
    /// Makes a failed run smaller while it breaks the same promise: without faults if it needs none, then fewer steps, then less
    /// that goes wrong, then fewer who take part.
    public func shrink(_ report: Report) -> SimulationFailure? {
        guard let rule = report.findings.first?.rule else { return nil }
        func fails(_ options: SimulationOptions) -> Bool { run(options).findings.contains { $0.rule == rule } }
        // A shorter run may need a fault where the whole one needs none.
        var calm = report.options
        calm.faults = []
        var smallest = fewerSteps(fails(calm) ? calm : report.options, fails)
        for fault in SimulationFault.allCases {
            var fewer = smallest
            fewer.faults.remove(fault)
            if fails(fewer) { smallest = fewer }
        }
        let smaller: [(inout SimulationOptions) -> Void] = [
            { $0.nodes = 1 }, { $0.rooms = 1 }, { $0.people = 5 }, { $0.people = 4 },
        ]
        for change in smaller {
            var fewer = smallest
            change(&fewer)
            if fails(fewer) { smallest = fewer }
        }
        smallest = fewerSteps(smallest, fails)
        let last = run(smallest, tracing: true)
        return SimulationFailure(
            found: report.options, smallest: smallest, findings: last.findings.filter { $0.rule == rule },
            lastSteps: last.trace.suffix(SimulationFailure.shownLines))
    }

    /// Halves the run as long as that helps. More steps need not break what fewer do, so the least found is kept.
    private func fewerSteps(
        _ options: SimulationOptions, _ fails: (SimulationOptions) -> Bool
    ) -> SimulationOptions {
        var (smallest, enough, tooFew) = (options, options.steps, 0)
        while enough - tooFew > 1 {
            var fewer = options
            fewer.steps = (enough + tooFew) / 2
            if fails(fewer) { (smallest, enough) = (fewer, fewer.steps) } else { tooFew = fewer.steps }
        }
        return smallest
    }
}

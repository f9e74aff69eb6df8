/// A run that broke a guarantee, shrunk as far as possible.
package struct SimulationFailure: Sendable, CustomStringConvertible {
    /// Options of the run in which the failure was found.
    package let found: SimulationOptions
    /// Smallest options that still break the same guarantee.
    package let smallest: SimulationOptions
    /// Findings of the smallest run that concern the same guarantee.
    package let findings: [SimulationFinding]
    /// Last trace lines of the smallest run.
    package let lastSteps: [String]

    /// Number of trace lines kept.
    package static let shownLines = 30
    /// Number of findings in the description.
    package static let shownFindings = 5

    package var description: String {
        let shown = findings.prefix(Self.shownFindings).map { "  \($0)" }
        let more = findings.count > shown.count ? ["  and \(findings.count - shown.count) more"] : []
        var lines = ["seed \(found.seed), found with \(found.steps) steps, still there with \(smallest.steps):"]
        lines += shown + more + ["last trace lines:"] + lastSteps.map { "  " + $0.prefix(240) }
        lines += ["reproduce with:", "  \(smallest.commandLine)"]
        return lines.joined(separator: "\n")
    }
}

extension Simulation {
    /// Shrinks a failed run as long as it breaks the same guarantee: no faults if it needs none, then fewer steps, fault classes,
    /// nodes, sequencers, rooms and people. Nil if the run has no findings.
    package func shrink(_ report: Report) -> SimulationFailure? {
        guard let rule = report.findings.first?.rule else { return nil }
        func fails(_ options: SimulationOptions) -> Bool { run(options).findings.contains { $0.rule == rule } }
        // Try without faults before shortening: a shorter run may need a fault where the whole one needs none.
        var calm = report.options
        calm.faults = []
        var smallest = fewerSteps(fails(calm) ? calm : report.options, fails)
        for fault in SimulationFault.allCases {
            var fewer = smallest
            fewer.faults.remove(fault)
            if fails(fewer) { smallest = fewer }
        }
        let smaller: [(inout SimulationOptions) -> Void] = [
            { $0.nodes = 1 }, { $0.sequencers = 2 }, { $0.sequencers = 1 }, { $0.rooms = 1 }, { $0.people = 5 },
            { $0.people = 4 },
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

    /// Bisects the number of steps. Failures are not monotonic in it, so the smallest failing number found is kept.
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

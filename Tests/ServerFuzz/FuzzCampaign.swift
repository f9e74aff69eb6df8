import HTTPContract

/// Runs of one process, one after the other, with what they share.
package struct FuzzCampaign {
    private let contract: Contract
    package let budget: FuzzBudget

    /// Reads the contract, and measures what plain requests take.
    package init() throws {
        contract = try Contract.shared.get()
        budget = try FuzzBudget.measured(contract)
    }

    /// One run. What takes too long has to do so each time: others want the processor too.
    package func run(_ options: FuzzOptions, trace: ((String) -> Void)? = nil) throws -> FuzzRun.Report {
        var report = try FuzzRun(options, contract, budget, trace: trace).run()
        for _ in 0..<3 where report.findings.first?.rule == .budget {
            let again = try FuzzRun(options, contract, budget).run()
            if again.findings.first?.step != report.findings.first?.step { report.findings = again.findings }
        }
        return report
    }

    /// The least steps of a run that still show the same.
    package func shrink(_ options: FuzzOptions, _ finding: FuzzFinding) -> FuzzOptions {
        Self.shrink(options, finding) { fewer in
            (try? run(fewer))?.findings.contains { $0.rule == finding.rule } ?? false
        }
    }

    /// Leaves out steps, in halves, quarters, …, as long as what is left fails.
    package static func shrink(
        _ options: FuzzOptions, _ finding: FuzzFinding, _ fails: (FuzzOptions) -> Bool
    ) -> FuzzOptions {
        var smallest = options
        // What comes after it has no part in it; an answer that never comes shows only at the end.
        smallest.kept = (options.kept ?? Array(0..<options.steps)).filter { $0 <= finding.step || finding.rule == .answered }
        guard fails(smallest) else { return options }
        var length = max(1, (smallest.kept ?? []).count / 2)
        while true {
            let before = smallest.kept
            var start = 0
            while let kept = smallest.kept, start < kept.count {
                var fewer = smallest
                fewer.kept?.removeSubrange(start..<min(start + length, kept.count))
                if fails(fewer) { smallest = fewer } else { start += length }
            }
            if length == 1, smallest.kept == before { return smallest }
            length = max(1, length / 2)
        }
    }
}

import HTTPContract

/// Executes runs sequentially in one process; they share the contract and the time budget.
package struct FuzzCampaign {
    private let contract: Contract
    /// The CPU time allowed per step, measured when the campaign was created.
    package let budget: FuzzBudget

    /// Loads the contract and measures the time budget; throws if the contract cannot be read.
    package init() throws {
        contract = try Contract.shared.get()
        budget = try FuzzBudget.measured(contract)
    }

    /// Executes one run. An exceeded time budget is reported only if it is exceeded again, because other processes use the CPU too.
    package func run(_ options: FuzzOptions, trace: ((String) -> Void)? = nil) throws -> FuzzRun.Report {
        var report = try FuzzRun(options, contract, budget, trace: trace).run()
        for _ in 0..<3 where report.findings.first?.rule == .budget {
            let again = try FuzzRun(options, contract, budget).run()
            if again.findings.first?.step != report.findings.first?.step { report.findings = again.findings }
        }
        return report
    }

    /// Shrinks a failing run to the fewest steps that still violate the same rule.
    package func shrink(_ options: FuzzOptions, _ finding: FuzzFinding) -> FuzzOptions {
        Self.shrink(options, finding) { fewer in
            (try? run(fewer))?.findings.contains { $0.rule == finding.rule } ?? false
        }
    }

    /// Removes steps in chunks of a half, a quarter, … as long as `fails` is true for the rest.
    package static func shrink(
        _ options: FuzzOptions, _ finding: FuzzFinding, _ fails: (FuzzOptions) -> Bool
    ) -> FuzzOptions {
        var smallest = options
        // Steps after the failing one cannot have caused it, except for a missing response, which is detected at the end of the run.
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

/// A violation that a run detected.
package struct FuzzFinding: Sendable, Hashable, CustomStringConvertible {
    /// The invariants that every run checks.
    package enum Rule: String, Sendable, CaseIterable {
        /// No response has status 500.
        case internalError = "internal error"
        /// Every response, event and frame conforms to the contract.
        case contract
        /// CPU time is linear in a request's bytes, at most twenty times that of an ordinary request.
        case budget
        /// Every request gets exactly one response, and the server becomes idle.
        case answered
        /// Data private to one caller is not disclosed to another.
        case secret
        /// The process does not crash. Detected by the parent process only.
        case trap
        /// A run terminates in time. Detected by the parent process only.
        case hang
    }

    /// The violated rule.
    package let rule: Rule
    /// Index of the step, from 0.
    package let step: Int
    /// The violation and the request that caused it, for a person to read.
    package let detail: String

    package init(_ rule: Rule, step: Int, _ detail: String) {
        self.rule = rule
        self.step = step
        self.detail = detail
    }

    package var description: String { "\(rule.rawValue), step \(step): \(detail)" }
}

/// The options of one run; equal options give the same run.
package struct FuzzOptions: Sendable, Hashable {
    /// Seed of every random choice.
    package var seed: UInt64
    /// Number of steps: requests, frames, clock changes and disconnects.
    package var steps: Int
    /// Indices of the steps to execute; nil executes all.
    package var kept: [Int]?
    /// The bug to plant; nil for none.
    package var bug: PlantedBug?

    /// Number of steps unless an option says otherwise.
    package static let defaultSteps = 160

    package init(seed: UInt64, steps: Int = defaultSteps, kept: [Int]? = nil, bug: PlantedBug? = nil) {
        self.seed = seed
        self.steps = steps
        self.kept = kept
        self.bug = bug
    }

    /// The command-line arguments that repeat this run.
    package var arguments: [String] {
        var arguments = ["--seed", String(seed), "--steps", String(steps)]
        if let kept { arguments += ["--only", kept.map(String.init).joined(separator: ",")] }
        if let bug { arguments += ["--bug", bug.rawValue] }
        return arguments
    }
}

/// What a run showed to be wrong.
package struct FuzzFinding: Sendable, Hashable, CustomStringConvertible {
    /// What must hold of every answer.
    package enum Rule: String, Sendable, CaseIterable {
        /// No answer has the status 500.
        case internalError = "internal error"
        /// Every answer, event and frame is one that the contract allows.
        case contract
        /// A request takes time linear in its bytes, and not more than twenty times that of a plain one.
        case budget
        /// Every request is answered once, and the server comes to rest.
        case answered
        /// What belongs to one caller is shown to no other.
        case secret
        /// The process goes on. Found from outside only.
        case trap
        /// The process comes to the end of a run. Found from outside only.
        case hang
    }

    package let rule: Rule
    /// In which step of the run; the steps count from 0.
    package let step: Int
    package let detail: String

    package init(_ rule: Rule, step: Int, _ detail: String) {
        self.rule = rule
        self.step = step
        self.detail = detail
    }

    package var description: String { "\(rule.rawValue), step \(step): \(detail)" }
}

/// What one run does; the same options make the same run.
package struct FuzzOptions: Sendable, Hashable {
    /// Decides everything.
    package var seed: UInt64
    /// How many there are: requests, frames, and what else clients and clocks do.
    package var steps: Int
    /// The steps that are done; nil: all of them.
    package var kept: [Int]?
    /// What is broken on purpose.
    package var defect: PlantedDefect?

    package static let defaultSteps = 160

    package init(seed: UInt64, steps: Int = defaultSteps, kept: [Int]? = nil, defect: PlantedDefect? = nil) {
        self.seed = seed
        self.steps = steps
        self.kept = kept
        self.defect = defect
    }

    /// The arguments that make the same run.
    package var arguments: [String] {
        var arguments = ["--seed", String(seed), "--steps", String(steps)]
        if let kept { arguments += ["--only", kept.map(String.init).joined(separator: ",")] }
        if let defect { arguments += ["--defect", defect.rawValue] }
        return arguments
    }
}

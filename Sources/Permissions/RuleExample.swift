/// One situation that shows what a rule denies or allows: documentation that is run as a test.
public struct RuleExample<Context>: Sendable {
    /// Describes the situation, for documentation and test output.
    public let sentence: String
    /// Whether the rule must deny the action; otherwise the action must be allowed.
    public let isDenied: Bool
    /// Creates the situation; called only when the example is run, not when rules are listed.
    public let context: @Sendable () throws -> Context

    /// - Parameter context: creates the situation; may throw, and is called only when the example is run.
    public init(_ sentence: String, isDenied: Bool, context: @escaping @Sendable () throws -> Context) {
        self.sentence = sentence
        self.isDenied = isDenied
        self.context = context
    }

    /// A situation in which the rule must deny the action.
    public static func denied(_ sentence: String, _ context: @escaping @Sendable () throws -> Context) -> RuleExample {
        RuleExample(sentence, isDenied: true, context: context)
    }

    /// A situation in which the action must be allowed.
    public static func allowed(_ sentence: String, _ context: @escaping @Sendable () throws -> Context) -> RuleExample {
        RuleExample(sentence, isDenied: false, context: context)
    }
}

/// An example whose actual verdict differs from the expected one.
public struct ExampleFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Id of the rule that the example belongs to.
    public let rule: String
    /// The sentence of the example.
    public let sentence: String
    /// The actual verdict: "allowed", or which rule refused the action.
    public let found: String

    public var description: String { "\(rule): \"\(sentence)\": \(found)" }
}

extension PermissionCenter {
    /// Runs every example of every rule: a denied one must be denied by its own rule, an allowed one by none.
    /// - Parameter configuration: returns the rule overrides that apply in a situation.
    /// - Returns: the examples that fail; empty if all hold.
    /// - Throws: any error from creating a situation.
    public func failedExamples(configuration: (Context) -> RuleConfiguration) throws -> [ExampleFailure] {
        var failures: [ExampleFailure] = []
        for rule in rules {
            for example in rule.examples {
                let context = try example.context()
                let denial = denial(of: rule.action, in: context, configuration: configuration(context))
                let expected = example.isDenied ? rule.id : nil
                guard denial?.rule != expected else { continue }
                let found = denial.map { "refused by \($0.rule)" } ?? "allowed"
                failures.append(ExampleFailure(rule: rule.id, sentence: example.sentence, found: found))
            }
        }
        return failures
    }
}

/// One situation that shows what a rule refuses or lets through: documentation that is run as a test.
public struct RuleExample<Context>: Sendable {
    /// The situation in a sentence, for people.
    public let sentence: String
    /// Whether the rule refuses; otherwise the action is allowed.
    public let isDenied: Bool
    /// Makes the situation. Whoever runs the example decides when; listing rules makes none.
    public let context: @Sendable () throws -> Context

    public init(_ sentence: String, isDenied: Bool, context: @escaping @Sendable () throws -> Context) {
        self.sentence = sentence
        self.isDenied = isDenied
        self.context = context
    }

    /// A situation in which the rule refuses.
    public static func denied(_ sentence: String, _ context: @escaping @Sendable () throws -> Context) -> RuleExample {
        RuleExample(sentence, isDenied: true, context: context)
    }

    /// A situation in which the action is allowed.
    public static func allowed(_ sentence: String, _ context: @escaping @Sendable () throws -> Context) -> RuleExample {
        RuleExample(sentence, isDenied: false, context: context)
    }
}

/// An example does not show what it says.
public struct ExampleFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let rule: String
    public let sentence: String
    public let found: String

    public var description: String { "\(rule): \"\(sentence)\": \(found)" }
}

extension PermissionCenter {
    /// Runs every example of every rule: a denied one is refused by exactly its rule, an allowed one by none.
    /// - Parameter configuration: what the place of the situation changed about the rules.
    /// - Returns: what does not hold; empty if all is as the rules say.
    /// - Throws: what making a situation throws.
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

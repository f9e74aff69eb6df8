extension TransitionTable {
    /// The table as a Mermaid state diagram.
    /// Source: https://mermaid.js.org/syntax/stateDiagram.html
    public var mermaid: String {
        let names = MermaidNames(states)
        var lines = ["stateDiagram-v2"]
        lines += names.declarations.map { "    \($0)" }
        lines.append("    [*] --> \(names[initial])")
        for transition in transitions {
            lines.append("    \(names[transition.from]) --> \(names[transition.to]): \(transition.label)")
        }
        lines += finalStates.map { "    \(names[$0]) --> [*]" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The table as a Graphviz graph; final states have a double border.
    /// Source: https://graphviz.org/doc/info/lang.html
    public var dot: String {
        var lines = ["digraph states {", "    rankdir=LR;", "    start [shape=point];", "    start -> \(quoted(initial));"]
        for state in states {
            let border = finalStates.contains(state) ? ", peripheries=2" : ""
            lines.append("    \(quoted(state)) [shape=box, style=rounded\(border)];")
        }
        for transition in transitions {
            lines.append(
                "    \(quoted(transition.from)) -> \(quoted(transition.to)) [label=\(quoted(transition.label))];")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private func quoted(_ value: some Any) -> String {
        var text = "\""
        for character in "\(value)" {
            if character == "\"" || character == "\\" { text.append("\\") }
            text.append(character)
        }
        return text + "\""
    }
}

extension Transition {
    /// The label of the arrow: `trigger [condition] (cause)`.
    fileprivate var label: String {
        "\(trigger)" + (condition.map { " [\($0)]" } ?? "") + (cause.isEmpty ? "" : " (\(cause))")
    }
}

/// Names of states in Mermaid: letters, digits and underscores are used directly, other names need an alias.
private struct MermaidNames<State: Hashable> {
    private var aliases: [State: String] = [:]
    private(set) var declarations: [String] = []

    init(_ states: [State]) {
        let taken = Set(states.map { "\($0)" })
        for (index, state) in states.enumerated() where !Self.isPlain("\(state)") {
            // A state may be called as an alias, and the two would be one in the diagram.
            var alias = "state\(index)"
            while taken.contains(alias) { alias += "_" }
            aliases[state] = alias
            let name = String("\(state)".map { $0 == "\"" ? "'" : $0 })
            declarations.append("state \"\(name)\" as \(alias)")
        }
    }

    subscript(state: State) -> String { aliases[state] ?? "\(state)" }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    }
}

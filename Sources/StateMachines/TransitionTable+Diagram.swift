extension TransitionTable {
    /// The table as a Mermaid state diagram.
    public var mermaid: String {
        var lines = ["stateDiagram-v2", "    [*] --> \(initial)"]
        for transition in transitions {
            lines.append("    \(transition.from) --> \(transition.to): \(transition.trigger) (\(transition.cause))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The table as a Graphviz graph.
    public var dot: String {
        var lines = ["digraph states {", "    rankdir=LR;", "    start [shape=point];", "    start -> \"\(initial)\";"]
        for state in states { lines.append("    \"\(state)\" [shape=box, style=rounded];") }
        for transition in transitions {
            lines.append(
                "    \"\(transition.from)\" -> \"\(transition.to)\" [label=\"\(transition.trigger) (\(transition.cause))\"];")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }
}

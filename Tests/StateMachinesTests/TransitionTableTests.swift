import StateMachines
import Testing

struct TransitionTableTests {
    private typealias Table = TransitionTable<String, String>

    private let door = Table(
        initial: "closed", states: ["closed", "open"],
        transitions: [
            Transition(from: "closed", to: "open", on: "push", by: "anybody"),
            Transition(from: "open", to: "closed", on: "pull", by: "anybody"),
        ])

    @Test func `a sound table has no findings`() {
        #expect(door.findings.isEmpty)
        #expect(door.allows(from: "closed", to: "open"))
        #expect(!door.allows(from: "open", to: "open"))
    }

    @Test func `an unreachable state is reported`() {
        let table = Table(
            initial: "closed", states: door.states + ["ajar"],
            transitions: door.transitions + [
                Transition(from: "ajar", to: "open", on: "push", by: "anybody")
            ])
        #expect(table.unreachableStates == ["ajar"])
        #expect(table.findings == ["ajar cannot be reached from closed"])
    }

    @Test func `a non-final state without outgoing transitions is reported`() {
        let table = Table(
            initial: "closed", states: door.states + ["broken"],
            transitions: door.transitions + [
                Transition(from: "open", to: "broken", on: "kick", by: "vandal")
            ])
        #expect(table.deadEnds == ["broken"])
    }

    @Test func `a transition to a state that is not registered is reported`() {
        let table = Table(initial: "closed", states: ["closed"], transitions: door.transitions)
        #expect(table.unknownStates == ["open"])
    }

    @Test func `diagrams show every transition`() {
        #expect(
            door.mermaid == """
                stateDiagram-v2
                    [*] --> closed
                    closed --> open: push (anybody)
                    open --> closed: pull (anybody)

                """)
        #expect(door.dot.contains(#""closed" -> "open" [label="push (anybody)"];"#))
    }

    @Test func `two unguarded transitions on one trigger are reported`() {
        let table = Table(
            initial: "closed", states: door.states,
            transitions: door.transitions + [Transition(from: "closed", to: "closed", on: "push", by: "child")])
        #expect(table.nondeterminism == [Nondeterminism(from: "closed", trigger: "push", to: ["open", "closed"])])
        #expect(table.findings == ["push in closed leads to open and to closed"])
    }

    @Test func `a guard resolves the choice between two transitions`() {
        let table = Table(
            initial: "closed", states: door.states,
            transitions: door.transitions + [
                Transition(from: "closed", to: "closed", on: "push", by: "child", when: "too heavy")
            ])
        #expect(table.analysis.isEmpty)
        #expect(table.mermaid.contains("closed --> closed: push [too heavy] (child)"))
    }

    @Test func `a final state is no dead end`() {
        let table = Table(
            initial: "closed", states: door.states + ["gone"], finalStates: ["gone"],
            transitions: door.transitions + [Transition(from: "open", to: "gone", on: "kick", by: "")])
        #expect(table.findings.isEmpty)
        #expect(table.mermaid.hasSuffix("open --> gone: kick\n    gone --> [*]\n"))
        #expect(table.dot.contains(#""gone" [shape=box, style=rounded, peripheries=2];"#))
    }

    @Test func `a state that leads only to itself is a dead end`() {
        let table = Table(
            initial: "closed", states: door.states + ["stuck"],
            transitions: door.transitions + [
                Transition(from: "open", to: "stuck", on: "rust", by: ""),
                Transition(from: "stuck", to: "stuck", on: "push", by: ""),
            ])
        #expect(table.analysis == [.deadEnd("stuck")])
    }

    @Test func `names that diagrams do not support are quoted or aliased`() {
        let table = Table(
            initial: "not open", states: ["not open", "say \"ah\""],
            transitions: [Transition(from: "not open", to: "say \"ah\"", on: "push", by: "")])
        #expect(table.mermaid.contains("state \"not open\" as state0"))
        #expect(table.mermaid.contains("    state0 --> state1: push"))
        #expect(table.dot.contains(#""not open" -> "say \"ah\"" [label="push"];"#))
    }

    @Test func `a state that is called as the alias of another stays a state of its own`() {
        let table = Table(
            initial: "not open", states: ["not open", "state0"],
            transitions: [
                Transition(from: "not open", to: "state0", on: "push", by: ""),
                Transition(from: "state0", to: "not open", on: "pull", by: ""),
            ])
        #expect(table.mermaid.contains("state \"not open\" as state0_\n"))
        #expect(table.mermaid.contains("    state0_ --> state0: push\n    state0 --> state0_: pull"))
    }
}

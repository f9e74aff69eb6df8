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

    @Test func `a state that nothing leads to is found`() {
        let table = Table(
            initial: "closed", states: door.states + ["ajar"],
            transitions: door.transitions + [
                Transition(from: "ajar", to: "open", on: "push", by: "anybody")
            ])
        #expect(table.unreachableStates == ["ajar"])
        #expect(table.findings == ["ajar cannot be reached from closed"])
    }

    @Test func `a state that nothing leads out of is found`() {
        let table = Table(
            initial: "closed", states: door.states + ["broken"],
            transitions: door.transitions + [
                Transition(from: "open", to: "broken", on: "kick", by: "vandal")
            ])
        #expect(table.deadEnds == ["broken"])
    }

    @Test func `a transition to a state that is not registered is found`() {
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
}

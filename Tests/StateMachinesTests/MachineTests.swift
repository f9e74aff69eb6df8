import StateMachines
import Testing

/// A turnstile: the smallest machine with a guard.
private enum Turnstile: MachineDefinition {
    enum State: Hashable, CaseIterable { case locked, unlocked, broken }
    enum Event: Hashable { case coin, push, kick }
    struct Context: Sendable { var cents: Int }
    enum Effect: Hashable { case left, paid, entering, entered }
    enum Reason: Hashable { case short(by: Int), foreignCoin }

    static func machine(_ more: [Edge<Turnstile>] = []) -> Machine<Turnstile> {
        Machine(
            initial: .locked, finalStates: [.broken],
            edges: [
                .on(
                    .coin, from: .locked, to: .unlocked, by: "visitor",
                    if: Guard("50 cents") { $0.cents < 50 ? .short(by: 50 - $0.cents) : nil }, doing: [.paid]),
                .on(.push, from: .unlocked, to: .locked),
                .on(.kick, from: [.locked, .unlocked], to: .broken),
            ] + more,
            actions: [
                .willLeave(.locked, .left), .didEnter(.unlocked, .entered), .willEnter(.unlocked, .entering),
            ])
    }
}

struct MachineTests {
    private let now = MachineTimestamp(milliseconds: 0)

    @Test func `effects are ordered: leaving, transition, entering, entered`() throws {
        let machine = Turnstile.machine()
        var configuration = machine.start(at: now)
        let step = try machine.fire(.coin, on: &configuration, at: now, given: .init(cents: 50))
        #expect(step.before == [.left, .paid, .entering])
        #expect(step.after == [.entered])
        #expect(step.effects == [.left, .paid, .entering, .entered])
        #expect(configuration.state == .unlocked)
    }

    @Test func `the first edge whose guard allows it is taken`() throws {
        let machine = Turnstile.machine([
            .on(.coin, from: .locked, to: .broken, if: Guard("a button") { $0.cents == 0 ? nil : .foreignCoin })
        ])
        #expect(try machine.edge(on: .coin, from: .locked, given: .init(cents: 50)).target == .unlocked)
        #expect(try machine.edge(on: .coin, from: .locked, given: .init(cents: 0)).target == .broken)
    }

    @Test func `a refusal contains the reason of every guard that refused an edge`() {
        let machine = Turnstile.machine([
            .on(.coin, from: .locked, to: .broken, if: Guard("a button") { $0.cents == 0 ? nil : .foreignCoin })
        ])
        let refused = #expect(throws: Refused<Turnstile>.self) {
            try machine.edge(on: .coin, from: .locked, given: .init(cents: 20))
        }
        #expect(refused?.reasons == [.short(by: 30), .foreignCoin])
    }

    @Test func `actions receive the target, the trigger and the context of the transition`() throws {
        let machine = Machine<Turnstile>(
            initial: .locked, edges: [.on(.kick, from: .any, to: .broken)],
            actions: [
                Action(.willLeave, .any) { input in
                    input.to == .broken && input.trigger == .event(.kick) && input.context.cents == 1 ? [.left] : []
                }
            ])
        var configuration = machine.start(at: now)
        #expect(try machine.fire(.kick, on: &configuration, at: now, given: .init(cents: 1)).effects == [.left])
        // "From any state" includes the target state itself: it is left and entered again.
        #expect(try machine.fire(.kick, on: &configuration, at: now, given: .init(cents: 1)).from == .broken)
    }

    @Test func `the table has one transition per edge and state of origin`() {
        let table = Turnstile.machine().table
        #expect(table.findings.isEmpty)
        #expect(table.transitions.count == 4)
        #expect(
            table.mermaid == """
                stateDiagram-v2
                    [*] --> locked
                    locked --> unlocked: coin [50 cents] (visitor)
                    unlocked --> locked: push
                    locked --> broken: kick
                    unlocked --> broken: kick
                    broken --> [*]

                """)
    }
}

import Foundation
import StateMachines
import Testing

/// A lamp that dims and switches off after delays.
private enum Lamp: MachineDefinition {
    enum State: String, Hashable, CaseIterable, Codable { case off, on, dim }
    enum Event: Hashable { case touch }
    struct Context: Sendable { var isHeld = false }
    enum Reason: Hashable { case held }

    static func machine(_ policy: RestorePolicy = .keepDueTime) -> Machine<Lamp> {
        Machine(
            initial: .off,
            edges: [
                .on(.touch, from: .any, to: .on),
                .after(.seconds(60), from: .on, to: .off, onRestore: policy),
                .after(.seconds(40), from: .on, to: .dim, if: Guard("not held") { $0.isHeld ? .held : nil }, onRestore: policy),
                .after(.seconds(20), from: .dim, to: .off, onRestore: policy),
            ])
    }
}

struct DelayTests {
    private func seconds(_ count: Int64) -> MachineTimestamp { MachineTimestamp(milliseconds: count * 1000) }

    private func lit(_ machine: Machine<Lamp>) throws -> Configuration<Lamp.State> {
        var configuration = machine.start(at: seconds(0))
        try machine.fire(.touch, on: &configuration, at: seconds(100), given: .init())
        return configuration
    }

    @Test func `due times are absolute and sorted, earliest first`() throws {
        let configuration = try lit(Lamp.machine())
        #expect(configuration.pending.map(\.dueAt) == [seconds(140), seconds(160)])
        #expect(configuration.dueAt == seconds(140))
    }

    @Test func `leaving a state cancels its delays`() throws {
        let machine = Lamp.machine()
        var configuration = try lit(machine)
        try machine.fire(.touch, on: &configuration, at: seconds(130), given: .init())
        #expect(configuration.dueAt == seconds(170))
        #expect(machine.advance(&configuration, to: seconds(160), given: .init()).isEmpty)
    }

    @Test func `a delayed transition that its guard refuses is dropped`() throws {
        let machine = Lamp.machine()
        var configuration = try lit(machine)
        let steps = machine.advance(&configuration, to: seconds(200), given: .init(isHeld: true))
        #expect(steps.map(\.to) == [.off])
        #expect(steps.map(\.at) == [seconds(160)])
    }

    @Test func `one call of advance takes a bounded number of steps and the rest stays due`() {
        enum Blinker: MachineDefinition {
            enum State: Hashable, CaseIterable { case on, off }
            typealias Event = Never
        }
        // A zero delay is raised to one millisecond, so that the cycle cannot run forever at one instant.
        let machine = Machine<Blinker>(initial: .on, edges: Edge.cycle([(.on, .zero), (.off, .zero)]))
        var configuration = machine.start(at: seconds(0))
        #expect(machine.advance(&configuration, to: seconds(10)).count == MachineLimits.stepsPerAdvance)
        #expect(configuration.dueAt == MachineTimestamp(milliseconds: 1001))
        #expect(machine.advance(&configuration, to: seconds(10), limit: 5).count == 5)
    }

    @Test(arguments: [
        (RestorePolicy.keepDueTime, [Int64(140), 160]), (.restartDelay, [540, 560]), (.shiftByTimeAway, [530, 550]),
    ])
    func `a saved delay is restored by its policy`(policy: RestorePolicy, due: [Int64]) throws {
        let machine = Lamp.machine(policy)
        let saved = try lit(machine).saved(at: seconds(110))
        let data = try JSONEncoder().encode(saved)
        let read = try JSONDecoder().decode(Saved<Lamp.State>.self, from: data)
        #expect(read == saved)
        #expect(machine.restore(read, at: seconds(500)).pending.map(\.dueAt) == due.map(seconds))
    }

    @Test func `a transition that became due between saving and restoring happens at once`() throws {
        let machine = Lamp.machine(.keepDueTime)
        var configuration = machine.restore(try lit(machine).saved(at: seconds(110)), at: seconds(500))
        #expect(machine.advance(&configuration, to: seconds(500), given: .init()).map(\.to) == [.dim, .off])
    }

    @Test func `a saved delay that is no longer defined is dropped`() throws {
        let saved = try lit(Lamp.machine()).saved(at: seconds(110))
        let shorter = Machine<Lamp>(
            initial: .off, edges: [.on(.touch, from: .any, to: .on), .after(.seconds(60), from: .on, to: .off)])
        #expect(shorter.restore(saved, at: seconds(120)).pending.map(\.target) == [.off])
    }

    @Test func `adding to an instant saturates at the maximum`() {
        #expect(MachineTimestamp(milliseconds: .max) + .seconds(1) == MachineTimestamp(milliseconds: .max))
        #expect(seconds(0) + .seconds(Int64.max) == MachineTimestamp(milliseconds: .max))
        #expect(seconds(1) + .microseconds(1999) == MachineTimestamp(milliseconds: 1001))
        #expect(seconds(1).duration(since: seconds(3)) == .seconds(-2))
    }
}

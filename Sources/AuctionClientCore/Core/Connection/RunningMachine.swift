import StateMachines

/// A machine together with the state that it is in.
struct RunningMachine<Definition: MachineDefinition>: Sendable where Definition.Context == Void {
    private let machine: Machine<Definition>
    private var running: Configuration<Definition.State>

    init(_ machine: Machine<Definition>, at now: MachineTimestamp) {
        self.machine = machine
        running = machine.start(at: now)
    }

    var state: Definition.State { running.state }

    /// When the next delayed transition is due; nil if none is pending.
    var dueAt: MachineTimestamp? { running.dueAt }

    /// Takes an event. One that the state does not expect changes nothing and returns nil.
    mutating func fire(_ event: Definition.Event, at now: MachineTimestamp) -> Step<Definition>? {
        do throws(Refused<Definition>) { return try machine.fire(event, on: &running, at: now) } catch { return nil }
    }

    /// Takes the delayed transitions that are due.
    mutating func advance(to now: MachineTimestamp) -> [Step<Definition>] { machine.advance(&running, to: now) }
}

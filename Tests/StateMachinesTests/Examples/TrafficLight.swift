import StateMachines

/// The interface between a traffic light and its states; any conforming type can be a state.
protocol TrafficLightState: Sendable {
    var name: String { get }
    /// How long the state lasts.
    var delay: Duration { get }
    /// Switches on the lamps of the state.
    func apply(to lamps: inout some Lamps)
}

/// The interface that a state uses to switch lamps.
protocol Lamps {
    mutating func switchOn(lamp index: Int)
    mutating func switchAllOff()
}

/// A state in which exactly one lamp is lit.
struct SolidLight: TrafficLightState {
    let name: String
    let lamp: Int
    let delay: Duration

    func apply(to lamps: inout some Lamps) { lamps.switchOn(lamp: lamp) }

    static let red = SolidLight(name: "red", lamp: 0, delay: .seconds(10))
    static let yellow = SolidLight(name: "yellow", lamp: 1, delay: .seconds(3))
    static let green = SolidLight(name: "green", lamp: 2, delay: .seconds(10))
}

/// The context of the state pattern: knows its states only by their protocol, and advances through them after their delays.
struct TrafficLight: Lamps {
    enum Definition: MachineDefinition {
        /// Index of a state in `states`.
        typealias State = Int
        typealias Event = Never
    }

    let states: [any TrafficLightState]
    let machine: Machine<Definition>
    private(set) var configuration: Configuration<Int>
    private(set) var lit: Set<Int> = []

    /// - Parameter states: in cyclic order; the first follows the last.
    init(_ states: [any TrafficLightState], at now: MachineTimestamp) {
        self.states = states
        machine = Machine(
            initial: 0, states: Array(states.indices), edges: Edge.cycle(states.indices.map { ($0, states[$0].delay) }))
        configuration = machine.start(at: now)
        show()
    }

    var current: any TrafficLightState { states[configuration.state] }

    /// Advances to a time.
    /// - Returns: the names of the states entered, in order.
    mutating func advance(to now: MachineTimestamp) -> [String] {
        let steps = machine.advance(&configuration, to: now)
        show()
        return steps.map { states[$0.to].name }
    }

    private mutating func show() {
        switchAllOff()
        current.apply(to: &self)
    }

    mutating func switchOn(lamp index: Int) { lit.insert(index) }
    mutating func switchAllOff() { lit = [] }
}

import StateMachines

/// What a traffic light knows of its states: nothing else, so any light that has these can be put in.
protocol TrafficLightState: Sendable {
    var name: String { get }
    /// How long the light shines.
    var delay: Duration { get }
    /// Shows the state on anything that has lamps.
    func apply(to lamps: inout some Lamps)
}

/// What a state knows of the thing that it is shown on.
protocol Lamps {
    mutating func switchOn(lamp index: Int)
    mutating func switchAllOff()
}

/// One lamp that shines alone.
struct SolidLight: TrafficLightState {
    let name: String
    let lamp: Int
    let delay: Duration

    func apply(to lamps: inout some Lamps) { lamps.switchOn(lamp: lamp) }

    static let red = SolidLight(name: "red", lamp: 0, delay: .seconds(10))
    static let yellow = SolidLight(name: "yellow", lamp: 1, delay: .seconds(3))
    static let green = SolidLight(name: "green", lamp: 2, delay: .seconds(10))
}

/// The context: it holds states of which it knows only the protocol, and goes from one to the next by itself.
struct TrafficLight: Lamps {
    enum Words: Vocabulary {
        /// The position of a state in its row.
        typealias State = Int
        typealias Event = Never
    }

    let states: [any TrafficLightState]
    let machine: Machine<Words>
    private(set) var configuration: Configuration<Int>
    private(set) var lit: Set<Int> = []

    /// - Parameter states: in the order they shine; the first follows the last.
    init(_ states: [any TrafficLightState], at now: Moment) {
        self.states = states
        machine = Machine(
            initial: 0, states: Array(states.indices), edges: Edge.cycle(states.indices.map { ($0, states[$0].delay) }))
        configuration = machine.start(at: now)
        show()
    }

    var current: any TrafficLightState { states[configuration.state] }

    /// Lets time pass.
    /// - Returns: the names of the states it came through.
    mutating func advance(to now: Moment) -> [String] {
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

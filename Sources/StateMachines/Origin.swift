/// The states that a transition or an action applies to: `[.idle, .waiting]`, `.any`, `.any(except: [.idle])`.
public enum Origin<State: Hashable & Sendable>: Hashable, Sendable {
    /// Only these states.
    case states([State])
    /// All states except these.
    case any(except: [State])

    /// All states.
    public static var any: Self { .any(except: []) }

    /// Whether the state is one of them.
    public func contains(_ state: State) -> Bool {
        switch self {
        case .states(let states): states.contains(state)
        case .any(let exceptions): !exceptions.contains(state)
        }
    }
}

extension Origin: ExpressibleByArrayLiteral {
    public init(arrayLiteral states: State...) { self = .states(states) }
}

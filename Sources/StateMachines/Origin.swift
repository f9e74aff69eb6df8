/// The states that something starts from: `[.idle, .waiting]`, `.any`, `.any(except: [.idle])`.
public enum Origin<State: Hashable & Sendable>: Hashable, Sendable {
    /// These.
    case states([State])
    /// All but these.
    case any(except: [State])

    /// All.
    public static var any: Self { .any(except: []) }

    /// Whether something that starts from here can start from the state.
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

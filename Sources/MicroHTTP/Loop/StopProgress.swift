/// The phases of stopping a loop: a value without effects.
enum StopProgress: Equatable {
    case running
    /// Waiting for the handler's responses until the deadline, in milliseconds.
    case draining(until: UInt64)
    /// Pending exchanges were refused; waiting until the deadline for the clients to read the responses.
    case refusing(until: UInt64)
    case finished

    /// How long clients may take to read refusals.
    private static let refusingMilliseconds: UInt64 = 500

    /// When `advance` has to be called, in milliseconds; nil if the loop is not stopping.
    var deadline: UInt64? {
        switch self {
        case .draining(let until), .refusing(let until): until
        case .running, .finished: nil
        }
    }

    /// The loop begins to stop.
    mutating func begin(until deadline: UInt64) { self = .draining(until: deadline) }

    /// The step of a turn.
    enum Action {
        case none
        /// Refuse the pending exchanges.
        case refusePending
    }

    /// A turn of the loop is over.
    /// - Parameter isIdle: whether no exchange is open and nothing is left to do.
    mutating func advance(now: UInt64, isIdle: Bool) -> Action {
        switch self {
        case .running, .finished: return .none
        case .draining(let until):
            if isIdle {
                self = .finished
            } else if now >= until {
                self = .refusing(until: now + StopProgress.refusingMilliseconds)
                return .refusePending
            }
            return .none
        case .refusing(let until):
            if isIdle || now >= until { self = .finished }
            return .none
        }
    }
}

import StateMachines

/// Numbers the calls of one connection or exchange, and knows which of them is current. What arrives for another one is ignored.
struct CallNumbers: Sendable {
    typealias CallID = UInt64

    private var last: CallID = 0
    /// The call whose result is awaited; nil if none is.
    private(set) var current: CallID?
    /// When the latest current call began.
    private(set) var sentAt: MachineTimestamp

    init(at now: MachineTimestamp) { sentAt = now }

    /// Begins a call, which replaces the current one.
    mutating func begin(at now: MachineTimestamp) -> CallID {
        let call = beginBeside()
        current = call
        sentAt = now
        return call
    }

    /// Begins a call beside the current one.
    mutating func beginBeside() -> CallID {
        last += 1
        return last
    }

    /// Ends the current call, and returns it; nil if there was none.
    @discardableResult
    mutating func end() -> CallID? {
        defer { current = nil }
        return current
    }
}

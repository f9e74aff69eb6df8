/// Default bounds of the library.
public enum MachineLimits {
    /// Maximum number of delayed transitions per call of `advance`; the rest stays due for the next call.
    public static let stepsPerAdvance = 1000
    /// Number of inputs that a `History` can undo.
    public static let historySteps = 100
}

extension Machine {
    /// Takes every delayed transition that is due by `now`, in the order of their due times.
    ///
    /// Each happens at its due time, not at `now`, so the result does not depend on how often `advance` is called.
    /// A transition that its guard refuses at that time is dropped. Those beyond the limit stay due.
    @discardableResult
    public func advance(
        _ configuration: inout Configuration<State>, to now: MachineTimestamp, given context: Definition.Context,
        limit: Int = MachineLimits.stepsPerAdvance
    ) -> [Step<Definition>] {
        var steps: [Step<Definition>] = []
        while steps.count < limit, let next = configuration.pending.first, next.dueAt <= now {
            configuration.pending.removeFirst()
            guard let edge = edge(of: next, in: configuration.state), edge.condition?.reason(against: context) == nil
            else { continue }
            steps.append(take(edge, on: &configuration, at: next.dueAt, given: context))
        }
        return steps
    }

    /// Restores a saved machine, each delay by the policy of its edge.
    ///
    /// A delay that is no longer defined is dropped; a newly defined one starts when the state is next entered.
    public func restore(_ saved: Saved<State>, at now: MachineTimestamp) -> Configuration<State> {
        var configuration = saved.configuration
        let away = max(.zero, now.duration(since: saved.savedAt))
        configuration.pending = configuration.pending.compactMap { old in
            guard let edge = edge(of: old, in: configuration.state) else { return nil }
            var pending = old
            switch edge.restore {
            case .keepDueTime: break
            case .restartDelay: pending.dueAt = now + old.delay
            case .shiftByTimeAway: pending.dueAt = old.dueAt + away
            }
            return pending
        }
        configuration.pending.sort { $0.dueAt < $1.dueAt }
        return configuration
    }

    /// The delayed transitions of a state entered at `now`, earliest first.
    func delays(in state: State, from now: MachineTimestamp) -> [Pending<State>] {
        let pending = edges.compactMap { edge -> Pending<State>? in
            guard case .after(let delay) = edge.trigger, edge.origin.contains(state) else { return nil }
            return Pending(target: edge.target, delay: delay, dueAt: now + delay)
        }
        return pending.sorted { $0.dueAt < $1.dueAt }
    }

    private func edge(of pending: Pending<State>, in state: State) -> Edge<Definition>? {
        edges.first {
            $0.trigger == .after(pending.delay) && $0.target == pending.target && $0.origin.contains(state)
        }
    }
}

extension Machine where Definition.Context == Void {
    /// Takes every delayed transition that is due by `now`; see `advance(_:to:given:limit:)`.
    @discardableResult
    public func advance(
        _ configuration: inout Configuration<State>, to now: MachineTimestamp, limit: Int = MachineLimits.stepsPerAdvance
    ) -> [Step<Definition>] {
        advance(&configuration, to: now, given: (), limit: limit)
    }
}

/// The bounds of the library.
public enum MachineLimits {
    /// How many delayed transitions one call to `advance` takes: what is left is still due for the next call.
    public static let stepsPerAdvance = 1000
    /// How many steps back a `History` remembers.
    public static let historySteps = 100
}

extension Machine {
    /// Takes every delayed transition that is due by `now`, in the order of their due times.
    ///
    /// Each happens at its due time, not at `now`: a machine that is looked at late is where it would have been had it been
    /// watched. A transition that its guard holds back when it falls due is dropped.
    /// - Parameter limit: how many at most.
    @discardableResult
    public func advance(
        _ configuration: inout Configuration<State>, to now: Moment, given context: Words.Context,
        limit: Int = MachineLimits.stepsPerAdvance
    ) -> [Step<Words>] {
        var steps: [Step<Words>] = []
        while steps.count < limit, let next = configuration.pending.first, next.dueAt <= now {
            configuration.pending.removeFirst()
            guard let edge = edge(of: next, in: configuration.state), edge.condition?.reason(against: context) == nil
            else { continue }
            steps.append(take(edge, on: &configuration, at: next.dueAt, given: context))
        }
        return steps
    }

    /// Reads a saved machine back: each delay by the policy of its edge.
    ///
    /// A delay that the definition no longer knows is dropped; one that it has gained starts when the state is next entered.
    public func restore(_ saved: Saved<State>, at now: Moment) -> Configuration<State> {
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

    /// The delays of a state that is entered now.
    func delays(in state: State, from now: Moment) -> [Pending<State>] {
        let pending = edges.compactMap { edge -> Pending<State>? in
            guard case .after(let delay) = edge.trigger, edge.origin.contains(state) else { return nil }
            return Pending(target: edge.target, delay: delay, dueAt: now + delay)
        }
        return pending.sorted { $0.dueAt < $1.dueAt }
    }

    private func edge(of pending: Pending<State>, in state: State) -> Edge<Words>? {
        edges.first {
            $0.trigger == .after(pending.delay) && $0.target == pending.target && $0.origin.contains(state)
        }
    }
}

extension Machine where Words.Context == Void {
    /// Takes every delayed transition that is due by `now`; see `advance(_:to:given:limit:)`.
    @discardableResult
    public func advance(
        _ configuration: inout Configuration<State>, to now: Moment, limit: Int = MachineLimits.stepsPerAdvance
    ) -> [Step<Words>] {
        advance(&configuration, to: now, given: (), limit: limit)
    }
}

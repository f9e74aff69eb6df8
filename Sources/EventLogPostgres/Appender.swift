import AuctionDomain
import EventLog
import Synchronization

/// The one session that appends. When it breaks the next append makes another: what is durable is in the server, not here.
final class Appender: Sendable {
    private let connector: Connector
    private let judgesTime: Bool
    private let clock: ServerClock
    private let state = Mutex(State())

    private struct State {
        var session: Session?
        var isClosed = false
    }

    init(_ connector: Connector, judgesTime: Bool, clock: ServerClock) {
        self.connector = connector
        self.judgesTime = judgesTime
        self.clock = clock
    }

    /// Commits all of it in one transaction; durable once this returns.
    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        let plan = try AppendPlan(batch)
        return try locked { state throws(EventLogError) in
            var attempt = 1
            while true {
                do throws(SessionFailure) {
                    return try verdicts(on: plan, count: batch.count, &state)
                } catch {
                    guard error.isPassing, attempt < connector.limits.attempts else {
                        throw EventLogError(error, while: "append", in: connector.store)
                    }
                    attempt += 1
                }
            }
        }
    }

    private func verdicts(
        on plan: AppendPlan, count: Int, _ state: inout State
    ) throws(SessionFailure) -> [AppendVerdict] {
        let session = try session(&state)
        do throws(SessionFailure) {
            let sent = Session.monotonicNanoseconds()
            let replies = try session.run(plan.rounds.map { AppendStatement.call($0, judgesTime: judgesTime) })
            let received = Session.monotonicNanoseconds()
            var verdicts = [AppendVerdict](repeating: .conflict(actual: .none), count: count)
            for (chains, rows) in zip(plan.rounds, replies) {
                let outcomes = try AppendStatement.outcomes(rows)
                if let outcome = outcomes.last { clock.learn(outcome.clock, sent: sent, received: received) }
                for (chain, outcome) in zip(chains, outcomes) { outcome.tell(chain, &verdicts) }
            }
            return verdicts
        } catch {
            if error.endsSession { state.session = nil }
            throw error
        }
    }

    /// Throws unless an append could go out now, to a server whose promises are still good. `fsync` can be reloaded while
    /// sessions stand, and nobody is asked.
    func probe() throws(EventLogError) {
        try locked { state throws(EventLogError) in
            do throws(SessionFailure) {
                let session = try session(&state)
                let sent = Session.monotonicNanoseconds()
                let replies = try session.run([Call(Statements.probe), Call(Statements.settings)])
                let answer = replies[0]
                guard answer.count == 1, try answer[0].flag(0) else {
                    throw SessionFailure(kind: .server(state: "25006"), message: "the server takes no writes: it is a standby")
                }
                clock.learn(try answer[0].instant(1), sent: sent, received: Session.monotonicNanoseconds())
                try trust(replies[1])
            } catch {
                if error.endsSession { state.session = nil }
                let told = EventLogError(error, while: "ask", in: connector.store)
                throw EventLogError(.unavailable, told.message)
            }
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.session = nil
        }
    }

    private func locked<Result>(
        _ body: (inout State) throws(EventLogError) -> sending Result
    ) throws(EventLogError) -> sending Result {
        try state.withLock { state throws(EventLogError) in
            if state.isClosed { throw EventLogError(.unavailable, "the log \(connector.store) has been closed") }
            return try body(&state)
        }
    }

    /// The session that stands, or another one on a server whose promises are good.
    private func session(_ state: inout State) throws(SessionFailure) -> Session {
        if let session = state.session, session.isAlive { return session }
        state.session = nil
        let session = try connector.connect()
        do throws(EventLogError) {
            try ServerSettings.check(session, store: connector.store)
            try Schema.check(session, store: connector.store)
        } catch {
            throw SessionFailure(kind: .notSent, message: error.message)
        }
        state.session = session
        return session
    }

    /// What is not durable any more takes no appends until it is again: the session ends, and the next one is looked at.
    private func trust(_ settings: Rows) throws(SessionFailure) {
        do throws(EventLogError) {
            try ServerSettings.check(settings, store: connector.store)
        } catch {
            throw SessionFailure(kind: .notSent, message: error.message)
        }
    }
}

extension AppendStatement.Outcome {
    /// Each element's verdict from that of its chain.
    fileprivate func tell(_ chain: AppendPlan.Chain, _ verdicts: inout [AppendVerdict]) {
        // The answers of a chain stand in the order of its elements, and so do their positions.
        var rest = positions[...]
        for (element, answers) in zip(chain.elements, chain.answersPerElement) {
            if isWon {
                verdicts[element] = .appended(answerPositions: Array(rest.prefix(answers)))
                rest = rest.dropFirst(answers)
            } else if let deferral {
                verdicts[element] = .deferred(deferral)
            } else {
                verdicts[element] = .conflict(actual: found)
            }
        }
    }
}

import AuctionDomain
import EventLog
import Synchronization

/// Appends through a single session. If the session breaks, the next append opens a new one; all durable state is in the server.
final class Appender: Sendable {
    private let connector: Connector
    private let validatesTime: Bool
    private let clock: ServerClock
    private let state = Mutex(State())

    private struct State {
        var session: Session?
        var isClosed = false
    }

    init(_ connector: Connector, validatesTime: Bool, clock: ServerClock) {
        (self.connector, self.validatesTime, self.clock) = (connector, validatesTime, clock)
    }

    /// Commits the batch in one transaction; durable once this returns. Retries serialization failures and deadlocks.
    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] {
        let plan = try AppendPlan(batch)
        return try locked { state throws(EventLogError) in
            var attempt = 1
            while true {
                do throws(SessionFailure) {
                    return try verdicts(on: plan, count: batch.count, &state)
                } catch {
                    guard error.isTransient, attempt < connector.limits.attempts else {
                        throw EventLogError(error, while: action(failing: error, plan), in: connector.store)
                    }
                    attempt += 1
                }
            }
        }
    }

    /// Names the repair if pages are damaged that may be those of the index by user: the server names a file, not the table.
    private func action(failing failure: SessionFailure, _ plan: AppendPlan) -> String {
        let writesUsers = plan.rounds.contains { $0.contains { !$0.users.isEmpty } }
        guard failure.isDamage, writesUsers else { return "append" }
        return "append (if the damage is in the index by user: \(UserChanges.repair))"
    }

    private func verdicts(on plan: AppendPlan, count: Int, _ state: inout State) throws(SessionFailure) -> [AppendVerdict] {
        let session = try session(&state)
        do throws(SessionFailure) {
            var verdicts = [AppendVerdict](repeating: .conflict(actual: .none), count: count)
            let ahead = try run(plan.rounds, validatesTime ? .byClock : .anyTime, on: session, &verdicts)
            if ahead.isEmpty { return verdicts }
            do throws(SessionFailure) {
                _ = try run(ahead, .byClockOrHead, on: session, &verdicts)
            } catch  where error.wroteNothing {
                // The other chains are committed; these stay deferred.
                if error.endsSession { state.session = nil }
            }
            return verdicts
        } catch {
            if error.endsSession { state.session = nil }
            throw error
        }
    }

    /// Runs the statements of all rounds in one transaction, and sets the verdicts of their elements.
    /// - Returns: Of each round the chains that were deferred because their last event is ahead of the server's clock, which may have gone
    ///   back; without rounds that have none.
    private func run(
        _ rounds: [[AppendPlan.Chain]], _ rule: AppendStatement.TimeRule, on session: Session, _ verdicts: inout [AppendVerdict]
    ) throws(SessionFailure) -> [[AppendPlan.Chain]] {
        let sent = Session.monotonicNanoseconds()
        let replies = try session.run(rounds.map { AppendStatement.call($0, rule) })
        let received = Session.monotonicNanoseconds()
        var ahead: [[AppendPlan.Chain]] = []
        for (chains, rows) in zip(rounds, replies) {
            let (outcomes, time) = try AppendStatement.outcomes(rows, of: chains)
            clock.record(time, sent: sent, received: received)
            var deferred: [AppendPlan.Chain] = []
            for (chain, outcome) in zip(chains, outcomes) {
                outcome.setVerdicts(chain, &verdicts)
                if outcome.deferral == .stamp, chain.kind == .append, let last = chain.events.last, last.at > time {
                    deferred.append(chain)
                }
            }
            if !deferred.isEmpty { ahead.append(deferred) }
        }
        return ahead
    }

    /// Throws if an append would currently fail, or if the server's settings no longer guarantee durability (`fsync` can be changed by
    /// a reload while sessions are open).
    func probe() throws(EventLogError) {
        try locked { state throws(EventLogError) in
            do throws(SessionFailure) {
                let session = try session(&state)
                let sent = Session.monotonicNanoseconds()
                let replies = try session.run([Call(Statements.probe), Call(Statements.settings)])
                let reply = replies[0]
                guard reply.count == 1, try reply[0].flag(0) else {
                    throw SessionFailure(kind: .server(state: "25006"), message: "the server is a standby and rejects writes")
                }
                clock.record(try reply[0].instant(1), sent: sent, received: Session.monotonicNanoseconds())
                try requireSuitable { () throws(EventLogError) in
                    try ServerSettings.check(replies[1], store: connector.store)
                }
            } catch {
                if error.endsSession { state.session = nil }
                let translated = EventLogError(error, while: "probe", in: connector.store)
                throw EventLogError(.unavailable, translated.message)
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

    /// The open session, or a new one after checking the server's settings and schema.
    private func session(_ state: inout State) throws(SessionFailure) -> Session {
        if let session = state.session, session.isAlive { return session }
        state.session = nil
        let session = try connector.connect()
        try requireSuitable { () throws(EventLogError) in
            try ServerSettings.check(session, store: connector.store)
            try Schema.check(session, store: connector.store)
        }
        state.session = session
        return session
    }

    /// Runs a check of the server; throws `.notSent`, which ends the session, so that appends fail until the server is suitable.
    private func requireSuitable(_ check: () throws(EventLogError) -> Void) throws(SessionFailure) {
        do throws(EventLogError) { try check() } catch { throw SessionFailure(kind: .notSent, message: error.message) }
    }
}

extension AppendStatement.Outcome {
    /// Writes the verdicts of a chain's elements into the batch's verdicts.
    fileprivate func setVerdicts(_ chain: AppendPlan.Chain, _ verdicts: inout [AppendVerdict]) {
        // Positions are in the order of the chain's responses, and those in the order of its elements.
        var rest = positions[...]
        for (element, responses) in zip(chain.elements, chain.responsesPerElement) {
            if isAppended {
                verdicts[element] = .appended(responsePositions: Array(rest.prefix(responses)))
                rest = rest.dropFirst(responses)
            } else if let deferral {
                verdicts[element] = .deferred(deferral)
            } else {
                verdicts[element] = .conflict(actual: found)
            }
        }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// A revocation as an operator lists it: of all tokens of a user that were issued before an instant.
struct ListedRevocation {
    let user: UserID
    let before: Timestamp
}

// The tokens of the readers: they expire, operators revoke them, and no process may serve by one that is not valid any more.
extension World {
    /// The longest time, in milliseconds, for which a token may be used after its expiry: the interval of the checks, and the clock
    /// change that they ignore.
    private static let expiryTolerance: Int64 = 400 + 500 + 10

    /// The token of a reader, as a process verifies it with a request. A reader whose token is refused signs in again, with the process
    /// that has refused it.
    /// - Returns: Nil if the new one is refused too.
    func verifiedToken(of index: Int, on node: SimulatedNode) -> Principal? {
        let now = now(node)
        if let principal = readers[index].principal, tokenError(principal, now, on: node) == nil { return principal }
        let isGuest = tokens.once(in: 2)
        let lifetime = tokens.once(in: 3) ? 48 * Self.hour : tokens.amount(2000...60_000)
        let principal = Principal(
            person: readers[index].person, expiresAt: (isGuest ? now.wall : now.actual).advanced(byMilliseconds: lifetime),
            issuedAt: now.wall, source: isGuest ? .guests : .provider(key: 1), tokenID: nil)
        readers[index].principal = principal
        return tokenError(principal, now, on: node) == nil ? principal : nil
    }

    private func tokenError(_ principal: Principal, _ now: Now, on node: SimulatedNode) -> TokenError? {
        node.revoked.tokenError(of: principal, at: now)
    }

    /// Plans the check of an event loop in which the next expiry is found. Those before it would find nothing and are not simulated, to
    /// save work.
    func planTokenCheck(_ node: SimulatedNode, _ loop: Int) {
        let now = now(node)
        let polls = node.polls.filter { $0.value.watched != nil && self.loop(of: $0.key) == loop }
        guard let wait = polls.values.map({ $0.principal.end(at: now).milliseconds(since: now.wall) }).min() else { return }
        let due = time + max(0, wait) + tokens.amount(1...Int(Subscriptions.tokenCheckMilliseconds))
        if let planned = node.loops[loop].plannedTokenCheck, planned <= due { return }
        node.loops[loop].plannedTokenCheck = due
        plan(on: node, at: due) { $0.checkTokens($1, loop) }
    }

    func checkTokens(_ node: SimulatedNode, _ loop: Int) {
        guard options.bug != .expiredStreamsStay, node.loops[loop].plannedTokenCheck == time else { return }
        node.loops[loop].plannedTokenCheck = nil
        let directives = node.loops[loop].subscriptions.checkTokens(at: now(node)) { tokenError($0, $1, on: node) }
        perform(directives, on: node, loop)
        planTokenCheck(node, loop)
    }

    /// Ends a subscription whose token is not valid any more.
    func refuse(_ id: UInt64, _ error: TokenError, on node: SimulatedNode) {
        guard let poll = node.polls.removeValue(forKey: id) else { return }
        trace.note("\(time) \(node.name) refuses the token of reader \(poll.reader): \(error)")
        checkRefusal(error, poll.principal, on: node)
        leave(id, poll, on: node)
        plan(in: latency()) { $0.pollFailed(poll.reader, id) }
    }

    // MARK: - Revocations

    /// Sometimes an operator of a shared log lists a user, or takes all users of the list back.
    func changeRevocations() {
        let (lists, withdraws, victim) = (tokens.once(in: 25), tokens.once(in: 60), tokens.roll(0...(nodes.count - 1)))
        let user = tokens.pick(readers.map(\.person.id))
        guard isShared, !isFaultFree, lists || withdraws, nodes[victim].hasStarted else { return }
        if lists {
            let entry = ListedRevocation(user: user, before: now(nodes[victim]).wall)
            listed[victim].append(entry)
            everListed.append(entry)
        } else {
            listed[victim] = []
        }
        trace.note("\(time) the operator of node \(victim) lists \(listed[victim].count) users")
        nodes[victim].revocations.list(revocations(listedAt: victim))
        planRevocationExchanges()
    }

    private func revocations(listedAt index: Int) -> [UInt128: Timestamp?] {
        var ends: [UInt128: Timestamp?] = [:]
        for entry in listed[index] {
            let key = SharedRevocations.key(of: entry.user)
            ends.updateValue(max(entry.before, (ends[key] ?? nil) ?? entry.before), forKey: key)
        }
        return ends
    }

    /// Plans the exchanges of every process that can find a change; those that would find nothing are not simulated, to save work.
    func planRevocationExchanges() {
        guard isShared else { return }
        let (interval, full) = (RevocationExchange.intervalMilliseconds, RevocationExchange.fullReadNanoseconds / 1_000_000)
        for node in nodes where node.hasStarted {
            for wait in [0, interval, full, full + interval, 2 * full, 2 * full + interval] {
                plan(on: node, in: wait + tokens.amount(1...Int(interval))) { $0.exchangeRevocations($1) }
            }
        }
    }

    /// A process reads its operator's list and all revocations before it accepts a token.
    func beginRevocations(on node: SimulatedNode) {
        guard isShared else { return }
        node.revocations.list(revocations(listedAt: node.name.node))
        exchangeRevocations(node)
        planRevocationExchanges()
    }

    func exchangeRevocations(_ node: SimulatedNode) {
        let changed = Result { () throws(EventLogError) in
            try node.revocations.exchange(reachableLog(by: node), at: now(node))
        }
        switch changed {
        case .success(let revoked):
            if let revoked, options.bug != .remoteRevocationsIgnored { use(revoked, on: node) }
        case .failure: plan(on: node, in: RevocationExchange.intervalMilliseconds) { $0.exchangeRevocations($1) }
        }
    }

    private func use(_ revoked: SharedRevocations, on node: SimulatedNode) {
        node.revoked = revoked
        guard options.bug != .revokedStreamsStay else { return }
        for loop in node.loops.indices {
            let directives = node.loops[loop].subscriptions.identityChanged(at: now(node)) { tokenError($0, $1, on: node) }
            perform(directives, on: node, loop)
        }
    }

    // MARK: - What must hold

    /// Checks that events are sent by valid tokens only. The expiry of a provider's token is compared with the wall clock itself.
    func expectValidToken(of poll: SimulatedNode.Poll, on node: SimulatedNode) {
        let (principal, now) = (poll.principal, now(node))
        if node.revoked.contain(principal) {
            report("revocation", "\(node.name) serves reader \(poll.reader), whose token is revoked")
        }
        let remaining =
            if case .guests = principal.source {
                principal.end(at: now).milliseconds(since: now.wall)
            } else {
                principal.expiresAt.milliseconds(since: now.actual)
            }
        // A clock that was set is noticed with the next check.
        let isNoticed = time - (clockSetAt[node.name.node] ?? -Self.hour) > Self.expiryTolerance
        if remaining < -Self.expiryTolerance, isNoticed {
            report("token", "\(node.name) serves reader \(poll.reader) \(-remaining) ms after their token expired")
        }
    }

    /// Checks that no token was refused before its time, or without an operator's list.
    private func checkRefusal(_ error: TokenError, _ principal: Principal, on node: SimulatedNode) {
        switch error {
        case .expired where principal.end(at: now(node)) > now(node).wall:
            report("token", "\(node.name) refuses a token before its expiry")
        case .revoked where !everListed.contains(where: { isRevoked(principal, by: $0) }):
            report("token", "\(node.name) refuses a token that no operator has listed")
        default: break
        }
    }

    private func isRevoked(_ principal: Principal, by entry: ListedRevocation) -> Bool {
        entry.user == principal.person.id && (principal.issuedAt.map { $0 < entry.before } ?? true)
    }

    /// At the end of a run, when all processes reach the log: what is revoked is what the operators list, at every process, and no
    /// subscription has a token that is revoked or has expired.
    func expectRevocationsKnown() {
        guard isShared else { return }
        let entries = listed.flatMap { $0 }
        for node in nodes where node.isServing {
            for (number, reader) in readers.enumerated() {
                guard let principal = reader.principal else { continue }
                let isListed = entries.contains { isRevoked(principal, by: $0) }
                guard node.revoked.contain(principal) != isListed else { continue }
                report("revocation", "\(node.name) takes the token of reader \(number) for \(isListed ? "valid" : "revoked")")
            }
            for poll in node.polls.values where poll.watched != nil {
                guard entries.contains(where: { isRevoked(poll.principal, by: $0) }) else { continue }
                report("revocation", "\(node.name) keeps reader \(poll.reader), whose token is revoked")
            }
        }
    }
}

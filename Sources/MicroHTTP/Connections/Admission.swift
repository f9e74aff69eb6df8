internal import IPAddresses
internal import CMicroHTTPDShims
internal import Synchronization

/// Accepts connections within the limits, and evicts one for a new one above them. Used on the loop's thread only.
///
/// First it evicts a connection without a complete request head, then an idle one. If a network has more than its share, it then
/// evicts a partial request, a long poll or a stream of that network. It never evicts a connection whose request is being handled.
final class Admission {
    /// The counts of all loops together.
    let budget: ConnectionBudget
    private let index: Int
    private let limits: HTTPLimits
    private let turns: Turns
    private let daemons: Daemons
    private let connections: OpenConnections
    private var evictionLists = EvictionLists()

    private static let maximumRounds = 4

    /// - Parameter index: which of the server's loops this is, from 0.
    init(index: Int, budget: ConnectionBudget, turns: Turns, daemons: Daemons, connections: OpenConnections) {
        self.index = index
        self.budget = budget
        limits = budget.limits
        self.turns = turns
        self.daemons = daemons
        self.connections = connections
    }

    // MARK: - From accept to close

    /// Whether to accept a connection; otherwise it is closed without a response.
    func mayAdmit(_ address: IPAddress?) -> Bool {
        if daemons.isReturning { return true }
        guard budget.mayAdmit else { return false }
        guard limits.displacedPerAddress > 0, let network = address.flatMap({ network(of: $0) }) else { return true }
        return budget.peers.displaced(network, at: turns.now) < limits.displacedPerAddress
    }

    /// The daemon of the core has accepted a connection.
    @unsafe
    func opened(_ handle: OpaquePointer, on core: LoopCore) -> Connection {
        let peer = unsafe network(of: handle).map { budget.peers.enter($0, loop: index) }
        budget.enter()
        // One that returns has been counted until now: it takes no place from another.
        let admissionRefusal = daemons.isReturning ? nil : makeRoom(for: peer)
        if admissionRefusal != nil { countDisplaced(of: peer) }
        let connection = connections.insert { slot in
            // SAFETY: the handle is valid until `closed`, which takes the connection out of the table.
            unsafe Connection(
                slot: slot, core: core, handle: handle, peer: peer, admissionRefusal: admissionRefusal, daemon: daemons.running)
        }
        // In any case: the descriptor may have been another connection's.
        connection.setLowPriority(admissionRefusal != nil)
        evictionLists.insert(connection)
        return connection
    }

    /// A complete request head was received. False if its connection was evicted: the request is not started.
    func receivedHead(_ connection: Connection) -> Bool {
        switch connection.receivedHead() {
        case .drop: return false
        case .handle: return true
        case .admit:
            budget.receivedFirstHead()
            connections.endAwaitingFirstHead(connection)
            evictionLists.receivedFirstHead(connection)
            return true
        }
    }

    /// A connection closes, or the stream that has taken it over ends.
    func closed(_ connection: Connection) {
        release(connection)
        connections.remove(connection)
    }

    /// Removes the connection from all counts and lists of the limits.
    private func release(_ connection: Connection) {
        guard case .leave(let wasAwaitingFirstHead) = connection.release() else { return }
        budget.leave(wasAwaitingFirstHead: wasAwaitingFirstHead)
        connections.endAwaitingFirstHead(connection)
        guard let peer = connection.peer else { return }
        evictionLists.remove(connection)
        budget.peers.leave(peer, loop: index)
    }

    /// Publishes to the other loops which kinds of connections this loop can evict.
    func publishClosable() {
        guard budget.closable.count > 1 else { return }
        budget.closable[index].awaitingFirstHead.store(connections.hasAwaitingFirstHead, ordering: .relaxed)
        budget.closable[index].idle.store(connections.hasIdle, ordering: .relaxed)
    }

    /// Nil for a shared address, which is exempt from limits per address.
    @unsafe
    private func network(of handle: OpaquePointer) -> ClientNetwork? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        // SAFETY: the connection is alive, and both numbers are locals.
        guard unsafe micro_peer_address(handle, &high, &low) != 0 else { return nil }
        return network(of: IPAddress(bits: UInt128(high) << 64 | UInt128(low)))
    }

    private func network(of address: IPAddress) -> ClientNetwork? {
        if let isShared = limits.isSharedAddress, isShared(address) { return nil }
        return ClientNetwork(address, version6Prefix: limits.addressPrefix6)
    }

    // MARK: - Eviction

    /// Evicts connections until a new one is within the limits. Nil if it may stay; else the refusal of its first request.
    private func makeRoom(for peer: Peer?) -> RequestRefusal? {
        if let peer, budget.isOver(peer) {
            if closeAwaitingFirstHead(of: peer) {
                countDisplaced(of: peer)
            } else if !closeIdle(of: peer) {
                return .tooManyOfAddress(limit: limits.connectionsPerAddress)
            }
        }
        if !budget.isOver, budget.hasTooManyAwaitingFirstHead {
            _ = closeAwaitingFirstHead(budget.peers.heaviest(preferring: index))
        }
        // Repeated, because an evicted connection may itself have been above the limit.
        for _ in 0..<Admission.maximumRounds where budget.isOver {
            let heaviest = budget.peers.heaviest(preferring: index)
            let place = closeAwaitingFirstHead(heaviest)
            if place != nil, heaviest?.peer === peer { countDisplaced(of: peer) }
            switch place ?? closeIdle(heaviest) ?? closeActive(heaviest, for: peer) {
            case .here: continue
            case .onAnotherLoop: return nil
            case nil: return .tooManyConnections(limit: limits.connections)
            }
        }
        return nil
    }

    /// Counts a connection that was refused, or that took the place of a silent one of its own network. Only what a network does to itself
    /// counts. An idle connection that makes room for the next is ordinary.
    private func countDisplaced(of peer: Peer?) { peer?.displaced.withLock { $0.count(at: turns.now) } }

    /// The loop on which a connection is evicted.
    private enum Place {
        case here
        /// Evicted in that loop's next turn: until then the limit is exceeded by one.
        case onAnotherLoop
    }

    /// Evicts a connection without a complete request head, preferably of the network with most connections.
    private func closeAwaitingFirstHead(_ heaviest: PeerRegistry.Heaviest?) -> Place? {
        if let heaviest, closeAwaitingFirstHead(of: heaviest.peer) { return .here }
        if evict(connections.longestAwaitingFirstHead) { return .here }
        guard let other = budget.otherLoop(than: index, with: { $0.awaitingFirstHead.load(ordering: .relaxed) }) else {
            return nil
        }
        budget.post(to: other) { core in _ = core.admission.evict(core.connections.longestAwaitingFirstHead) }
        return .onAnotherLoop
    }

    /// Evicts an idle connection, preferably of the network with most connections.
    private func closeIdle(_ heaviest: PeerRegistry.Heaviest?) -> Place? {
        if let heaviest, closeIdle(of: heaviest.peer) { return .here }
        if evict(connections.longestIdle) { return .here }
        guard let other = budget.otherLoop(than: index, with: { $0.idle.load(ordering: .relaxed) }) else { return nil }
        budget.post(to: other) { core in _ = core.admission.evict(core.connections.longestIdle) }
        return .onAnotherLoop
    }

    /// Evicts a stream, a long poll or a partial request of the network with most connections. That network must have more than its
    /// share, and more connections than the new one's.
    private func closeActive(_ heaviest: PeerRegistry.Heaviest?, for peer: Peer?) -> Place? {
        guard let heaviest, heaviest.count > limits.connections / heaviest.networks else { return nil }
        // The new connection is already counted.
        if let peer, heaviest.count <= peer.open.load(ordering: .relaxed) { return nil }
        if heaviest.loop == index { return closeActive(of: heaviest.peer) ? .here : nil }
        budget.post(to: heaviest.loop) { core in _ = core.admission.closeActive(of: heaviest.peer) }
        return .onAnotherLoop
    }

    private func closeAwaitingFirstHead(of peer: Peer) -> Bool {
        evict(evictionLists.longestAwaitingFirstHead(of: peer, in: connections))
    }

    private func closeIdle(of peer: Peer) -> Bool {
        if let longest = connections.longestIdle, longest.peer === peer { return evict(longest) }
        return evict(evictionLists.lowestRanked(of: peer, in: connections) { $0.exchange == nil ? $0.idleDeadline : nil })
    }

    private func closeActive(of peer: Peer) -> Bool {
        evict(evictionLists.lowestRanked(of: peer, in: connections) { $0.exchange?.evictionRank })
    }

    /// Closes a connection in favour of a new one; from now on it no longer counts towards the limits. False without a connection.
    private func evict(_ connection: Connection?) -> Bool {
        guard let connection else { return false }
        release(connection)
        // Its close is not to wait behind long polls: until then it holds a descriptor.
        connection.setLowPriority(false)
        connections.endIdle(connection)
        if connection.exchange == nil {
            connections.setDeadline(ConnectionTable.never, of: connection)
            connection.cut()
        } else {
            // Deferred: this may run inside a libmicrohttpd callback for another connection.
            turns.schedule(due: turns.now) { [unowned self] in endEvicted(connection) }
        }
        return true
    }

    private func endEvicted(_ connection: Connection) {
        guard connections[connection.slot] === connection else { return }
        guard let exchange = connection.exchange, exchange.evictionRank != nil else { return connection.cut() }
        switch exchange.phase {
        case .suspended: connection.core.exchanges.abandon(exchange)
        case .streaming: exchange.stream?.abort()
        default: connection.cut()
        }
        turns.requestRun()
    }
}

extension Exchange {
    /// Order of eviction, lowest first: partial requests, then long polls, then streams. Nil for exchanges that must not be evicted.
    fileprivate var evictionRank: UInt64? {
        switch phase {
        case .head, .receiving: 0
        case .suspended: onHangUp == nil ? nil : 1
        case .streaming: 2
        case .handling, .waiting, .responded, .ended: nil
        }
    }
}

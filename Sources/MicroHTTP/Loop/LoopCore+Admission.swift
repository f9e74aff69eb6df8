internal import CMicroHTTPDShims
internal import Synchronization

// Accepting and closing connections, and choosing which one is evicted for a new one: first one without a complete request head,
// then an idle one, then, if a network has more than its share, one with a partial request, a long poll or a stream of that
// network. A connection whose request is being handled is never evicted.
extension LoopCore {
    /// Whether to accept a connection; otherwise it is closed without a response.
    func mayAdmit(_ address: IPAddress?) -> Bool {
        if daemons.isReturning { return true }
        guard budget.mayAdmit else { return false }
        guard limits.displacedPerAddress > 0, let network = address.flatMap({ network(of: $0) }) else { return true }
        return budget.peers.displaced(network, at: turns.now) < limits.displacedPerAddress
    }

    @unsafe
    func opened(_ handle: OpaquePointer) -> Connection {
        let peer = unsafe network(of: handle).map { budget.peers.enter($0, loop: index) }
        budget.enter()
        // One that returns has been counted until now: it takes no place from another.
        let admissionRefusal = daemons.isReturning ? nil : makeRoom(for: peer)
        if admissionRefusal != nil { countDisplaced(of: peer) }
        // The deadline of the first head starts now, even if no byte of it arrives.
        let connection = table.insert(deadline: turns.now + limits.requestMilliseconds) { slot in
            // SAFETY: the handle is valid until `closed`, which takes the connection out of the table.
            unsafe Connection(
                slot: slot, core: self, handle: handle, peer: peer, admissionRefusal: admissionRefusal, daemon: daemons.running)
        }
        readers[connection.descriptor] = connection
        // In any case: the descriptor may have been another connection's.
        connection.setLowPriority(admissionRefusal != nil)
        evictionLists.reserve(2 * connection.slot)
        if let peer {
            evictionLists.reserve(LoopCore.activeAnchor(peer))
            evictionLists.append(2 * connection.slot, to: LoopCore.awaitingFirstHeadAnchor(peer))
        }
        return connection
    }

    func closed(_ connection: Connection) {
        release(connection)
        connection.unwatch()
        connection.daemon?.forget(connection.descriptor)
        readers[connection.descriptor] = nil
        if connection.lingers { lingering.keep(connection.descriptor, at: turns.now, poller) }
        table.remove(slot: connection.slot)
    }

    /// A complete request head was received. False if its connection was evicted: the request is not started.
    func receivedHead(_ connection: Connection) -> Bool {
        switch connection.receivedHead() {
        case .drop: return false
        case .handle: return true
        case .admit:
            budget.receivedFirstHead()
            table.endAwaitingFirstHead(connection.slot)
            if let peer = connection.peer { evictionLists.append(2 * connection.slot, to: LoopCore.activeAnchor(peer)) }
            return true
        }
    }

    /// Publishes to the other loops which kinds of connections this loop can evict.
    func publishClosable() {
        budget.closable[index].awaitingFirstHead.store(table.hasAwaitingFirstHead, ordering: .relaxed)
        budget.closable[index].idle.store(table.hasIdle, ordering: .relaxed)
    }

    // A connection is node 2 × slot; each network has two lists, anchored at odd nodes.
    private static func awaitingFirstHeadAnchor(_ peer: Peer) -> Int { 4 * peer.index + 1 }
    private static func activeAnchor(_ peer: Peer) -> Int { 4 * peer.index + 3 }

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

    /// Removes the connection from all counts and lists of the limits.
    private func release(_ connection: Connection) {
        guard case .leave(let wasAwaitingFirstHead) = connection.release() else { return }
        budget.leave(wasAwaitingFirstHead: wasAwaitingFirstHead)
        table.endAwaitingFirstHead(connection.slot)
        guard let peer = connection.peer else { return }
        evictionLists.remove(2 * connection.slot)
        budget.peers.leave(peer, loop: index)
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
        for _ in 0..<LoopCore.maximumRounds where budget.isOver {
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

    private static let maximumRounds = 4

    /// Counts a connection that was refused, or that took the place of one of its own network that had sent nothing: only what a
    /// network does to itself counts, and an idle connection that makes room for the next is ordinary.
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
        if let awaitingFirstHead = table.longestAwaitingFirstHead {
            evict(awaitingFirstHead)
            return .here
        }
        guard let other = budget.otherLoop(than: index, with: { $0.awaitingFirstHead.load(ordering: .relaxed) }) else {
            return nil
        }
        budget.post(to: other) { core in _ = core.table.longestAwaitingFirstHead.map(core.evict) }
        return .onAnotherLoop
    }

    /// Evicts an idle connection, preferably of the network with most connections.
    private func closeIdle(_ heaviest: PeerRegistry.Heaviest?) -> Place? {
        if let heaviest, closeIdle(of: heaviest.peer) { return .here }
        if let idle = table.longestIdle {
            evict(idle)
            return .here
        }
        guard let other = budget.otherLoop(than: index, with: { $0.idle.load(ordering: .relaxed) }) else { return nil }
        budget.post(to: other) { core in _ = core.table.longestIdle.map(core.evict) }
        return .onAnotherLoop
    }

    /// Evicts a stream, a long poll or a partial request of the network with most connections, if that network has more than its
    /// share and more than the network of the new connection.
    private func closeActive(_ heaviest: PeerRegistry.Heaviest?, for peer: Peer?) -> Place? {
        guard let heaviest, heaviest.count > limits.connections / heaviest.networks else { return nil }
        // The new connection is already counted.
        if let peer, heaviest.count <= peer.open.load(ordering: .relaxed) { return nil }
        if heaviest.loop == index { return closeActive(of: heaviest.peer) ? .here : nil }
        budget.post(to: heaviest.loop) { core in _ = core.closeActive(of: heaviest.peer) }
        return .onAnotherLoop
    }

    private func closeAwaitingFirstHead(of peer: Peer) -> Bool {
        guard let awaitingFirstHead = connection(after: LoopCore.awaitingFirstHeadAnchor(peer), of: peer) else { return false }
        evict(awaitingFirstHead)
        return true
    }

    private func closeIdle(of peer: Peer) -> Bool {
        let longest = table.longestIdle.flatMap { $0.peer === peer ? $0 : nil }
        guard let idle = longest ?? lowestRanked(of: peer, { $0.exchange == nil ? $0.idleDeadline : nil }) else { return false }
        evict(idle)
        return true
    }

    private func closeActive(of peer: Peer) -> Bool {
        guard let active = lowestRanked(of: peer, { $0.exchange?.evictionRank }) else { return false }
        evict(active)
        return true
    }

    /// The connection with the lowest rank among the next few of a network, to bound the cost of a network with many. Each examined
    /// connection moves to the end of the list, so that the next call examines other ones.
    private func lowestRanked(of peer: Peer, _ rank: (Connection) -> UInt64?) -> Connection? {
        let anchor = LoopCore.activeAnchor(peer)
        var lowestRanked: (connection: Connection, rank: UInt64)?
        for _ in 0..<LoopCore.examinedConnections {
            guard let next = connection(after: anchor, of: peer) else { break }
            evictionLists.append(2 * next.slot, to: anchor)
            if let rank = rank(next), lowestRanked.map({ rank < $0.rank }) ?? true { lowestRanked = (next, rank) }
        }
        return lowestRanked?.connection
    }

    private static let examinedConnections = 32

    private func connection(after anchor: Int, of peer: Peer) -> Connection? {
        let node = evictionLists.successor(of: anchor)
        // In an empty list the anchor is its own successor; and its index may have been reused for another network.
        guard node.isMultiple(of: 2), let connection = table[node / 2], connection.peer === peer else { return nil }
        return connection
    }

    /// Closes a connection in favour of a new one; from now on it no longer counts towards the limits.
    private func evict(_ connection: Connection) {
        release(connection)
        // Its close is not to wait behind long polls: until then it holds a descriptor.
        connection.setLowPriority(false)
        table.endIdle(connection.slot)
        guard connection.exchange != nil else {
            table.setDeadline(ConnectionTable.never, slot: connection.slot)
            return connection.cut()
        }
        // Deferred: this may run inside a libmicrohttpd callback for another connection.
        turns.schedule(due: turns.now) { [unowned self] in
            guard table[connection.slot] === connection else { return }
            guard let exchange = connection.exchange, exchange.evictionRank != nil else { return connection.cut() }
            switch exchange.phase {
            case .suspended: abandon(exchange)
            case .streaming: exchange.stream?.abort()
            default: connection.cut()
            }
            turns.requestRun()
        }
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

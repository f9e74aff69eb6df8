internal import CMicroHTTPDShims
internal import Synchronization

// Connections coming and going, and which of them gives way to a new one: first one without a complete head, then one that is idle,
// and where one network has more than its share, what it has begun. Never one with a request in work.
extension LoopCore {
    @unsafe
    func opened(_ handle: OpaquePointer) -> Connection {
        let peer = unsafe network(of: handle).map { budget.peers.enter($0, loop: index) }
        budget.enter()
        let surplus = makeRoom(for: peer)
        // The first head's time runs from here, whether a byte of it comes or not.
        let connection = table.insert(deadline: now + limits.requestMilliseconds) { slot in
            // Safe: the handle is valid until `closed`, which takes the connection out of the table.
            unsafe Connection(slot: slot, core: self, handle: handle, peer: peer, daemon: running)
        }
        readers[connection.descriptor] = connection
        connection.surplus = surplus
        peerRings.reserve(2 * connection.slot)
        if let peer {
            peerRings.reserve(LoopCore.knownAnchor(peer))
            peerRings.append(2 * connection.slot, to: LoopCore.silentAnchor(peer))
        }
        return connection
    }

    func closed(_ connection: Connection) {
        release(connection)
        unwatch(connection)
        readers[connection.descriptor] = nil
        if connection.lingers { lingering.keep(connection.descriptor, until: now + 2000, poller) }
        table.remove(slot: connection.slot)
    }

    /// A connection's first whole head came.
    func spoke(_ connection: Connection) {
        connection.isSilent = false
        budget.spoke()
        table.endSilence(connection.slot)
        if let peer = connection.peer { peerRings.append(2 * connection.slot, to: LoopCore.knownAnchor(peer)) }
    }

    /// What the other loops may ask this one to close.
    func publishClosable() {
        budget.closable[index].silent.store(table.hasSilent, ordering: .relaxed)
        budget.closable[index].idle.store(table.hasIdle, ordering: .relaxed)
    }

    // A connection is node 2 × slot; each network has two rings, anchored at odd nodes.
    private static func silentAnchor(_ peer: Peer) -> Int { 4 * peer.index + 1 }
    private static func knownAnchor(_ peer: Peer) -> Int { 4 * peer.index + 3 }

    /// Nil for an address that many clients share.
    @unsafe
    private func network(of handle: OpaquePointer) -> ClientNetwork? {
        var high: UInt64 = 0
        var low: UInt64 = 0
        // Safe: the connection is alive, and both numbers are locals.
        guard unsafe micro_peer_address(handle, &high, &low) != 0 else { return nil }
        let address = IPAddress(bits: UInt128(high) << 64 | UInt128(low))
        if let isShared = limits.isSharedAddress, isShared(address) { return nil }
        return ClientNetwork(address, version6Prefix: limits.addressPrefix6)
    }

    /// It counts no more.
    private func release(_ connection: Connection) {
        guard !connection.isReleased else { return }
        connection.isReleased = true
        budget.leave(wasSilent: connection.isSilent)
        table.endSilence(connection.slot)
        guard let peer = connection.peer else { return }
        peerRings.remove(2 * connection.slot)
        budget.peers.leave(peer, loop: index)
    }

    // MARK: - Who gives way

    /// Nil where the new connection may stay; else what its first request is refused with.
    private func makeRoom(for peer: Peer?) -> RequestRefusal? {
        if let peer, budget.isOver(peer), !closeSilent(of: peer), !closeIdle(of: peer) {
            return .tooManyOfAddress(limit: limits.connectionsPerAddress)
        }
        if !budget.isOver, budget.hasTooManySilent { _ = closeSilent(budget.peers.heaviest(preferring: index)) }
        // Again where what was closed was surplus itself.
        for _ in 0..<LoopCore.rounds where budget.isOver {
            let heaviest = budget.peers.heaviest(preferring: index)
            switch closeSilent(heaviest) ?? closeIdle(heaviest) ?? closeBegun(heaviest, for: peer) {
            case .here: continue
            case .onAnotherLoop: return nil
            case nil: return .tooManyConnections(limit: limits.connections)
            }
        }
        return nil
    }

    private static let rounds = 4

    /// Where a connection is closed for a new one.
    private enum Place {
        case here
        /// In its next turn: until then there is one too many.
        case onAnotherLoop
    }

    /// One of any network without a complete head, rather one of that which has most.
    private func closeSilent(_ heaviest: PeerRegistry.Heaviest?) -> Place? {
        if let heaviest, closeSilent(of: heaviest.peer) { return .here }
        if let silent = table.longestSilent {
            giveWay(silent)
            return .here
        }
        guard let other = budget.otherLoop(than: index, with: { $0.silent.load(ordering: .relaxed) }) else { return nil }
        budget.post(to: other) { core in _ = core.table.longestSilent.map(core.giveWay) }
        return .onAnotherLoop
    }

    /// The same of those that are idle.
    private func closeIdle(_ heaviest: PeerRegistry.Heaviest?) -> Place? {
        if let heaviest, closeIdle(of: heaviest.peer) { return .here }
        if let idle = table.longestIdle {
            giveWay(idle)
            return .here
        }
        guard let other = budget.otherLoop(than: index, with: { $0.idle.load(ordering: .relaxed) }) else { return nil }
        budget.post(to: other) { core in _ = core.table.longestIdle.map(core.giveWay) }
        return .onAnotherLoop
    }

    /// A stream, a held poll or a request half read of the network that has most, if that is more than its share, for one that has
    /// less.
    private func closeBegun(_ heaviest: PeerRegistry.Heaviest?, for peer: Peer?) -> Place? {
        guard let heaviest, heaviest.count > limits.connections / heaviest.networks else { return nil }
        // The new one is counted already.
        if let peer, heaviest.count <= peer.open.load(ordering: .relaxed) { return nil }
        if heaviest.loop == index { return closeBegun(of: heaviest.peer) ? .here : nil }
        budget.post(to: heaviest.loop) { core in _ = core.closeBegun(of: heaviest.peer) }
        return .onAnotherLoop
    }

    private func closeSilent(of peer: Peer) -> Bool {
        guard let silent = connection(behind: LoopCore.silentAnchor(peer), of: peer) else { return false }
        giveWay(silent)
        return true
    }

    private func closeIdle(of peer: Peer) -> Bool {
        let longest = table.longestIdle.flatMap { $0.peer === peer ? $0 : nil }
        guard let idle = longest ?? best(of: peer, { $0.exchange == nil ? $0.idleUntil : nil }) else { return false }
        giveWay(idle)
        return true
    }

    private func closeBegun(of peer: Peer) -> Bool {
        guard let begun = best(of: peer, { $0.exchange?.begunRank }) else { return false }
        giveWay(begun)
        return true
    }

    /// The connection of a network with the lowest rank, of some: examining all would cost more the more it has. Each is moved
    /// behind the others, so that the next call examines the next ones.
    private func best(of peer: Peer, _ rank: (Connection) -> UInt64?) -> Connection? {
        let anchor = LoopCore.knownAnchor(peer)
        var best: (connection: Connection, rank: UInt64)?
        for _ in 0..<LoopCore.examined {
            guard let next = connection(behind: anchor, of: peer) else { break }
            peerRings.append(2 * next.slot, to: anchor)
            if let rank = rank(next), best.map({ rank < $0.rank }) ?? true { best = (next, rank) }
        }
        return best?.connection
    }

    private static let examined = 32

    private func connection(behind anchor: Int, of peer: Peer) -> Connection? {
        let node = peerRings.successor(of: anchor)
        // An anchor is followed by itself where its ring is empty; and its number may be another network's by now.
        guard node.isMultiple(of: 2), let connection = table[node / 2], connection.peer === peer else { return nil }
        return connection
    }

    /// Ends a connection that a new one needs the place of; it counts no more from now on.
    private func giveWay(_ connection: Connection) {
        release(connection)
        table.endIdle(connection.slot)
        guard connection.exchange != nil else {
            table.setDeadline(ConnectionTable.never, slot: connection.slot)
            return connection.cut()
        }
        // Not now: this may be a callback of libmicrohttpd's about another connection.
        _ = timers.schedule(due: now) { [unowned self] in
            guard table[connection.slot] === connection else { return }
            guard let exchange = connection.exchange, exchange.begunRank != nil else { return connection.cut() }
            let onHangUp = exchange.onHangUp
            switch exchange.phase {
            case .held:
                abandon(exchange)
                onHangUp?()
            case .streaming: exchange.stream?.abort()
            default: connection.cut()
            }
            needsRun = true
        }
    }
}

extension Exchange {
    /// What may be ended for a new connection's sake: first requests that are not read whole, then held polls, then streams. Nil for
    /// what is in work.
    fileprivate var begunRank: UInt64? {
        switch phase {
        case .head, .receiving: 0
        case .held: onHangUp == nil ? nil : 1
        case .streaming: 2
        case .handling, .waiting, .answered, .gone: nil
        }
    }
}

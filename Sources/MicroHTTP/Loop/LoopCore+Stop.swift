/// The phases of stopping a loop.
enum StopProgress: Equatable {
    case running
    /// Waiting for the handler's responses until the deadline, in milliseconds.
    case draining(until: UInt64)
    /// Pending exchanges were refused; waiting until the deadline for the clients to read the responses.
    case refusing(until: UInt64)
    case finished

    var deadline: UInt64? {
        switch self {
        case .draining(let until), .refusing(let until): until
        case .running, .finished: nil
        }
    }
}

extension LoopCore {
    /// Accepts no new connections from now on, and closes each connection with its next response.
    func stopAccepting() {
        guard daemons.accepts else { return }
        closesAfterResponse = true
        daemons.stopAccepting(calling: self)
    }

    func beginStop(within milliseconds: UInt64) {
        guard stopping == .running else { return }
        stopAccepting()
        stopping = .draining(until: turns.now + milliseconds)
        handler?.drain()
        turns.requestRun()
    }

    /// Called once per turn, after the daemon ran, so that requests received before the stop have an exchange.
    func advanceStop() {
        switch stopping {
        case .running, .finished:
            return
        case .draining(let until):
            if isIdle {
                stopping = .finished
            } else if turns.now >= until {
                refusePending()
                stopping = .refusing(until: turns.now + 500)
            }
        case .refusing(let until):
            if isIdle || turns.now >= until { stopping = .finished }
        }
    }

    private var isIdle: Bool { openExchanges == 0 && !turns.needsRun && !daemons.mustRun }

    private func refusePending() {
        for connection in connections.all {
            guard let exchange = connection.exchange else { continue }
            switch exchange.phase {
            case .suspended, .waiting:
                if let response = refuse(.shuttingDown, exchange) { respond(response, to: exchange) } else { abandon(exchange) }
            case .head, .receiving:
                connection.cut()
            case .streaming:
                exchange.stream?.abort()
            case .handling, .responded, .ended:
                break
            }
        }
        turns.requestRun()
    }

    /// Ends the loop: at the end of its thread, or if its thread never ran.
    func finish() {
        stopping = .finished
        // Stopping a daemon with a suspended connection would abort the process.
        for connection in connections.all {
            connection.exchange.map(abandon)
            connection.exchange?.stream?.abort()
        }
        detached = [:]
        unreadSockets = []
        settleStreams()
        daemons.run(calling: self)
        // A handshake may have been sent only now.
        settleStreams()
        daemons.stop()
        connections.closeLingering()
        // Breaks the retain cycle of the handler and its loop.
        handler = nil
        turns.close()
    }
}

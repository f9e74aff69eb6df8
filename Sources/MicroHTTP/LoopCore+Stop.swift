internal import CMicroHTTPD
internal import Glibc

/// How far a loop is with stopping.
enum StopProgress: Equatable {
    case running
    /// Waiting, until then, for the handler's answers.
    case draining(until: UInt64)
    /// Refused what was left; waiting, until then, for the answers to be taken.
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
    /// No new connections from now on, and every answer ends its connection.
    func stopAccepting() {
        guard !isQuiesced, let daemon else { return }
        // Who has connected already is let in first: closing the socket would reset them.
        runDaemons()
        isQuiesced = true
        let socket = daemon.quiesce()
        if socket >= 0 { _ = close(socket) }
        needsRun = true
    }

    func beginStop(within milliseconds: UInt64) {
        guard stopping == .running else { return }
        stopAccepting()
        stopping = .draining(until: now + milliseconds)
        handler?.drain()
        needsRun = true
    }

    /// Once per turn, after the daemon ran: what was on its way in before the stop has an exchange by then.
    func advanceStop() {
        switch stopping {
        case .running, .finished:
            return
        case .draining(let until):
            if isIdle {
                stopping = .finished
            } else if now >= until {
                refuseTheRest()
                stopping = .refusing(until: now + 500)
            }
        case .refusing(let until):
            if isIdle || now >= until { stopping = .finished }
        }
    }

    private var isIdle: Bool { openExchanges == 0 && !needsRun && !daemonMustRun }

    private func refuseTheRest() {
        for connection in table.all {
            guard let exchange = connection.exchange else { continue }
            switch exchange.phase {
            case .held, .waiting:
                if let response = refuse(.shuttingDown, exchange) { respond(response, to: exchange) } else { abandon(exchange) }
            case .head, .receiving:
                connection.cut()
            case .streaming:
                exchange.stream?.abort()
            case .handling, .answered, .gone:
                break
            }
        }
        needsRun = true
    }

    /// The end of the loop's thread, or of a loop whose thread never ran.
    func finish() {
        stopping = .finished
        // Stopping a daemon with a suspended connection would abort the process.
        for connection in table.all {
            connection.exchange.map(abandon)
            connection.exchange?.stream?.abort()
        }
        detached = [:]
        giveBackSockets()
        runDaemons()
        daemon?.stop()
        daemon = nil
        for old in retired { old.stop() }
        retired = []
        lingering.closeAll(poller)
        // The handler knows its loop, and the loop its handler.
        handler = nil
        timers = TimerQueue()
        mailbox.close()
    }
}

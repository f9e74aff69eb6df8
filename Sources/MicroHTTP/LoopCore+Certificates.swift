internal import CMicroHTTPDShims
internal import Glibc
internal import Logging

// A daemon has one certificate for life. A new one gets a new daemon, which listens on the same socket; the old one keeps its
// connections, and goes with the last of them.
extension LoopCore {
    /// Connections of so many earlier certificates are kept; with the next one the oldest are cut off.
    static let retiredLimit = 4

    /// Serves with another certificate from now on. Nothing changes if it cannot.
    func useCertificate(_ tls: TLSIdentity) {
        guard !isQuiesced, isEncrypted, let old = daemon else { return }
        // A socket of its own: the old daemon closes, or gives back, the one that it has.
        let socket = fcntl(listeningSocket, F_DUPFD_CLOEXEC, 0)
        guard socket >= 0 else { return logFailure(systemError(errno)) }
        let oldSocket = listeningSocket
        do throws(HTTPServerError) {
            try startDaemon(listening: socket, tls: tls)
        } catch {
            return logFailure(error.message)
        }
        run(old)
        if old.quiesce() >= 0 { _ = close(oldSocket) }
        retired.append(old)
        if retired.count > LoopCore.retiredLimit { cutOldest() }
        needsRun = true
    }

    private func logFailure(_ reason: String) {
        logger.error("an event loop keeps the old certificate", metadata: ["reason": "\(reason)"])
    }

    /// Whatever can be done on any daemon without waiting.
    func runDaemons() {
        daemon.map(run)
        guard !retired.isEmpty else { return }
        for old in retired { run(old) }
        let done = retired.filter { $0.connections == 0 }
        guard !done.isEmpty else { return }
        retired.removeAll { old in done.contains { $0 === old } }
        for old in done {
            poller.unwatch(old.epollDescriptor)
            old.stop()
        }
    }

    var daemonMustRun: Bool { daemon?.mustRunNow == true || retired.contains { $0.mustRunNow } }

    private func cutOldest() {
        let oldest = retired[0]
        for connection in table.all where connection.daemon === oldest {
            connection.exchange.map(abandon)
            connection.exchange?.stream?.abort()
            connection.cut()
        }
    }
}

internal import CMicroHTTPDShims
internal import Glibc
internal import Logging

// A daemon's certificate cannot be changed. A new certificate gets a new daemon on the same socket; the old daemon keeps its
// connections and is stopped after the last one has closed.
extension LoopCore {
    /// Number of daemons with earlier certificates that are kept; beyond it the connections of the oldest are cut off.
    static let retiredLimit = 4

    /// Uses another certificate for new connections. On failure the current one stays in use, and the error is logged.
    func useCertificate(_ tls: TLSIdentity) {
        guard !hasStoppedAccepting, isEncrypted, let old = daemon else { return }
        // A duplicated descriptor: the old daemon closes, or returns, its own.
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
        turns.requestRun()
    }

    private func logFailure(_ reason: String) {
        logger.error("an event loop keeps the old certificate", metadata: ["reason": "\(reason)"])
    }

    private func cutOldest() {
        let oldest = retired[0]
        for connection in table.all where connection.daemon === oldest {
            connection.exchange.map(abandon)
            connection.exchange?.stream?.abort()
            connection.cut()
        }
    }
}

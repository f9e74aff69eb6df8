internal import AuctionServer
internal import Dispatch
internal import Glibc
internal import Logging
internal import Synchronization

/// Reloads keys, revocations, the certificate and the token of the operator's programs on SIGHUP. If any file is invalid, an error is logged and the current ones stay in use.
final class Reload: Sendable {
    private struct State {
        /// Nil until it has started.
        var server: AuctionServer?
        /// Whether there was a SIGHUP for which nothing has been read yet.
        var isAsked = false
    }

    private let settings: Settings
    private let logger: Logger
    /// Locked during a reload: of two that follow each other, the files of the later one stay in use.
    private let state = Mutex(State())

    init(_ settings: Settings, logger: Logger) { (self.settings, self.logger) = (settings, logger) }

    /// Installs the handler of SIGHUP. Without files to reload SIGHUP still ends a program on a terminal, which was closed; a service
    /// goes on, as `systemctl reload` must not stop it.
    ///
    /// To be called before the log is opened, which may take long; a SIGHUP is then carried out by `use`.
    /// - Returns: the sources, which must be retained; empty if there is no handler.
    func onHangUp() throws(ConfigurationError) -> [any DispatchSourceSignal] {
        let isEncrypted = try settings.tls.load() != nil
        guard isEncrypted || settings.identity.hasFiles || !settings.adminTokenFile.isEmpty || isatty(STDIN_FILENO) == 0 else {
            return []
        }
        // Blocking the signal does not suffice, as Dispatch has started threads for other signals. A SIGHUP before Dispatch handles it
        // may be ignored, because the files were just read.
        signal(SIGHUP, SIG_IGN)
        return Signals.watch(SIGHUP) { [self] in
            state.withLock { state in
                state.isAsked = true
                reloadIfAsked(&state)
            }
        }
    }

    /// Reloads the files of this server, which has started, from now on, and at once if there was a SIGHUP before.
    func use(_ server: AuctionServer) {
        state.withLock { state in
            state.server = server
            reloadIfAsked(&state)
        }
    }

    private func reloadIfAsked(_ state: inout State) {
        guard state.isAsked, let server = state.server else { return }
        state.isAsked = false
        reload(server)
    }

    private func reload(_ server: AuctionServer) {
        do {
            // All files are read before any is used: all change, or none.
            let (identity, certificate) = (try settings.identity.load(), try settings.tls.load())
            let adminToken = try settings.adminToken()
            try server.use(identity)
            if let adminToken { server.use(adminToken: adminToken) }
            if let certificate { server.use(certificate) }
            Self.mention(identity, logger)
            logger.notice("keys, revocations, certificate and admin token were read again")
        } catch {
            logger.error("keys, revocations, certificate and admin token stay as they were", metadata: ["reason": "\(error)"])
        }
    }

    /// Logs the keys of the set that are not used, with the reasons.
    static func mention(_ identity: Identity, _ logger: Logger) {
        for reason in identity.provider?.keys.unused ?? [] {
            logger.notice("a key of the set is not used", metadata: ["reason": "\(reason)"])
        }
    }
}

internal import AuctionServer
internal import Dispatch
internal import Foundation
internal import Logging

/// Reloads keys, revocations and certificate on SIGHUP. If any file is invalid, an error is logged and the current ones stay in use.
struct Reload: Sendable {
    let identity: IdentitySettings
    let tls: TLSSettings

    /// Installs the handler of SIGHUP. Without files to reload SIGHUP still ends a program on a terminal, which was closed; a service
    /// goes on, as `systemctl reload` must not stop it.
    /// - Returns: the sources, which must be retained; empty if there is no handler.
    func onHangUp(_ server: AuctionServer, _ logger: Logger) throws(ConfigurationError) -> [any DispatchSourceSignal] {
        let isEncrypted = try tls.load() != nil
        guard isEncrypted || identity.hasFiles || isatty(STDIN_FILENO) == 0 else { return [] }
        // Blocking the signal does not suffice, as the log has started threads. A SIGHUP before Dispatch handles it may be ignored,
        // because the files were just read.
        signal(SIGHUP, SIG_IGN)
        return Signals.watch(SIGHUP) { now(server, logger) }
    }

    private func now(_ server: AuctionServer, _ logger: Logger) {
        do {
            // All files are read before any is used: all change, or none.
            let (identity, certificate) = (try identity.load(), try tls.load())
            try server.use(identity)
            if let certificate { server.use(certificate) }
            Self.mention(identity, logger)
            logger.notice("keys, revocations and certificate were read again")
        } catch {
            logger.error("keys, revocations and certificate stay as they were", metadata: ["reason": "\(error)"])
        }
    }

    /// Logs the keys of the set that are not used, with the reasons.
    static func mention(_ identity: Identity, _ logger: Logger) {
        for reason in identity.provider?.keys.unused ?? [] {
            logger.notice("a key of the set is not used", metadata: ["reason": "\(reason)"])
        }
    }
}

internal import AuctionServer
internal import Dispatch
internal import Foundation
internal import Logging

/// Reads the operator's files again on SIGHUP. One that cannot be used changes nothing: the server goes on with what it has, and
/// says so.
struct Reload: Sendable {
    let identity: IdentityOptions
    let tls: TLSOptions

    /// From here on SIGHUP does not end the program; where there is nothing to read again it still does.
    /// - Returns: to be kept; empty without files.
    func onHangUp(_ server: AuctionServer, _ logger: Logger) throws(ConfigurationError) -> [any DispatchSourceSignal] {
        let isEncrypted = try tls.load() != nil
        let hasFiles = try identity.hasFiles
        guard isEncrypted || hasFiles else { return [] }
        // The log has threads by now; until Dispatch listens, what they are told is nothing new.
        signal(SIGHUP, SIG_IGN)
        return Signals.watch(SIGHUP) { now(server, logger) }
    }

    private func now(_ server: AuctionServer, _ logger: Logger) {
        do {
            // Everything is read before anything is used: it changes together or not at all.
            let (identity, certificate) = (try identity.load(), try tls.load())
            try server.use(identity)
            if let certificate { server.use(certificate) }
            Self.mention(identity, logger)
            logger.notice("keys, revocations and certificate were read again")
        } catch {
            logger.error("keys, revocations and certificate stay as they were", metadata: ["reason": "\(error)"])
        }
    }

    /// What of a key set is of no use.
    static func mention(_ identity: Identity, _ logger: Logger) {
        for reason in identity.provider?.keys.unused ?? [] {
            logger.notice("a key of the set is not used", metadata: ["reason": "\(reason)"])
        }
    }
}

/// Where an app keeps the session of a guest, so that it is the same guest after a restart.
public protocol SessionStore: Sendable {
    /// The stored session; nil if there is none.
    /// - Throws: any error.
    func load() throws -> Session?
    /// Replaces the stored session.
    /// - Throws: any error.
    func save(_ session: Session) throws
    /// Removes the stored session; its absence is no error.
    /// - Throws: any error.
    func remove() throws
}

extension AccountTokens {
    /// Tokens of the user in the store, whose sessions the store keeps. What it cannot keep is in the log.
    /// - Parameters:
    ///   - transport: how the service is reached, such as `URLSessionTransport(baseURL:)`.
    ///   - store: such as `KeychainSessionStore` on Apple's systems.
    ///   - language: of a refusal for people: `en`, `zh`.
    ///   - log: takes each attempt, and what the store fails to keep.
    /// - Throws: what the store throws when it is read.
    public init(transport: any HTTPTransport, store: any SessionStore, language: String = "en", log: ClientLog? = nil) throws {
        self.init(transport: transport, session: try store.load(), language: language, log: log) { session in
            do {
                if let session { try store.save(session) } else { try store.remove() }
            } catch {
                log?(LogEntry(level: .warning, message: "the session is not stored: \(error)", room: nil))
            }
        }
    }
}

extension GuestTokens {
    /// Tokens of the guest in the store, or of a new one, whose sessions the store keeps. What it cannot keep is in the log.
    /// - Parameters:
    ///   - transport: how the service is reached, such as `URLSessionTransport(baseURL:)`.
    ///   - nickname: of a new guest, 1 to 40 characters.
    ///   - store: such as `KeychainSessionStore` on Apple's systems.
    ///   - language: of a refusal for people: `en`, `zh`.
    ///   - log: takes each attempt, and what the store fails to keep.
    /// - Throws: what the store throws when it is read. A new guest in its place would lose the bids of the one who is stored.
    public init(
        transport: any HTTPTransport, nickname: String, store: any SessionStore, language: String = "en", log: ClientLog? = nil
    ) throws {
        let session = try store.load()
        self.init(transport: transport, nickname: nickname, session: session, language: language, log: log) { session in
            do { try store.save(session) } catch {
                log?(LogEntry(level: .warning, message: "the session is not stored: \(error)", room: nil))
            }
        }
    }
}

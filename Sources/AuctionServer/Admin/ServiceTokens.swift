internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Synchronization

/// The service tokens that are accepted: the operator's file, and those in the log, which are read again every few seconds, because
/// another node may have revoked one.
final class ServiceTokens: Sendable {
    /// A revocation is in force on every node after this time, and the reading of the log.
    static let readingMilliseconds = 2000

    private struct State {
        var file: ServiceToken?
        var byDigest: [String: ServiceToken] = [:]
        /// When tokens were last used, for those whose records do not say it yet.
        var used: [String: Timestamp] = [:]
        /// Readings of the log that have begun, …
        private var begun = 0
        /// … and the latest of them whose tokens are in force.
        private var inForce = 0

        init(file: ServiceToken?) { self.file = file }

        /// The number of a reading that begins.
        mutating func beginReading() -> Int {
            begun += 1
            return begun
        }

        /// Takes what a reading has found, unless a later one has ended before it: a token may have been revoked between the two.
        mutating func take(_ tokens: [ServiceToken], of reading: Int) {
            guard reading > inForce else { return }
            inForce = reading
            byDigest = Dictionary(tokens.map { ($0.digest, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// What has come of the creation of a token.
    enum Creation { case created, tooMany, busy }

    /// How often the creation of a token is tried that meets another one.
    private static let creationAttempts = 3

    private let log: any EventLog
    private let state: Mutex<State>
    private let thread = PeriodicThread(name: "service-tokens")
    /// Whether the operator wants service tokens at all: without the file every path of theirs is unknown.
    let isOn: Bool

    /// - Parameter fileToken: The text of the operator's file; nil: there are no service tokens.
    init(log: any EventLog, fileToken: String?, at now: Timestamp) {
        self.log = log
        isOn = fileToken != nil
        state = Mutex(State(file: fileToken.map { ServiceToken(file: ServiceToken.digest(of: $0), at: now) }))
    }

    /// Reads the tokens and begins to read them again and again.
    func start() throws(EventLogError) {
        guard isOn else { return }
        try read()
        thread.start { [self] in
            while thread.pause(milliseconds: Self.readingMilliseconds) {
                // Until the log can be read again the last tokens hold: so do those of users.
                try? writeUses()
                try? read()
            }
        }
    }

    func stop() {
        if thread.stop() { try? writeUses() }
    }

    /// Replaces the token of the operator's file.
    func use(fileToken: String, at now: Timestamp) {
        state.withLock { $0.file = ServiceToken(file: ServiceToken.digest(of: fileToken), at: now) }
    }

    /// The token with this text; nil if it is none, or has expired.
    func token(_ text: some StringProtocol, at now: Timestamp) -> ServiceToken? {
        guard isOn else { return nil }
        // Digests are compared: that tells nothing of the text.
        let digest = ServiceToken.digest(of: text)
        return state.withLock { state in
            if let file = state.file, file.digest == digest { return file }
            guard let token = state.byDigest[digest], !token.hasExpired(at: now) else { return nil }
            let minute = Timestamp(milliseconds: now.milliseconds / 60_000 * 60_000)
            if token.lastUsedAt != minute {
                state.byDigest[digest]?.lastUsedAt = minute
                state.used[token.id] = minute
            }
            return token
        }
    }

    /// Whether a token that was accepted still is.
    func accepts(_ token: ServiceToken, at now: Timestamp) -> Bool {
        state.withLock { state in
            state.file?.digest == token.digest || state.byDigest[token.digest].map { !$0.hasExpired(at: now) } ?? false
        }
    }

    /// Stores a new token, if there are fewer than the limit. Every creation writes the marker, whose version it has read before the count:
    /// of two at the same time, on whatever node, one counts again.
    func create(_ token: ServiceToken, _ entry: AuditEntry) throws(EventLogError) -> Creation {
        for _ in 0..<Self.creationAttempts {
            let (kind, id) = ServiceToken.creations
            let version = try log.record(kind, id)?.version
            guard try all().count < ServiceToken.limit else { return .tooMany }
            let put = RecordChange.put(
                ServiceToken.recordKind, token.id, token.recordContent, expiresAt: token.expiresAt, if: .none)
            let marker = RecordChange.put(kind, id, [], if: version.map { .version($0) } ?? .none)
            if try write([put, marker, entry.change]) { return .created }
        }
        return .busy
    }

    /// Makes a change of tokens in the log, then reads them, so that it is in force here at once.
    /// - Returns: See `RecordStore.write`.
    func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
        let isWritten = try log.write(changes)
        try read()
        return isWritten
    }

    /// All tokens of the log, the oldest first.
    func all() throws(EventLogError) -> [ServiceToken] {
        let records = try log.records(RecordQuery(kind: ServiceToken.recordKind, limit: ServiceToken.limit))
        let used = state.withLock { $0.used }
        return records.compactMap(ServiceToken.init).map { token in
            var token = token
            token.lastUsedAt = used[token.id] ?? token.lastUsedAt
            return token
        }
    }

    private func read() throws(EventLogError) {
        let reading = state.withLock { $0.beginReading() }
        let tokens = try all()
        state.withLock { $0.take(tokens, of: reading) }
    }

    /// Writes when tokens were used, unless they were changed or revoked meanwhile.
    private func writeUses() throws(EventLogError) {
        let used = state.withLock { state in
            defer { state.used = [:] }
            return state.used
        }
        for (id, minute) in used.sorted(by: { $0.key < $1.key }) {
            guard let record = try log.record(ServiceToken.recordKind, id), var token = ServiceToken(record) else { continue }
            token.lastUsedAt = minute
            let change = RecordChange.put(
                record.kind, id, token.recordContent, expiresAt: record.expiresAt, if: .version(record.version))
            _ = try log.write([change])
        }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Synchronization

/// Users who have left the service for good, with the time from which on none of their tokens is accepted.
struct LeftUsers: Sendable {
    private(set) var ends: [UserID: Timestamp] = [:]
    /// Whom those who come back were before.
    private var predecessors: [UserID: UserID] = [:]

    /// Notes that a user has left.
    /// - Returns: False if that is known.
    fileprivate mutating func insert(_ user: UserID, at instant: Timestamp) -> Bool {
        guard ends[user] == nil else { return false }
        ends[user] = instant
        predecessors[Pseudonym.successor(of: user)] = user
        return true
    }

    /// Whom a user was before they left for the last time; nil for one who never has.
    func predecessor(of user: UserID) -> UserID? { predecessors.isEmpty ? nil : predecessors[user] }

    /// Whether the token is of a user who has left.
    func contain(_ principal: Principal) -> Bool { !ends.isEmpty && ends[principal.person.id] != nil }

    /// The identity in which a user of a provider, or of a backend, signs in: another one after each time that they left.
    func identity(of user: UserID) -> UserID {
        var user = user
        while ends[user] != nil { user = Pseudonym.successor(of: user) }
        return user
    }

    /// The principal of a provider's token, which may have been issued after its user left: then it is a new beginning.
    func current(_ principal: Principal) -> Principal {
        guard !ends.isEmpty, let issued = principal.issuedAt else { return principal }
        var user = principal.person.id
        while let end = ends[user], issued > end { user = Pseudonym.successor(of: user) }
        guard user != principal.person.id else { return principal }
        return Principal(
            person: Person(id: user, nickname: principal.person.nickname), expiresAt: principal.expiresAt, issuedAt: issued,
            source: principal.source, tokenID: principal.tokenID)
    }
}

/// The users who have left, as this node knows them, and the erasures that run on it.
final class ErasedUsers: Sendable {
    /// Kind of the records that keep them for ever: by the user's identifier, without a name.
    private static let recordKind = "erased"
    private static let pageLimit = 1000
    /// The most erasures that run at once on a node: each reads the whole log, and every guest may begin one.
    static let runningLimit = 16

    private struct State {
        var left = LeftUsers()
        var running: Set<UserID> = []
    }

    private let state = Mutex(State())

    /// Those who have left.
    var users: LeftUsers { state.withLock { $0.left } }

    /// Notes that users have left.
    /// - Returns: Whether one of them was not known to.
    func insert(_ users: [UserID], at instant: Timestamp) -> Bool {
        state.withLock { state in
            var isNew = false
            for user in users where state.left.insert(user, at: instant) { isNew = true }
            return isNew
        }
    }

    /// Whether an erasure may begin; false while one of the same user runs here, or as many as may.
    func begin(_ user: UserID) -> Bool {
        state.withLock { $0.running.count < Self.runningLimit && $0.running.insert(user).inserted }
    }
    func end(_ user: UserID) { state.withLock { _ = $0.running.remove(user) } }
    /// Whether an erasure of the user has begun on this node, and has not ended.
    func isRunning(_ user: UserID) -> Bool { state.withLock { $0.running.contains(user) } }

    /// Reads all users who have left.
    func read(from log: any EventLog) throws(EventLogError) {
        var query = RecordQuery(kind: Self.recordKind, limit: Self.pageLimit)
        while true {
            let page = try log.records(query)
            for record in page {
                guard let user = UserID(record.id), let text = String(validating: record.content, as: UTF8.self),
                    let instant = Int64(text)
                else { throw EventLogError(.corrupt, "the record of a user who has left cannot be read: \(record.id)") }
                _ = insert([user], at: Timestamp(milliseconds: instant))
            }
            guard page.count == Self.pageLimit else { return }
            query.after = page.last?.id
        }
    }

    /// The change that keeps that a user has left.
    static func change(_ user: UserID, at instant: Timestamp) -> RecordChange {
        .put(recordKind, user.description, Array(String(instant.milliseconds).utf8))
    }
}

extension SharedParts {
    /// Refuses the tokens of the people of an erasure, and closes their streams.
    func tokensEnded(_ record: ErasureRecord) {
        guard access.erased.insert(record.people, at: record.at) else { return }
        let users = Set(record.people)
        registry.postToAll { $0.usersLeft(users) }
    }

    /// Refuses the user's commands on all loops of this node until `allowCommands`.
    /// - Parameter proceed: Is called on some loop's thread, once all commands that were taken before have their responses.
    func stopCommands(of user: UserID, then proceed: @escaping @Sendable () -> Void = {}) {
        let countdown = Countdown(registry.loopCount, then: proceed)
        registry.postToAll { $0.commands.stop(of: user) { countdown.next() } }
    }

    func allowCommands(of user: UserID) { registry.postToAll { $0.commands.allow(user) } }
}

/// Calls a function once several threads have come so far.
private final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let proceed: @Sendable () -> Void

    init(_ count: Int, then proceed: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.proceed = proceed
    }

    func next() {
        if left.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { proceed() }
    }
}

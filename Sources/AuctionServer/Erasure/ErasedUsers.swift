internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import Synchronization

/// Users who have left the service for good, with the time from which on none of their tokens is accepted.
struct LeftUsers: Sendable {
    fileprivate(set) var ends: [UserID: Timestamp] = [:]

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
            for user in users where state.left.ends[user] == nil {
                state.left.ends[user] = instant
                isNew = true
            }
            return isNew
        }
    }

    /// Whether an erasure may begin; false while one of the same user runs here.
    func begin(_ user: UserID) -> Bool { state.withLock { $0.running.insert(user).inserted } }
    func end(_ user: UserID) { state.withLock { _ = $0.running.remove(user) } }

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

/// What the log keeps of an erasure until it is finished, so that it goes on after a crash, on whatever node.
struct ErasureRecord: Hashable, Sendable {
    static let kind = "erasure"
    /// How long a node has for a step before another one may go on.
    static let leaseMilliseconds: Int64 = 60_000
    /// How long after the beginning the last pass begins, at the earliest: by then every node refuses the tokens, and has written the snapshots
    /// and the events that it had begun.
    static let settlingMilliseconds: Int64 = 10_000
    /// Time between passes while a room cannot be changed, such as during a round.
    static let retryMilliseconds: Int64 = 30_000

    let user: UserID
    let at: Timestamp
    /// The user, and the guests who were linked to them; at most `EraseMembers.limit`.
    private(set) var people: [UserID]
    /// When a node may go on, unless it is the one that works on it.
    var due: Timestamp

    init(_ user: UserID, at instant: Timestamp) {
        (self.user, at, people) = (user, instant, [user])
        due = instant.advanced(byMilliseconds: Self.leaseMilliseconds)
    }

    /// Nil for a record that cannot be read.
    init?(_ record: StoredRecord) {
        do throws(JSONError) {
            var fields = try JSONFields(try JSONReader.read(record.content))
            guard let user = UserID(record.id) else { return nil }
            self.user = user
            at = Timestamp(milliseconds: Int64(try fields.int("at")))
            due = Timestamp(milliseconds: Int64(try fields.int("due")))
            people = []
            for case .string(let text) in try fields.array("people") {
                guard let id = UserID(text) else { return nil }
                people.append(id)
            }
        } catch { return nil }
    }

    /// The people with their pseudonym.
    var pseudonyms: [Person] {
        let nickname = Pseudonym.nickname(of: user)
        return people.map { Person(id: $0, nickname: nickname) }
    }

    /// Adds guests of the user.
    mutating func add(_ guests: [UserID]) { people += guests.prefix(EraseMembers.limit - people.count) }

    /// The change that writes it.
    func change(if expected: ExpectedRecord = .any) -> RecordChange {
        var json = JSONWriter()
        json.object { json in
            json.member("at", Int(at.milliseconds))
            json.member("due", Int(due.milliseconds))
            json.member("people", strings: people.map(\.description))
        }
        return .put(Self.kind, user.description, json.bytes, if: expected)
    }

    /// Writes it, and that its people have left.
    func write(to log: any EventLog) throws(EventLogError) {
        _ = try log.write([change()])
        for slice in people.chunks(of: RecordLimits.changes) { _ = try log.write(slice.map { ErasedUsers.change($0, at: at) }) }
    }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

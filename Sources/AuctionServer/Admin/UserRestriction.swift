internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON

/// What an operator has decided about a user in all rooms.
struct UserRestriction: Hashable, Sendable {
    /// Kind of its record.
    static let recordKind = "user-restriction"
    /// Most users with one.
    static let limit = 10_000
    /// Longest reason, in characters.
    static let reasonLimit = 500
    /// How long the end of tokens is kept, in milliseconds: 400 days, longer than tokens of this service live.
    static let lifetimeMilliseconds: Int64 = 400 * 86_400_000

    /// Why a user can do nothing in any room.
    struct Ban: Hashable, Sendable {
        let at: Timestamp
        let reason: String
    }

    /// When tokens ended.
    struct TokenEnd: Hashable, Sendable {
        /// Tokens of this service that were issued before are refused.
        let own: Timestamp
        /// The same for tokens of the identity provider, whose clock is the wall clock.
        let provider: Timestamp

        init(own: Timestamp, provider: Timestamp) { (self.own, self.provider) = (own, provider) }

        /// All tokens issued so far. Tokens say when to the second: those issued later within it end too.
        init(_ now: Now) {
            func nextSecond(_ time: Timestamp) -> Timestamp { Timestamp(milliseconds: (time.milliseconds / 1000 + 1) * 1000) }
            self.init(own: nextSecond(now.wall), provider: nextSecond(now.actual))
        }

        /// Whether the token was issued before. One of a provider that does not say when counts as an old one.
        func contains(_ principal: Principal) -> Bool {
            guard let issued = principal.issuedAt else { return true }
            return issued < (principal.source.isOwn ? own : provider)
        }
    }

    let user: UserID
    var tokenEnd: TokenEnd?
    var ban: Ban?
    /// Of the record that it was read from: afterwards nothing is restricted, also before the record is deleted. Nil: never.
    private var expiresAt: Timestamp?

    /// Whether it is still in force.
    func isCurrent(at now: Timestamp) -> Bool { expiresAt.map { now < $0 } ?? true }

    init(of user: UserID) { self.user = user }

    /// Nil for a record that cannot be read.
    init?(_ record: StoredRecord) {
        guard let user = UserID(record.id), let value = try? JSONReader.read(record.content),
            var fields = try? JSONFields(value)
        else { return nil }
        func time(_ name: String) throws(JSONError) -> Timestamp? {
            try fields.optionalInt(name).map { Timestamp(milliseconds: Int64($0)) }
        }
        self.user = user
        expiresAt = record.expiresAt
        do throws(JSONError) {
            if let own = try time("tokensEndedAt"), let provider = try time("providerTokensEndedAt") {
                tokenEnd = TokenEnd(own: own, provider: provider)
            }
            if let at = try time("bannedAt") { ban = Ban(at: at, reason: try fields.string("reason")) }
        } catch { return nil }
    }

    /// The change that stores it, or deletes it if nothing is restricted.
    func change(if expected: ExpectedRecord, at now: Timestamp) -> RecordChange {
        guard ban != nil || tokenEnd != nil else { return .delete(Self.recordKind, user.description, if: expected) }
        var json = JSONWriter()
        json.object { json in
            json.member("tokensEndedAt", (tokenEnd?.own.milliseconds).map { Int($0) })
            json.member("providerTokensEndedAt", (tokenEnd?.provider.milliseconds).map { Int($0) })
            json.member("bannedAt", (ban?.at.milliseconds).map { Int($0) })
            json.member("reason", ban?.reason)
        }
        let expiresAt = ban == nil ? now.advanced(byMilliseconds: Self.lifetimeMilliseconds) : nil
        return .put(Self.recordKind, user.description, json.bytes, expiresAt: expiresAt, if: expected)
    }
}

/// All restrictions of a moment.
struct RestrictedUsers: Sendable {
    private var byUser: [UserID: UserRestriction] = [:]

    /// No user is restricted.
    init() {}

    init(_ restrictions: some Sequence<UserRestriction>) {
        byUser = Dictionary(restrictions.map { ($0.user, $0) }, uniquingKeysWith: { _, last in last })
    }

    var count: Int { byUser.count }

    /// Without those whose time is over.
    func count(at now: Timestamp) -> Int { byUser.values.count { $0.isCurrent(at: now) } }

    subscript(user: UserID) -> UserRestriction? { byUser.isEmpty ? nil : byUser[user] }

    func isBanned(_ user: UserID) -> Bool { self[user]?.ban != nil }

    /// The banned users, and when they were banned.
    var bans: [UserID: Timestamp] { byUser.compactMapValues { $0.ban?.at } }

    /// Whether the token was issued before an operator ended all of its user's.
    func hasEnded(_ principal: Principal) -> Bool { self[principal.person.id]?.tokenEnd?.contains(principal) ?? false }
}

extension JSONWriter {
    /// What is restricted, as the contract shows it.
    mutating func members(of restriction: UserRestriction) {
        member("userId", restriction.user)
        member("banned", restriction.ban != nil)
        member("bannedAt", restriction.ban?.at)
        member("reason", restriction.ban?.reason)
        member("tokensEndedAt", restriction.tokenEnd?.own)
    }
}

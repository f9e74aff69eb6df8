internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON

/// What the log keeps of a code for another device: whose token has made it.
struct Pairing: Sendable {
    private static let kind = "pairing"
    /// The latest code of each user.
    private static let ownerKind = "pairing-of"

    let principal: Principal
    let expiresAt: Timestamp

    /// Stores it under a code's key, in place of the user's code before.
    /// - Returns: False if the user makes another one at the same time.
    func write(to log: any EventLog, key: String) throws(EventLogError) -> Bool {
        let owner = principal.person.id.description
        let before = try log.record(Self.ownerKind, owner)
        var changes: [RecordChange] = [
            .put(Self.kind, key, content, expiresAt: expiresAt, if: .none),
            .put(
                Self.ownerKind, owner, Array(key.utf8), expiresAt: expiresAt,
                if: before.map { .version($0.version) } ?? .none),
        ]
        if let before { changes.append(.delete(Self.kind, String(decoding: before.content, as: UTF8.self))) }
        return try log.write(changes)
    }

    /// Removes the code of that key: of several who redeem it at the same time, on whatever node, one gets the result.
    /// - Returns: The caller who has made the code; nil if there is none, or it has expired.
    static func take(from log: any EventLog, key: String, at now: Timestamp) throws(EventLogError) -> Principal? {
        guard let record = try log.record(kind, key) else { return nil }
        guard try log.write([.delete(kind, key, if: .version(record.version))]) else { return nil }
        guard let expiresAt = record.expiresAt, expiresAt > now else { return nil }
        return principal(record.content)
    }

    /// Whether a record is a code of one of the users.
    static func isOf(_ users: [UserID], _ record: StoredRecord) -> Bool {
        switch record.kind {
        case ownerKind: UserID(record.id).map(users.contains) ?? false
        case kind: principal(record.content).map { users.contains($0.person.id) } ?? false
        default: false
        }
    }

    private var content: [UInt8] {
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("sub", principal.person.id)
            json.member("name", principal.person.nickname)
            json.member("exp", principal.expiresAt)
            json.member("iat", principal.issuedAt)
            if case .session(let session) = principal.source {
                json.member("idp", session.issuer)
                json.member("auth_time", session.begunAt)
            }
        }
        return json.bytes
    }

    private static func principal(_ content: [UInt8]) -> Principal? {
        do throws(JSONError) {
            var fields = try JSONFields(try JSONReader.read(content))
            guard let user = UserID(try fields.string("sub")), let expires = Timestamp(rfc3339: try fields.string("exp")) else {
                return nil
            }
            let (name, issued) = (try fields.string("name"), try fields.optionalString("iat"))
            // As of a token without a provider.
            var source: Principal.Source = IdentityProvider.isOfSubject(user) ? .backend : .guests
            if let issuer = try fields.optionalString("idp") {
                guard let begun = Timestamp(rfc3339: try fields.string("auth_time")) else { return nil }
                source = .session(SignInSession(issuer: issuer, begunAt: begun))
            }
            return Principal(
                person: Person(id: user, nickname: name), expiresAt: expires,
                issuedAt: issued.flatMap { Timestamp(rfc3339: $0) },
                source: source, tokenID: nil)
        } catch {
            return nil
        }
    }
}

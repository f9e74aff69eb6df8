internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// What an operator did by a service token.
struct AuditEntry: Hashable, Sendable {
    /// Kind of its record.
    static let recordKind = "audit"
    /// How long it is kept, in milliseconds: 400 days.
    static let lifetimeMilliseconds: Int64 = 400 * 86_400_000

    /// Sorts by time.
    let id: String
    let at: Timestamp
    /// Id and name of the token.
    let token: String
    let tokenName: String
    /// Such as `revokeServiceToken`: the operation's name.
    let action: String
    /// What it concerned, such as a user's id.
    let target: String
    let reason: String?

    init(_ action: String, _ target: String, reason: String? = nil, by token: ServiceToken, at now: Timestamp, seed: UInt64) {
        // Times before 1970 do not occur; the digits keep the order.
        id = UInt64(clamping: now.milliseconds).hexadecimal + seed.hexadecimal
        (at, self.token, tokenName) = (now, token.id, token.name)
        (self.action, self.target, self.reason) = (action, target, reason)
    }

    /// Nil for a record that cannot be read.
    init?(_ record: StoredRecord) {
        guard let value = try? JSONReader.read(record.content), var fields = try? JSONFields(value) else { return nil }
        do throws(JSONError) {
            id = record.id
            at = Timestamp(milliseconds: Int64(try fields.int("at")))
            (token, tokenName) = (try fields.string("token"), try fields.string("tokenName"))
            (action, target) = (try fields.string("action"), try fields.string("target"))
            reason = try fields.optionalString("reason")
        } catch { return nil }
    }

    /// The change that writes it, beside what the operator changes.
    var change: RecordChange {
        var json = JSONWriter()
        json.object { json in
            json.member("at", Int(at.milliseconds))
            json.member("token", token)
            json.member("tokenName", tokenName)
            json.member("action", action)
            json.member("target", target)
            json.member("reason", reason)
        }
        return .put(
            Self.recordKind, id, json.bytes, expiresAt: at.advanced(byMilliseconds: Self.lifetimeMilliseconds), if: .none)
    }
}

extension JSONWriter {
    /// An entry as the contract shows it.
    mutating func members(of entry: AuditEntry) {
        member("id", entry.id)
        member("at", entry.at)
        member(
            "token",
            object: { json in
                json.member("id", entry.token)
                json.member("name", entry.tokenName)
            })
        member("action", entry.action)
        member("target", entry.target)
        member("reason", entry.reason)
    }
}

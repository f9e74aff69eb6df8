internal import AuctionContract
internal import AuctionDomain
internal import Cryptography
internal import EventLog
internal import ExactJSON

/// A token of a program that works with the service for its operator. It is no person: it can neither join a room nor bid.
struct ServiceToken: Hashable, Sendable {
    /// Kind of its record.
    static let recordKind = "token"
    /// Longest name, in characters.
    static let nameLimit = 100
    /// Most tokens that may exist at once.
    static let limit = 1000
    /// The record that every creation writes anew.
    static let creations = (kind: "tokens", id: "creations")
    /// What the text of every token begins with; the rest are 64 hexadecimal digits.
    static let prefix = "svc_"
    /// Id of the token of the operator's file, which has no record.
    static let fileID = UserID.fileToken

    let id: String
    let name: String
    let scopes: Set<ServiceScope>
    let createdAt: Timestamp
    /// Nil: it does not expire.
    let expiresAt: Timestamp?
    /// To the minute; nil before its first use.
    var lastUsedAt: Timestamp?
    /// Of the token's text, which is not stored.
    let digest: String

    /// An id with which events can name the token as the one who acts.
    static func newID(_ random: UInt128) -> String { UserID.ofOperator(random).serviceToken ?? fileID }

    /// The digest that a token's text has.
    static func digest(of token: some StringProtocol) -> String { SHA256.hash(data: Array(token.utf8)).hexadecimal }

    /// The token of the operator's file.
    init(file digest: String, at now: Timestamp) {
        (id, name, scopes, createdAt, expiresAt) = (Self.fileID, "admin-token-file", Set(ServiceScope.allCases), now, nil)
        self.digest = digest
    }

    init(id: String, name: String, scopes: Set<ServiceScope>, createdAt: Timestamp, expiresAt: Timestamp?, digest: String) {
        (self.id, self.name, self.scopes) = (id, name, scopes)
        (self.createdAt, self.expiresAt, self.digest) = (createdAt, expiresAt, digest)
    }

    func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }

    // MARK: - Its record

    /// Nil for a record that cannot be read: such a token is not accepted.
    init?(_ record: StoredRecord) {
        guard let value = try? JSONReader.read(record.content), var fields = try? JSONFields(value) else { return nil }
        func time(_ name: String) throws(JSONError) -> Timestamp? {
            try fields.optionalInt(name).map { Timestamp(milliseconds: Int64($0)) }
        }
        do throws(JSONError) {
            self.init(
                id: record.id, name: try fields.string("name"), scopes: try Self.scopes(fields.array("scopes")),
                createdAt: try time("createdAt") ?? Timestamp(milliseconds: 0), expiresAt: try time("expiresAt"),
                digest: try fields.string("digest"))
            lastUsedAt = try time("lastUsedAt")
        } catch { return nil }
    }

    /// Names of scopes that a later version knows are left out.
    private static func scopes(_ names: [JSONValue]) -> Set<ServiceScope> {
        Set(
            names.compactMap { name in
                guard case .string(let name) = name else { return nil }
                return ServiceScope(rawValue: name)
            })
    }

    var recordContent: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("name", name)
            json.member("scopes", strings: scopeNames)
            json.member("createdAt", Int(createdAt.milliseconds))
            json.member("expiresAt", (expiresAt?.milliseconds).map { Int($0) })
            json.member("lastUsedAt", (lastUsedAt?.milliseconds).map { Int($0) })
            json.member("digest", digest)
        }
        return json.bytes
    }

    /// In the order of the contract.
    var scopeNames: [String] { ServiceScope.allCases.filter(scopes.contains).map(\.rawValue) }
}

extension JSONWriter {
    /// A service token as the contract shows it.
    mutating func members(of token: ServiceToken) {
        member("id", token.id)
        member("name", token.name)
        member("scopes", strings: token.scopeNames)
        member("createdAt", token.createdAt)
        member("expiresAt", token.expiresAt)
        member("lastUsedAt", token.lastUsedAt)
    }
}

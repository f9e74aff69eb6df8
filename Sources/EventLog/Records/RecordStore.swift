package import AuctionDomain

/// A small record that belongs to the service and to no room: a service token, a webhook, what an operator did.
package struct StoredRecord: Hashable, Sendable {
    /// Kind of record, such as `token`; at most `RecordLimits.nameBytes` bytes.
    package let kind: String
    /// Unique within the kind; records are listed in the order of its bytes.
    package let id: String
    /// 1 for a new record, one more after every change.
    package let version: Int64
    /// The log may delete the record afterwards; nil keeps it. Readers compare it themselves.
    package let expiresAt: Timestamp?
    /// What the record says; the log does not interpret it.
    package let content: [UInt8]

    package init(kind: String, id: String, version: Int64, expiresAt: Timestamp?, content: [UInt8]) {
        (self.kind, self.id, self.version) = (kind, id, version)
        (self.expiresAt, self.content) = (expiresAt, content)
    }
}

/// Bounds of a `RecordStore`.
package enum RecordLimits {
    /// Largest content of a record, in bytes.
    package static let contentBytes = 131_072
    /// Longest kind, and longest id, in bytes.
    package static let nameBytes = 128
    /// Most changes of one call of `write`.
    package static let changes = 64
}

/// What a change expects of the record that it replaces.
package enum ExpectedRecord: Hashable, Sendable {
    /// Whatever is there, or nothing.
    case any
    /// There is none, not even an expired one.
    case none
    /// There is one, of this version.
    case version(Int64)

    /// Whether the version of the record that is there, nil for none, is as expected.
    package func matches(_ version: Int64?) -> Bool {
        switch self {
        case .any: true
        case .none: version == nil
        case .version(let expected): version == expected
        }
    }
}

/// A record to be written or deleted.
package struct RecordChange: Hashable, Sendable {
    /// See `StoredRecord.kind`.
    package let kind: String
    /// See `StoredRecord.id`.
    package let id: String
    /// What must be there for the change to be made.
    package let expected: ExpectedRecord
    /// The record's new content; nil deletes it.
    package let content: [UInt8]?
    /// See `StoredRecord.expiresAt`.
    package let expiresAt: Timestamp?

    /// Writes a record.
    package static func put(
        _ kind: String, _ id: String, _ content: [UInt8], expiresAt: Timestamp? = nil, if expected: ExpectedRecord = .any
    ) -> RecordChange {
        RecordChange(kind: kind, id: id, expected: expected, content: content, expiresAt: expiresAt)
    }

    /// Deletes a record.
    package static func delete(_ kind: String, _ id: String, if expected: ExpectedRecord = .any) -> RecordChange {
        RecordChange(kind: kind, id: id, expected: expected, content: nil, expiresAt: nil)
    }
}

/// A page of records of one kind.
package struct RecordQuery: Hashable, Sendable {
    /// See `StoredRecord.kind`.
    package let kind: String
    /// Only ids that begin with this.
    package var prefix = ""
    /// Id of the previous page's last record; nil for the first page.
    package var after: String?
    /// Whether the greatest ids come first.
    package var isDescending = false
    /// Maximum number of records.
    package var limit: Int

    package init(kind: String, prefix: String = "", after: String? = nil, isDescending: Bool = false, limit: Int) {
        (self.kind, self.prefix, self.after, self.isDescending, self.limit) = (kind, prefix, after, isDescending, limit)
    }

    /// The page's ids are greater than this, …
    package var above: String { isDescending ? "" : after ?? "" }
    /// … and less than this. No id has U+10FFFF, the greatest of all characters.
    package var below: String { isDescending ? after ?? end : end }
    private var end: String { prefix + "\u{10FFFF}" }
}

/// Records beside the events of rooms, shared by all nodes. Every change is durable when `write` returns.
package protocol RecordStore: Sendable {
    /// The record; nil if there is none.
    func record(_ kind: String, _ id: String) throws(EventLogError) -> StoredRecord?

    /// Records of a kind, ordered by id.
    func records(_ query: RecordQuery) throws(EventLogError) -> [StoredRecord]

    /// Makes all changes or none. They must concern different records; at most `RecordLimits.changes`.
    /// - Returns: Whether every record was as its change expected. After a connection to the log was lost, false may mean that the
    ///   changes were made.
    /// - Throws: `.statement` for changes beyond `RecordLimits`.
    func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool

    /// Deletes expired records, at most `limit`.
    /// - Returns: The number deleted.
    func deleteExpiredRecords(at now: Timestamp, limit: Int) throws(EventLogError) -> Int

    /// Records of all kinds, ordered by kind and id, after the one that is named, at most `limit`: for copies of a log.
    func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord]
}

extension [RecordChange] {
    /// Throws `.statement` for changes beyond `RecordLimits`, and for two of the same record.
    package func validate() throws(EventLogError) {
        func isValid(_ name: String) -> Bool { (1...RecordLimits.nameBytes).contains(name.utf8.count) }
        guard count <= RecordLimits.changes else {
            throw EventLogError(.statement, "\(count) records are changed at once; at most \(RecordLimits.changes) can be")
        }
        for change in self {
            guard isValid(change.kind), isValid(change.id), change.content?.count ?? 0 <= RecordLimits.contentBytes else {
                throw EventLogError(.statement, "the record \(change.kind)/\(change.id) is beyond the bounds of records")
            }
        }
        guard Set(map { [$0.kind, $0.id] }).count == count else {
            throw EventLogError(.statement, "a record is changed twice at once")
        }
    }
}

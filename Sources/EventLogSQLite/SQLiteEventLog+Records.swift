package import AuctionDomain
package import EventLog

// Records beside the events of rooms. Damage of their table does not end the log.
extension SQLiteEventLog {
    /// See `RecordStore.record`.
    package func record(_ kind: String, _ id: String) throws(EventLogError) -> StoredRecord? {
        try reading("read the record \(kind)/\(id)") { db in
            var rows = try db.rows(.kept("\(StoredRecord.selection) WHERE kind = ? AND id = ?"), kind, id)
            return try rows.first(StoredRecord.init)
        }
    }

    /// See `RecordStore.records`.
    package func records(_ query: RecordQuery) throws(EventLogError) -> [StoredRecord] {
        if query.limit <= 0 { return [] }
        return try reading("list the records of kind \(query.kind)") { db in
            var rows = try db.rows(
                .kept(
                    """
                    \(StoredRecord.selection) WHERE kind = ? AND id >= ? AND id > ? AND id < ?
                    ORDER BY id \(query.isDescending ? "DESC" : "") LIMIT ?
                    """), query.kind, query.prefix, query.above, query.below, query.limit)
            return try rows.map(StoredRecord.init)
        }
    }

    /// See `RecordStore.write`.
    package func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
        try changes.validate()
        if changes.isEmpty { return true }
        return try changing("write records") { db in
            var versions: [Int64] = []
            for change in changes {
                let found = try db.long(.kept("SELECT version FROM record WHERE kind = ? AND id = ?"), change.kind, change.id)
                guard change.expected.matches(found) else { return false }
                versions.append(found ?? 0)
            }
            for (change, version) in zip(changes, versions) {
                guard let content = change.content else {
                    try db.run(.kept("DELETE FROM record WHERE kind = ? AND id = ?"), change.kind, change.id)
                    continue
                }
                // A damaged row may have the greatest version.
                try db.run(
                    .kept("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?)"), change.kind, change.id,
                    version &+ 1, change.expiresAt?.milliseconds, content)
            }
            return true
        }
    }

    /// See `RecordStore.deleteExpiredRecords`.
    package func deleteExpiredRecords(at now: Timestamp, limit: Int) throws(EventLogError) -> Int {
        let isAny = try reading("find expired records") { db in
            try db.long(.kept("SELECT min(expires_at) FROM record WHERE expires_at IS NOT NULL")) ?? .max <= now.milliseconds
        }
        guard isAny, limit > 0 else { return 0 }
        return try changing("delete expired records") { db in
            try db.run(
                """
                DELETE FROM record WHERE (kind, id) IN (
                    SELECT kind, id FROM record WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)
                """, now, limit)
            return db.changeCount
        }
    }

    /// See `RecordStore.allRecords`.
    package func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord] {
        try reading("read the records") { db in try StoredRecord.all(after: after, limit: limit, db) }
    }
}

extension StoredRecord {
    fileprivate static let selection = "SELECT kind, id, version, expires_at, content FROM record"

    static func all(
        after: (kind: String, id: String)?, limit: Int, _ db: Connection
    ) throws(SQLiteError) -> [StoredRecord] {
        var rows = try db.rows(
            .kept("\(selection) WHERE (kind, id) > (?, ?) ORDER BY kind, id LIMIT ?"), after?.kind ?? "", after?.id ?? "", limit
        )
        return try rows.map(StoredRecord.init)
    }

    init(_ row: borrowing Rows) throws(SQLiteError) {
        self.init(
            kind: try row.text(0), id: try row.text(1), version: try row.long(2), expiresAt: try row.optionalInstant(3),
            content: try row.bytes(4))
    }
}

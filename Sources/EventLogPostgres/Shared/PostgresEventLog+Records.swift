package import AuctionDomain
package import EventLog

// Records beside the events of rooms, and what all takes.
extension PostgresEventLog {
    /// See `EventLog.size`.
    package func size() throws(EventLogError) -> LogSize {
        try using("read the size of the log") { session throws(SessionFailure) in
            LogSize(bytes: try session.run([Call(RecordStatements.size)])[0][0].long(0))
        }
    }

    /// See `RecordStore.record`.
    package func record(_ kind: String, _ id: String) throws(EventLogError) -> StoredRecord? {
        try using("read the record \(kind)/\(id)") { session throws(SessionFailure) in
            let rows = try session.run([Call(RecordStatements.one, kind, id)])[0]
            return rows.count == 1 ? try StoredRecord(rows[0]) : nil
        }
    }

    /// See `RecordStore.records`.
    package func records(_ query: RecordQuery) throws(EventLogError) -> [StoredRecord] {
        if query.limit <= 0 { return [] }
        return try using("list the records of kind \(query.kind)") { session throws(SessionFailure) in
            let statement = query.isDescending ? RecordStatements.newest : RecordStatements.oldest
            let call = Call(statement, query.kind, query.prefix, query.above, query.below, query.limit)
            return try session.run([call])[0].map(StoredRecord.init)
        }
    }

    /// See `RecordStore.write`. Changes of records are made one after the other, so each finds what the one before has left.
    package func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool {
        try changes.validate()
        if changes.isEmpty { return true }
        return try using("write records") { session throws(SessionFailure) in
            let call = Call(RecordStatements.write) {
                $0.add(changes.map(\.kind))
                $0.add(changes.map(\.id))
                $0.add(numbersOf: changes) { $0.expected.number }
                $0.add(bytesOf: changes) { $0.content }
                $0.add(numbersOf: changes) { $0.expiresAt?.milliseconds }
            }
            return try session.run([Call(RecordStatements.lock), call])[1][0].flag(0)
        }
    }

    /// See `RecordStore.deleteExpiredRecords`.
    package func deleteExpiredRecords(at now: Timestamp, limit: Int) throws(EventLogError) -> Int {
        if limit <= 0 { return 0 }
        return try using("delete expired records") { session throws(SessionFailure) in
            let call = Call(RecordStatements.deleteExpired, now, limit)
            return try session.run([Call(Statements.asynchronousCommit), call])[1][0].integer(0)
        }
    }

    /// See `RecordStore.allRecords`.
    package func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord] {
        try using("read the records") { session throws(SessionFailure) in
            try session.run([RecordStatements.all(after: after, limit: limit)])[0].map(StoredRecord.init)
        }
    }
}

extension ExpectedRecord {
    /// The version that must be there, 0 for no record; nil for any.
    fileprivate var number: Int64? {
        switch self {
        case .any: nil
        case .none: 0
        case .version(let version): version
        }
    }
}

extension StoredRecord {
    init(_ row: Row) throws(SessionFailure) {
        self.init(
            kind: row.text(0), id: row.text(1), version: try row.long(2),
            expiresAt: try row.optionalLong(3).map { Timestamp(milliseconds: $0) }, content: row.bytes(4))
    }
}

/// SQL for records.
enum RecordStatements {
    private static let columns = "kind, id, version, expires_at, content"
    static let one = Statement(name: "record", sql: "SELECT \(columns) FROM record WHERE kind = $1 AND id = $2")
    static let oldest = list("record_oldest", "")
    static let newest = list("record_newest", "DESC")

    private static func list(_ name: String, _ order: String) -> Statement {
        Statement(
            name: name,
            sql: """
                SELECT \(columns) FROM record WHERE kind = $1 AND id >= $2 AND id > $3 AND id < $4 ORDER BY id \(order) LIMIT $5
                """)
    }

    static func all(after: (kind: String, id: String)?, limit: Int) -> Call {
        Call(everything, after?.kind ?? "", after?.id ?? "", limit)
    }
    private static let everything = Statement(
        name: "record_all", sql: "SELECT \(columns) FROM record WHERE (kind, id) > ($1, $2) ORDER BY kind, id LIMIT $3")

    /// All tables of the log, with their indexes and texts.
    static let size = Statement(
        name: "log_size",
        sql: """
            SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
            WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
            """)
    /// Until the end of the transaction no other one changes records. Its own statement, so that the next one sees what was committed before.
    static let lock = Statement(name: "lock_records", sql: "SELECT pg_advisory_xact_lock(\(Schema.lock), hashtext('record'))")
    static let write = Statement(
        name: "write_records",
        sql: """
            WITH change AS (
                SELECT c.*, coalesce(r.version, 0) AS version
                FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bytea[], $5::bigint[])
                    AS c(kind, id, expected, content, expires_at) LEFT JOIN record r ON r.kind = c.kind AND r.id = c.id
            ),
            verdict AS (SELECT NOT EXISTS (SELECT FROM change WHERE expected <> version) AS matches),
            gone AS (
                DELETE FROM record r USING change c, verdict
                WHERE matches AND c.content IS NULL AND r.kind = c.kind AND r.id = c.id
            ),
            put AS (
                INSERT INTO record (kind, id, version, expires_at, content)
                SELECT kind, id, version + 1, expires_at, content FROM change, verdict WHERE matches AND content IS NOT NULL
                ON CONFLICT (kind, id) DO UPDATE
                    SET version = excluded.version, expires_at = excluded.expires_at, content = excluded.content
            )
            SELECT matches FROM verdict
            """)
    static let deleteExpired = Statement(
        name: "delete_records",
        sql: """
            WITH gone AS (
                DELETE FROM record WHERE (kind, id) IN (
                    SELECT kind, id FROM record WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
                RETURNING 1
            )
            SELECT count(*) FROM gone
            """)
}

import EventLog

/// Checks the server settings that the log's guarantees depend on.
enum ServerSettings {
    /// Rejects a server or session whose commits are not durable, whose encoding cannot store all texts, or whose version is too old.
    /// - Throws: `.unavailable`, with the required change.
    static func check(_ session: Session, store: String) throws(EventLogError) {
        let rows = try EventLogError.translating("read the settings", in: store) { () throws(SessionFailure) in
            try session.run([Call(Statements.settings)])[0]
        }
        try check(rows, store: store)
    }

    /// - Parameter rows: The result of `Statements.settings`.
    static func check(_ rows: Rows, store: String) throws(EventLogError) {
        let row = (0..<4).map { rows[0].text($0) }
        if row[0] == "off" {
            throw EventLogError(
                .unavailable,
                "\(store) has fsync = off: a crash of its machine would lose acknowledged bids. Set fsync = on in postgresql.conf and "
                    + "restart PostgreSQL.")
        }
        if row[1] == "off" {
            throw EventLogError(
                .unavailable,
                "\(store) has synchronous_commit = off: a crash would lose acknowledged bids. Set it to on (ALTER DATABASE … SET "
                    + "synchronous_commit = on, or in postgresql.conf, the role or the URL, wherever it was switched off).")
        }
        if row[2] != "UTF8" {
            throw EventLogError(
                .unavailable, "\(store) keeps texts as \(row[2]): create the database with ENCODING 'UTF8' TEMPLATE template0.")
        }
        guard let version = Int(row[3]), version >= 150_000 else {
            throw EventLogError(.unavailable, "\(store) runs PostgreSQL \(row[3]); version 15 or newer is needed.")
        }
    }
}

/// The writer's prepared statements for snapshots.
final class SnapshotStatements {
    private let database: Connection
    private let saveSnapshot: Statement
    private let savePiece: Statement
    private let deletePiece: Statement

    init(_ db: Connection) throws(SQLiteError) {
        database = db
        saveSnapshot = try db.prepare(StatementText.saveSnapshot)
        savePiece = try db.prepare("INSERT INTO snapshot_piece (room, seq, bytes) VALUES (?, ?, ?)")
        deletePiece = try db.prepare(StatementText.deletePiece)
    }

    /// Writes the row of a snapshot; empty `bytes` mean that the snapshot is stored in pieces.
    func save(_ bytes: [UInt8], of room: Int64, at seq: Int) throws(SQLiteError) {
        try saveSnapshot.run {
            $0.add(room)
            $0.add(seq)
            $0.add(bytes)
        }
    }

    func savePiece(_ bytes: [UInt8], of room: Int64, at seq: Int) throws(SQLiteError) {
        try savePiece.run {
            $0.add(room)
            $0.add(seq)
            $0.add(bytes)
        }
    }

    /// Deletes one piece that does not belong to the room's current snapshot; false if there is none.
    func deletePiece(of room: Int64) throws(SQLiteError) -> Bool {
        try deletePiece.run { $0.add(room) }
        return database.changeCount > 0
    }

    func snapshotSeq(of room: Int64) throws(SQLiteError) -> Int? {
        try database.long(.kept("SELECT iif(typeof(seq) = 'integer', seq, 0) FROM snapshot WHERE room = ?"), room).map {
            Int($0)
        }
    }
}

private enum StatementText {
    static let saveSnapshot = """
        INSERT INTO snapshot (room, seq, bytes) VALUES (?, ?, ?)
        ON CONFLICT (room) DO UPDATE SET seq = excluded.seq, bytes = excluded.bytes
        WHERE excluded.seq >= seq OR typeof(seq) <> 'integer'
        """
    static let deletePiece = """
        DELETE FROM snapshot_piece WHERE number = (
            SELECT number FROM snapshot_piece AS p WHERE p.room = ?1 AND p.seq IS NOT
                (SELECT seq FROM snapshot WHERE room = ?1 AND length(bytes) = 0) LIMIT 1)
        """
}

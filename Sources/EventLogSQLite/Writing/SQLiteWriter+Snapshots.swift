import EventLog
import Synchronization

// Snapshots are written concurrently with the committer. A large one is written in pieces, each in its own transaction, so that an
// append waits for one piece at most. The row in `snapshot` is written last, so that a reader finds the complete snapshot or the
// previous one.
extension SQLiteWriter {
    func save(_ snapshot: RoomSnapshot) throws {
        guard let (number, isNew) = try place(of: snapshot) else { return }
        let isSmall = snapshot.bytes.count <= limits.snapshotPieceBytes
        if !isSmall {
            guard isNew else { return }
            try clearPieces(of: number)
            try writePieces(of: snapshot, number)
        }
        let bytes = isSmall ? snapshot.bytes : []
        try write(pages: 2 + bytes.count / Schema.pageBytes) { try $0.snapshots.save(bytes, of: number, at: snapshot.seq) }
        try clearPieces(of: number)
    }

    private func writePieces(of snapshot: RoomSnapshot, _ number: Int64) throws {
        var rest = snapshot.bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(limits.snapshotPieceBytes))
            rest = rest.dropFirst(piece.count)
            try write(pages: 2 + piece.count / Schema.pageBytes) {
                try $0.snapshots.savePiece(piece, of: number, at: snapshot.seq)
            }
        }
    }

    /// The room's number, and whether there is no snapshot of this `seq` yet; nil if the snapshot must be ignored, because it is beyond
    /// the committed history or older than the stored one.
    private func place(of snapshot: RoomSnapshot) throws -> (number: Int64, isNew: Bool)? {
        try connection.use { db in
            try transaction(db) { statements in
                guard let room = try find(snapshot.room, statements), snapshot.seq <= room.head.seq else { return nil }
                let seq = try statements.snapshots.snapshotSeq(of: room.number) ?? 0
                return seq <= snapshot.seq ? (room.number, seq < snapshot.seq) : nil
            }
        }
    }

    /// Deletes, one per transaction, pieces that no row refers to: of the replaced snapshot, or of one that was never completed.
    private func clearPieces(of number: Int64) throws {
        while true {
            let deleted = try connection.use { db in
                try transaction(db) { statements in try statements.snapshots.deletePiece(of: number) }
            }
            guard deleted else { return }
            pagesWritten.add(2 + limits.snapshotPieceBytes / Schema.pageBytes / 8, ordering: .relaxed)
        }
    }

    func write(pages: Int, _ body: (WriterStatements) throws -> Void) throws {
        pagesWritten.add(pages, ordering: .relaxed)
        try connection.use { db in try transaction(db, body) }
    }
}

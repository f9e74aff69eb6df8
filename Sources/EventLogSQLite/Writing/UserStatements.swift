import AuctionDomain
import EventLog

/// The writer's prepared statements for the index by user.
final class UserStatements {
    private let setParticipation: Statement
    private let removeParticipation: Statement
    private let clearRoom: Statement
    private let clearWins: Statement
    private let archiveRoom: Statement
    private let moveWins: Statement
    private let removeWins: Statement
    private let insertWin: Statement
    private let markIndexed: Statement

    init(_ db: Connection) throws(SQLiteError) {
        setParticipation = try db.prepare(
            """
            INSERT INTO participation (user, room, role, bid_round) VALUES (?, ?, ?, ?)
            ON CONFLICT (user, room) DO UPDATE SET role = excluded.role, bid_round = excluded.bid_round
            """)
        removeParticipation = try db.prepare("DELETE FROM participation WHERE user = ? AND room = ?")
        clearRoom = try db.prepare("DELETE FROM participation WHERE room = ?")
        clearWins = try db.prepare("DELETE FROM win WHERE room = ?")
        archiveRoom = try db.prepare("INSERT INTO archived_room (room) VALUES (?) ON CONFLICT DO NOTHING")
        moveWins = try db.prepare("UPDATE win SET user = ? WHERE user = ? AND room = ?")
        removeWins = try db.prepare("DELETE FROM win WHERE room = ? AND round = ?")
        insertWin = try db.prepare(
            """
            INSERT INTO win (user, at, room, round, price, item, item_name) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """)
        markIndexed = try db.prepare("DELETE FROM unindexed WHERE room = ?")
    }

    /// Writes the changes of one room.
    func write(_ changes: UserChanges, room number: Int64) throws(SQLiteError) {
        if changes.archives { try archiveRoom.run { $0.add(number) } }
        for participation in changes.participations {
            let user = participation.user.description
            if participation.isEmpty {
                try removeParticipation.run {
                    $0.add(user)
                    $0.add(number)
                }
                continue
            }
            try setParticipation.run {
                $0.add(user)
                $0.add(number)
                $0.add(participation.role)
                $0.add(participation.bidRound.map { Int64($0) })
            }
        }
        for round in changes.rewritten {
            try removeWins.run {
                $0.add(number)
                $0.add(round)
            }
        }
        for transfer in changes.transfers {
            try moveWins.run {
                $0.add(transfer.to.description)
                $0.add(transfer.from.description)
                $0.add(number)
            }
        }
        for win in changes.wins {
            try insertWin.run {
                $0.add(win.winner.description)
                $0.add(win.at)
                $0.add(number)
                $0.add(win.round)
                $0.add(win.price)
                $0.add(win.item.description)
                $0.add(win.itemName)
            }
        }
    }

    /// Makes a room's rows equal to these, and marks it as indexed.
    func build(_ rows: UserChanges, room number: Int64) throws(SQLiteError) {
        try clearRoom.run { $0.add(number) }
        try clearWins.run { $0.add(number) }
        try write(rows, room: number)
        try markIndexed.run { $0.add(number) }
    }
}

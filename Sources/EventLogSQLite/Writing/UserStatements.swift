import AuctionDomain
import EventLog
import GRDB

/// The writer's prepared statements for the index by user.
struct UserStatements {
    private let setParticipation: Statement
    private let removeParticipation: Statement
    private let clearRoom: Statement
    private let clearWins: Statement
    private let archiveRoom: Statement
    private let moveWins: Statement
    private let insertWin: Statement
    private let markIndexed: Statement

    init(_ db: Database) throws {
        setParticipation = try db.makeStatement(
            sql: """
                INSERT INTO participation (user, room, role, bid_round) VALUES (?, ?, ?, ?)
                ON CONFLICT (user, room) DO UPDATE SET role = excluded.role, bid_round = excluded.bid_round
                """)
        removeParticipation = try db.makeStatement(sql: "DELETE FROM participation WHERE user = ? AND room = ?")
        clearRoom = try db.makeStatement(sql: "DELETE FROM participation WHERE room = ?")
        clearWins = try db.makeStatement(sql: "DELETE FROM win WHERE room = ?")
        archiveRoom = try db.makeStatement(sql: "INSERT INTO archived_room (room) VALUES (?) ON CONFLICT DO NOTHING")
        moveWins = try db.makeStatement(sql: "UPDATE win SET user = ? WHERE user = ? AND room = ?")
        insertWin = try db.makeStatement(
            sql: """
                INSERT INTO win (user, at, room, round, price, item, item_name) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """)
        markIndexed = try db.makeStatement(sql: "DELETE FROM unindexed WHERE room = ?")
    }

    /// Writes the changes of one room.
    func write(_ changes: UserChanges, room number: Int64) throws {
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
    func build(_ rows: UserChanges, room number: Int64) throws {
        try clearRoom.run { $0.add(number) }
        try clearWins.run { $0.add(number) }
        try write(rows, room: number)
        try markIndexed.run { $0.add(number) }
    }
}

import AuctionDomain
import EventLog
import Testing

@testable import EventLogSQLite

/// The open rooms that a log reports at the start of the service.
struct PendingRoomTests {
    private func status(_ seconds: Int64, isDueAtEnd: Bool = true) -> RoomStatus {
        RoomStatus(
            state: "auctioning", round: 1, endsAt: Samples.after(seconds), currentPrice: seconds, isArchived: false,
            isDueAtEnd: isDueAtEnd)
    }

    @Test func `deadlines of open rooms are the latest, also while their rows lag behind, after a crash, and after a restart`()
        throws
    {
        let scratch = try Scratch()
        var log = try scratch.open()
        var room = try log.create(SampleRoom(1), status: status(0))
        for turn in 1...5 as ClosedRange<Int64> {
            room.status = status(turn)
            try log.commit(room.next())
        }
        let expected = [PendingRoom(room: room.id, endsAt: Samples.after(5))]
        #expect(try log.readers.read { try $0.long("SELECT seq FROM room") } == 1)
        #expect(try log.pendingRooms() == expected)
        let copy = try scratch.crash()
        #expect(try copy.open().pendingRooms() == expected)
        try log.writer.flushAll()
        #expect(try log.pendingRooms() == expected)
        log.close()
        log = try scratch.open()
        #expect(try log.pendingRooms() == expected)
    }

    @Test func `a deadline is left out as soon as something may be due before it`() throws {
        let scratch = try Scratch()
        let log = try scratch.open()
        var room = try log.create(SampleRoom(1), status: status(1))
        for isDueAtEnd in [false, true, false] {
            room.status = status(1, isDueAtEnd: isDueAtEnd)
            try log.commit(room.next())
            #expect(try log.pendingRooms() == [PendingRoom(room: room.id, endsAt: isDueAtEnd ? Samples.after(1) : nil)])
            // At once in its row too, because a start after a crash takes it from there.
            let openness = try log.readers.read { try $0.long("SELECT is_open FROM room") }
            #expect(openness == (isDueAtEnd ? 2 : 1))
        }
    }
}

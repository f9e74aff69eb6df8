import AuctionDomain
import EventLog
import GRDB
import Testing

@testable import EventLogSQLite

/// Numbers in rows that no hash covers: a damaged one is an error, or is ignored, and never ends the process.
@Suite struct SQLiteDamagedRows {
    /// Changes the file of a closed log.
    private func damage(_ scratch: Scratch, _ sql: String) throws {
        let database = try DatabaseQueue(path: scratch.path)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    @Test(arguments: [-1, 0, 199, 600, Int64.max])
    func `a stored response whose status cannot be sent is an error`(status: Int64) throws {
        let scratch = try Scratch()
        var log = try scratch.open()
        var room = SampleRoom(1)
        let position = try log.commit(room.next(responses: [Samples.response(1)]))[0]
        log.close()
        try damage(scratch, "UPDATE answer SET status = \(status)")
        log = try scratch.open()
        defer { log.close() }
        let error = #expect(throws: EventLogError.self) { try log.storedResponse(at: position) }
        #expect(error?.code == .corrupt)
    }
}

import AuctionDomain
import AuctionTestKit
import EventLog
import EventLogSQLite
import Testing

struct LogSizeTests {
    @Test func `the size counts what is written, and not the pages that deleted rows have left`() throws {
        let folder = try Scratch()
        let log = try SQLiteEventLog(path: folder.path)
        let empty = try log.size()
        #expect(empty.bytes > 0 && empty.freeBytes ?? 0 > 0)
        let large = [UInt8](repeating: 7, count: 60_000)
        for id in 0..<64 { #expect(try log.write([.put("large", "\(id)", large, if: .none)])) }
        try log.maintain()
        let full = try log.size()
        #expect(full.bytes > empty.bytes + 60_000 * 64)
        for id in 0..<64 { #expect(try log.write([.delete("large", "\(id)", if: .any)])) }
        try log.maintain()
        #expect(try log.size().bytes < full.bytes - 60_000 * 32)
    }
}

import Dispatch
import EventLog
import Foundation
import Testing

@testable import EventLogPostgres

/// Heartbeats beside other work.
@Suite struct PostgresHeartbeats {
    @Test func `a heartbeat does not wait for the sessions that read`() throws {
        let store = try TestStore()
        var limits = PostgresLimits()
        limits.readers = 1
        let log = try store.open(limits)
        defer { log.close() }
        let ended = DispatchSemaphore(value: 0)
        let isInTime = try log.pool.use { _ throws(SessionFailure) in
            Thread.detachNewThread {
                _ = try? log.heartbeat(of: NodeID(bits: 1))
                ended.signal()
            }
            return ended.wait(timeout: .now() + .seconds(20)) == .success
        }
        #expect(isInTime)
        #expect(try store.text("SELECT count(*)::text FROM node") == "1")
    }
}

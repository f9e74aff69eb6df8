import AuctionDomain
import Dispatch
import EventLog
import Foundation
import Synchronization
import Testing

@testable import EventLogPostgres

/// An upload and an operator's removal of the same picture at the same time.
@Suite struct PostgresPictureRaces {
    private static let picture = StoredPicture(
        type: "image/png", width: 24, height: 16, bytes: [UInt8](repeating: 7, count: 3000))
    private static let removed = PictureRecord(
        id: picture.id, isKept: true, bytes: 0, changedAt: Samples.after(5), uploads: [])

    private static func upload(by user: UInt128) -> PictureUpload {
        PictureUpload(room: RoomID(bits: 1), user: UserID(bits: user), at: Samples.after(Int64(user)))
    }

    /// Long timeouts, so that a call waits for the other transaction even on a slow machine.
    private func patient(_ store: TestStore) throws -> PostgresEventLog {
        var limits = PostgresLimits()
        (limits.statementMilliseconds, limits.replyMilliseconds) = (60_000, 60_000)
        return try store.open(limits)
    }

    /// The result of a call that waits for a transaction with other calls, which is committed then.
    private func result<Value: Sendable>(
        beside calls: [Call], in store: TestStore, of body: @escaping @Sendable () throws(EventLogError) -> Value
    ) throws -> Value? {
        let other = try store.session()
        try other.execute("BEGIN")
        _ = try other.run(calls)
        // A separate thread, because all threads of the task pool may be blocked in other tests.
        let outcome = Mutex<Result<Value, EventLogError>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let result = Result { () throws(EventLogError) in try body() }
            outcome.withLock { $0 = result }
            ended.signal()
        }
        let waiting = "SELECT count(*)::text FROM pg_stat_activity WHERE \(other.backend) = ANY (pg_blocking_pids(pid))"
        var polls = 0
        while try store.text(waiting) != "1" {
            polls += 1
            try #require(polls < 3000, "the call does not wait")
            Thread.sleep(forTimeInterval: 0.01)
        }
        try other.execute("COMMIT")
        ended.wait()
        return try outcome.withLock { $0 }?.get()
    }

    @Test func `an upload that waited for the picture's removal is refused, and counts for no quota`() throws {
        let store = try TestStore()
        let log = try patient(store)
        defer { log.close() }
        #expect(try log.pictures.store(Self.picture, by: Self.upload(by: 1), limits: .none) == .stored)
        let removal = PostgresPictures.removal(of: Self.picture.id, at: Samples.after(5))
        let verdict = try result(beside: removal, in: store) { () throws(EventLogError) in
            try log.pictures.store(Self.picture, by: Self.upload(by: 9), limits: .none)
        }
        #expect(verdict == .removed)
        #expect(try log.pictures.records(after: nil, limit: 9) == [Self.removed])
        #expect(log.pictures.total == PictureTotal())
    }

    @Test(arguments: [false, true])
    func `a removal that waited for an upload of the picture removes that too`(isStored: Bool) throws {
        let store = try TestStore()
        let log = try patient(store)
        defer { log.close() }
        if isStored { _ = try log.pictures.store(Self.picture, by: Self.upload(by: 1), limits: .none) }
        let upload = PostgresPictures.upload(Self.picture, by: Self.upload(by: 9))
        let isRemoved = try result(beside: upload, in: store) { () throws(EventLogError) in
            try log.pictures.remove(Self.picture.id, at: Samples.after(5))
        }
        #expect(isRemoved == true)
        #expect(try log.pictures.records(after: nil, limit: 9) == [Self.removed])
        #expect(log.pictures.total == PictureTotal())
    }

    @Test func `a preview that waited for another user's upload of the picture is refused`() throws {
        let store = try TestStore()
        let log = try patient(store)
        defer { log.close() }
        _ = try log.pictures.store(Self.picture, by: Self.upload(by: 1), limits: .none)
        let upload = PostgresPictures.upload(Self.picture, by: Self.upload(by: 9))
        let verdict = try result(beside: upload, in: store) { () throws(EventLogError) in
            let preview = StoredPicture(type: "image/png", width: 1, height: 1, bytes: [1, 2])
            return try log.pictures.store(preview: preview, of: Self.picture.id, by: Self.upload(by: 1), limits: .none)
        }
        #expect(verdict == .notUploader)
        #expect(try log.pictures.preview(of: Self.picture.id) == nil)
    }

    @Test(arguments: [false, true])
    func `a preview that a node of the version before left without its picture is not read`(isRemoved: Bool) throws {
        let store = try TestStore()
        let log = try store.open()
        defer { log.close() }
        let preview = StoredPicture(type: "image/png", width: 1, height: 1, bytes: [1, 2])
        func give() throws -> PictureVerdict {
            try log.pictures.store(preview: preview, of: Self.picture.id, by: Self.upload(by: 1), limits: .none)
        }
        _ = try log.pictures.store(Self.picture, by: Self.upload(by: 1), limits: .none)
        #expect(try give() == .stored)
        let session = try store.session()
        try session.execute("DELETE FROM media_upload")
        try session.execute(isRemoved ? "UPDATE media SET size = 0, bytes = '', kept = true" : "DELETE FROM media")
        try session.execute("UPDATE media_total SET count = 0, bytes = bytes - \(Self.picture.bytes.count)")
        #expect(try log.pictures.preview(of: Self.picture.id) == nil)
        #expect(try give() == (isRemoved ? .removed : .unknownOriginal))
        if isRemoved { return }
        _ = try log.pictures.store(Self.picture, by: Self.upload(by: 9), limits: .none)
        #expect(try log.pictures.preview(of: Self.picture.id) == nil)
        #expect(log.pictures.total == PictureTotal(count: 1, bytes: Self.picture.bytes.count))
    }
}

import AuctionDomain
import AuctionTestKit
import EventLog
import Foundation
import Testing

@testable import EventLogPostgres
@testable import EventLogSQLite

/// Logs that released versions wrote (`Tests/scripts/make-stored-data.sh`) are opened, read and continued by this one.
struct StoredDataTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Data").standardized
    private static let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

    /// What every version's log has: see `Tests/scripts/live/stored_data.py`.
    private func check(_ log: any EventLog, _ archive: any LogArchive) throws {
        let rooms = try archive.allRooms()
        #expect(rooms.count == 3)
        var names: [String] = []
        for room in rooms {
            #expect(try LogAudit.findings(of: room, in: archive) == [])
            let events = try log.events(of: room, after: 0, limit: .max, bytes: .max)
            let history = try #require(try log.load(room, keys: WantedKeys(since: Timestamp(milliseconds: 0))))
            #expect(history.head == RoomHead(seq: events.count, headHash: try #require(events.last).hash.headHash))
            var hash = EventHash.zero
            for event in events {
                hash = EventCodec.chain(hash, publicBytes: event.publicBytes, privateBytes: event.privateBytes)
                #expect(event.hash == hash)
            }
            let replay = try RoomReplay.room(room, from: history)
            names.append(replay.room.details.name)
            for key in history.responses { #expect(try log.storedResponse(at: key.position)?.key == key.key) }
        }
        #expect(names == ["Rounds, 拍卖", "A sale", "Archived"])
        #expect(try log.rooms(RoomQuery(limit: 10)).map(\.profile.name) == ["A sale", "Rounds, 拍卖"])
        let pictures = try #require(archive.storedPictures)
        let picture = try #require(try pictures.records(after: nil, limit: 2).first)
        #expect(picture.isKept)
        #expect(try pictures.picture(picture.id) != nil)
        let preview = StoredPicture(type: "image/png", width: 2, height: 1, bytes: [1, 2])
        let upload = try #require(picture.uploads.first)
        #expect(try log.pictures.store(preview: preview, of: picture.id, by: upload, limits: .none) == .stored)
        #expect(try pictures.preview(of: picture.id) == preview)
        let block = UserBlock(user: UserID(bits: 1), blocked: UserID(bits: 2), at: Samples.noon)
        #expect(try log.add(block) == .begun)
        #expect(try log.blocks(of: block.user, after: nil, limit: 2) == [block])
        try log.maintain()
        let last = try #require(try log.events(of: rooms[0], after: 0, limit: .max, bytes: .max).last)
        let bytes = Array(#"{"note":"a later event"}"#.utf8)
        let next = StoredEvent(
            seq: last.seq + 1, at: last.at, type: "note", publicBytes: bytes, privateBytes: nil,
            hash: EventCodec.chain(last.hash, publicBytes: bytes, privateBytes: nil))
        try log.commit(
            RoomAppend(
                room: rooms[0], expected: RoomHead(seq: last.seq, headHash: last.hash.headHash), events: [next], profile: nil,
                status: Samples.status(), responses: []))
        #expect(try log.events(of: rooms[0], after: last.seq, limit: 2, bytes: .max) == [next])
    }

    @Test func `there is data of the first version`() { #expect(Self.versions.contains("1.0.0")) }

    @Test(arguments: versions)
    func `a folder with a SQLite log is opened`(version: String) throws {
        let scratch = try Scratch()
        try FileManager.default.copyItem(atPath: Self.folder.path + "/" + version, toPath: scratch.directory)
        let path = scratch.directory + "/rooms.db"
        let archive = try SQLiteArchive(path: path)
        #expect(try archive.damage() == [])
        // A file that is not migrated yet has no table of them.
        #expect(try archive.blocks(after: nil, limit: 9) == [])
        let before = try #require(archive.storedPictures)
        for record in try before.records(after: nil, limit: 2) { #expect(try before.preview(of: record.id) == nil) }
        let log = try SQLiteEventLog(path: path)
        defer { log.close() }
        try check(log, archive)
    }

    @Test(arguments: versions)
    func `a dump of a PostgreSQL log is opened`(version: String) throws {
        let store = try TestStore()
        let session = try store.session()
        let dump = try String(contentsOfFile: Self.folder.path + "/" + version + "/postgres.sql", encoding: .utf8)
        for statement in dump.split(separator: ";\n") {
            try session.execute(String(statement).replacing("public.", with: store.schema + "."))
        }
        // The tables have to be migrated before they can be audited.
        let log = try store.open()
        defer { log.close() }
        let archive = try PostgresArchive(store.url)
        try check(log, archive)
    }
}

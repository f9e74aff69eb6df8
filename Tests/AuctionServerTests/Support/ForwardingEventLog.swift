import AuctionDomain
import EventLog

/// A log that forwards each call that it does not implement itself; the defaults of `EventLog` stay.
protocol ForwardingEventLog: EventLog {
    var forwarded: any EventLog { get }
}

extension ForwardingEventLog {
    var pictures: any PictureStore { forwarded.pictures }

    func append(_ batch: [RoomAppend]) throws(EventLogError) -> [AppendVerdict] { try forwarded.append(batch) }
    func save(_ snapshots: [RoomSnapshot]) throws(EventLogError) { try forwarded.save(snapshots) }

    func load(_ room: RoomID, keys: WantedKeys) throws(EventLogError) -> LoadedHistory? { try forwarded.load(room, keys: keys) }

    func events(of room: RoomID, after: Int, limit: Int, bytes: Int) throws(EventLogError) -> [StoredEvent] {
        try forwarded.events(of: room, after: after, limit: limit, bytes: bytes)
    }

    func storedResponse(at position: Int64) throws(EventLogError) -> StoredResponse? {
        try forwarded.storedResponse(at: position)
    }

    func pendingRooms() throws(EventLogError) -> [PendingRoom] { try forwarded.pendingRooms() }
    func rooms(_ query: RoomQuery) throws(EventLogError) -> [RoomRow] { try forwarded.rooms(query) }
    func rooms(_ query: UserRoomQuery) throws(EventLogError) -> UserRoomPage { try forwarded.rooms(query) }
    func roomCount(of user: UserID) throws(EventLogError) -> Int { try forwarded.roomCount(of: user) }
    func wins(_ query: WinQuery) throws(EventLogError) -> [WinRow] { try forwarded.wins(query) }
    func blocks(of user: UserID, after: UserID?, limit: Int) throws(EventLogError) -> [UserBlock] {
        try forwarded.blocks(of: user, after: after, limit: limit)
    }
    func add(_ block: UserBlock) throws(EventLogError) -> BlockOutcome { try forwarded.add(block) }
    func restore(_ blocks: [UserBlock]) throws(EventLogError) { try forwarded.restore(blocks) }
    func removeBlock(of blocked: UserID, by user: UserID) throws(EventLogError) -> Bool {
        try forwarded.removeBlock(of: blocked, by: user)
    }
    func moveBlocks(from guest: UserID, to user: UserID) throws(EventLogError) {
        try forwarded.moveBlocks(from: guest, to: user)
    }
    func record(_ kind: String, _ id: String) throws(EventLogError) -> StoredRecord? { try forwarded.record(kind, id) }
    func records(_ query: RecordQuery) throws(EventLogError) -> [StoredRecord] { try forwarded.records(query) }
    func write(_ changes: [RecordChange]) throws(EventLogError) -> Bool { try forwarded.write(changes) }
    func deleteExpiredRecords(at now: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try forwarded.deleteExpiredRecords(at: now, limit: limit)
    }
    func allRecords(after: (kind: String, id: String)?, limit: Int) throws(EventLogError) -> [StoredRecord] {
        try forwarded.allRecords(after: after, limit: limit)
    }
    func rooms(naming users: [UserID], after position: Int64, limit: Int) throws(EventLogError) -> NamingRooms {
        try forwarded.rooms(naming: users, after: position, limit: limit)
    }
    func replace(_ events: [StoredEvent], of room: RoomID, before seq: Int) throws(EventLogError) {
        try forwarded.replace(events, of: room, before: seq)
    }
    func rewriteResponses(
        naming users: [UserID], after position: Int64, limit: Int, _ rewrite: ([UInt8]) -> [UInt8]?
    ) throws(EventLogError) -> Int64? {
        try forwarded.rewriteResponses(naming: users, after: position, limit: limit, rewrite)
    }
    func purge() throws(EventLogError) -> Bool { try forwarded.purge() }
    func feedID() throws(EventLogError) -> UInt64 { try forwarded.feedID() }
    func feedEnd(asOf age: Int64) throws(EventLogError) -> FeedPosition { try forwarded.feedEnd(asOf: age) }
    func scanFeed(_ query: FeedQuery) throws(EventLogError) -> FeedScan { try forwarded.scanFeed(query) }
    func prunedEnd() throws(EventLogError) -> FeedPosition { try forwarded.prunedEnd() }
    func size() throws(EventLogError) -> LogSize { try forwarded.size() }
    func openRoomCount(of host: UserID) throws(EventLogError) -> Int { try forwarded.openRoomCount(of: host) }

    func deleteResponses(before cutoff: Timestamp, limit: Int) throws(EventLogError) -> Int {
        try forwarded.deleteResponses(before: cutoff, limit: limit)
    }

    func discardResponses(at positions: [Int64]) throws(EventLogError) { try forwarded.discardResponses(at: positions) }
    func maintain() throws(EventLogError) { try forwarded.maintain() }
    func probe() throws(EventLogError) { try forwarded.probe() }
    func close() { forwarded.close() }
}

import AuctionTestKit
import EventLog
import Testing

extension EventLog {
    fileprivate func ids(_ query: RecordQuery) throws -> [String] { try records(query).map(\.id) }
}

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `a record is written, replaced and deleted, and its version counts the changes`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            #expect(try log.record("token", "a") == nil)
            #expect(try log.write([.put("token", "a", [1])]))
            #expect(try log.write([.put("token", "a", [], expiresAt: Samples.noon)]))
            let record = StoredRecord(kind: "token", id: "a", version: 2, expiresAt: Samples.noon, content: [])
            #expect(try log.record("token", "a") == record)
            #expect(try log.record("webhook", "a") == nil)
            #expect(try log.write([.delete("token", "a"), .delete("token", "b")]))
            #expect(try log.record("token", "a") == nil)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `records are changed together, and only if all are as expected`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            #expect(try log.write([.put("k", "a", [1], if: .none), .put("k", "b", [2], if: .none)]))
            #expect(try !log.write([.put("k", "c", [3]), .put("k", "a", [9], if: .none)]))
            #expect(try !log.write([.put("k", "c", [3]), .put("k", "a", [9], if: .version(2))]))
            #expect(try !log.write([.put("k", "c", [3]), .delete("k", "d", if: .version(1))]))
            #expect(try log.record("k", "c") == nil && log.record("k", "a")?.content == [1])
            #expect(try log.write([.put("k", "a", [9], if: .version(1)), .delete("k", "b", if: .version(1))]))
            #expect(try log.record("k", "a")?.content == [9] && log.record("k", "b") == nil)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `records are listed in order of their ids, in pages, from either end`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            for id in ["b2", "a1", "b3", "b1", "c1"] { _ = try log.write([.put("k", id, Array(id.utf8))]) }
            _ = try log.write([.put("other", "b2", [])])
            #expect(try log.ids(RecordQuery(kind: "k", limit: 9)) == ["a1", "b1", "b2", "b3", "c1"])
            #expect(try log.ids(RecordQuery(kind: "k", after: "b1", limit: 2)) == ["b2", "b3"])
            #expect(try log.ids(RecordQuery(kind: "k", prefix: "b", limit: 9)) == ["b1", "b2", "b3"])
            #expect(try log.ids(RecordQuery(kind: "k", isDescending: true, limit: 2)) == ["c1", "b3"])
            #expect(
                try log.ids(RecordQuery(kind: "k", prefix: "b", after: "b3", isDescending: true, limit: 9)) == ["b2", "b1"])
            #expect(try log.ids(RecordQuery(kind: "none", limit: 9)) == [] && log.ids(RecordQuery(kind: "k", limit: 0)) == [])
            let all = try log.allRecords(after: nil, limit: 9)
            #expect(all.map(\.id) == ["a1", "b1", "b2", "b3", "c1", "b2"] && all.last?.kind == "other")
            #expect(try log.allRecords(after: ("k", "b3"), limit: 9).map(\.id) == ["c1", "b2"])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `expired records are deleted, the oldest first`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            _ = try log.write([.put("k", "kept", [])])
            for number in [3, 1, 2] as [Int64] {
                _ = try log.write([.put("k", "\(number)", [], expiresAt: Samples.after(number))])
            }
            #expect(try log.deleteExpiredRecords(at: Samples.noon, limit: 9) == 0)
            #expect(try log.deleteExpiredRecords(at: Samples.after(2), limit: 1) == 1)
            #expect(try log.ids(RecordQuery(kind: "k", limit: 9)) == ["2", "3", "kept"])
            #expect(try log.deleteExpiredRecords(at: Samples.after(2), limit: 9) == 1)
            #expect(try log.ids(RecordQuery(kind: "k", limit: 9)) == ["3", "kept"])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `changes beyond the bounds of records are refused`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let large = [UInt8](repeating: 7, count: RecordLimits.contentBytes)
            #expect(try log.write([.put("k", String(repeating: "i", count: RecordLimits.nameBytes), large)]))
            let invalid: [[RecordChange]] = [
                [.put("k", "a", large + [7])], [.put("", "a", [])], [.put("k", "", [])],
                [.put("k", "a", []), .delete("k", "a")],
                [.put("k", String(repeating: "i", count: RecordLimits.nameBytes + 1), [])],
                (0...RecordLimits.changes).map { .put("k", "\($0)", []) },
            ]
            for changes in invalid { #expect(throws: EventLogError.self) { try log.write(changes) } }
            #expect(try log.allRecords(after: nil, limit: 9).count == 1)
        }
    }

    @Test(arguments: LogBackEnd.durable)
    func `a record is present after the log is reopened`(_ backEnd: LogBackEnd) throws {
        try backEnd.withPlace { place throws in
            let log = try backEnd.open(place)
            _ = try log.write([.put("k", "a", [0, 255])])
            let feed = try log.feedID()
            log.close()
            let again = try backEnd.open(place)
            defer { again.close() }
            #expect(try again.record("k", "a")?.content == [0, 255] && again.feedID() == feed)
        }
    }
}

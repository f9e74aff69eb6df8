import AuctionDomain
import EventLog
import Testing

@testable import EventLogPostgres

/// What a node concludes from the reply to an append.
@Suite struct PostgresReplies {
    @Test(arguments: [0, 2, 3])
    func `a reply that does not say how much was written acknowledges nothing`(written: Int) throws {
        var (room, other) = (SampleRoom(1), SampleRoom(2))
        let chains = try AppendPlan([room.next(), room.comparison(with: room.head), other.comparison(with: .none)]).rounds[0]
        let session = try TestStore().session()
        let rows = try session.run([Call(reply(written))])[0]
        let error = #expect(throws: SessionFailure.self) { _ = try AppendStatement.outcomes(rows, of: chains) }
        #expect(error?.kind == .noReply)
        let sound = try session.run([Call(reply(1))])[0]
        #expect(try AppendStatement.outcomes(sound, of: chains).outcomes.map(\.isAppended) == [true, true])
    }

    private func reply(_ written: Int) -> Statement {
        Statement(
            name: "", sql: "SELECT 0::bigint, \(written)::bigint, 0::bigint, 0::bigint, NULL::bigint[], 1764000000000::bigint")
    }

    /// With a changed profile another statement is used.
    @Test(arguments: [false, true])
    func `each room of a batch gets its own verdict, and each response its position`(changesProfile: Bool) throws {
        let store = try TestStore()
        let log = try store.open(validatesTime: false)
        defer { log.close() }
        var rooms = try (0..<7).map { try log.create(SampleRoom(UInt64(9 - $0))) }
        let heads = rooms.map(\.head)
        var foreign = rooms[1]
        foreign.branch = 5
        try log.commit(foreign.next())
        let other = try store.session()
        try other.execute("BEGIN")
        try other.execute("SELECT 1 FROM room WHERE id = '\(rooms[2].id)' FOR UPDATE")
        var fresh = SampleRoom(20)
        let batch = [
            rooms[0].next(responses: [Samples.response(1), Samples.response(2)]),
            rooms[1].next(responses: [Samples.response(3)]),
            rooms[2].next(responses: [Samples.response(4)]),
            rooms[3].comparison(with: heads[3]),
            rooms[4].comparison(with: RoomHead(seq: 7, headHash: 7)),
            rooms[5].next(profile: changesProfile ? Samples.profile(name: "Renamed") : nil, responses: [Samples.response(5)]),
            rooms[0].next(responses: [Samples.response(6)]),
            fresh.comparison(with: .none),
            rooms[6].next(2),
        ]
        let verdicts = try log.append(changesProfile ? batch + [fresh.next(responses: [Samples.response(7)])] : batch)
        try other.execute("ROLLBACK")
        #expect(verdicts[1] == .conflict(actual: foreign.head))
        #expect(verdicts[2] == .deferred(.locked))
        #expect(verdicts[3] == .appended(responsePositions: []))
        #expect(verdicts[4] == .conflict(actual: heads[4]))
        #expect(verdicts[7] == .appended(responsePositions: []))
        #expect(verdicts[8] == .appended(responsePositions: []))
        let keys: [[UInt128]] = try verdicts.map { verdict in
            guard case .appended(let positions) = verdict else { return [] }
            return try positions.compactMap { try log.storedResponse(at: $0)?.key }.map { $0 & 0xFF }
        }
        #expect(keys == [[1, 2], [], [], [], [], [5], [6], [], []] + (changesProfile ? [[7]] : []))
        #expect(try rooms.map { try log.seqs($0.id).count } == [3, 2, 1, 1, 1, 2, 3])
        #expect(try log.heads(of: [rooms[0].id, rooms[6].id]) == [rooms[0].head, rooms[6].head])
    }
}

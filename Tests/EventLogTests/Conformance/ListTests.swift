import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `rooms are listed newest first in pages`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            // Identifiers decrease while positions increase, to show that the order is that of creation.
            let rooms = try (0..<10).map { try log.create(SampleRoom(UInt64(100 - $0))) }
            var seen: [RoomID] = []
            var query = RoomQuery(limit: 4)
            for expected in [4, 4, 2, 0] {
                let page = try log.rooms(query)
                #expect(page.count == expected)
                seen += page.map(\.room)
                query.after = page.last?.position ?? query.after
            }
            #expect(seen == rooms.map(\.id).reversed())
            #expect(try log.rooms(RoomQuery(limit: 0)).isEmpty)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a page continues where the previous one ended although rooms were added`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let rooms = try (1...4).map { try log.create(SampleRoom(UInt64($0))) }
            let first = try log.rooms(RoomQuery(limit: 2))
            _ = try log.create(SampleRoom(9))
            let second = try log.rooms(RoomQuery(after: first.last?.position, limit: 10))
            #expect((first + second).map(\.room) == rooms.map(\.id).reversed())
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a row shows head, profile and status as last written`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next())
            room.status = Samples.status("auctioning", endsAt: Samples.after(9), price: 12_345)
            let renamed = Samples.profile(name: "Renamed", item: "Vase")
            try log.commit(room.next(profile: renamed))
            room.status = Samples.status("auctioning", endsAt: Samples.after(20), price: .max)
            try log.commit(room.next())
            let row = try #require(try log.rooms(RoomQuery(limit: 1)).first)
            #expect(row.room == room.id)
            #expect(row.head == room.head)
            #expect(row.profile == renamed)
            #expect(row.status == room.status)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a list can be filtered by state`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var rooms = try (1...6).map { number in
                try log.create(SampleRoom(UInt64(number)), status: Samples.status(number % 2 == 0 ? "listing" : "closed"))
            }
            func listed(_ state: String) throws -> [RoomID] {
                try log.rooms(RoomQuery(state: state, limit: 10)).map(\.room)
            }
            #expect(try listed("listing") == [rooms[5].id, rooms[3].id, rooms[1].id])
            rooms[3].status = Samples.status("closed")
            try log.commit(rooms[3].next())
            #expect(try listed("listing") == [rooms[5].id, rooms[1].id])
            #expect(try listed("closed") == [rooms[4].id, rooms[3].id, rooms[2].id, rooms[0].id])
            #expect(try listed("nonsense").isEmpty)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a private room is listed for its host only`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let open = try log.create(SampleRoom(1))
            let ada = try log.create(SampleRoom(2, profile: Samples.profile(host: 10, visibility: "private")))
            let bob = try log.create(SampleRoom(3, profile: Samples.profile(host: 11, visibility: "private")))
            let last = try log.create(SampleRoom(4, profile: Samples.profile(host: 10)))
            func listed(_ viewer: UInt128?, limit: Int = 10) throws -> [RoomID] {
                try log.rooms(RoomQuery(viewer: viewer.map { UserID(bits: $0) }, limit: limit)).map(\.room)
            }
            #expect(try listed(nil) == [last.id, open.id])
            #expect(try listed(10) == [last.id, ada.id, open.id])
            #expect(try listed(11) == [last.id, bob.id, open.id])
            #expect(try listed(12) == [last.id, open.id])
            #expect(try listed(10, limit: 2) == [last.id, ada.id])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a complete list has all private rooms, or those of one host`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let ada = try log.create(SampleRoom(2, profile: Samples.profile(host: 10, visibility: "private")))
            let bob = try log.create(
                SampleRoom(3, profile: Samples.profile(host: 11, visibility: "private")), status: Samples.status("closed"))
            let last = try log.create(SampleRoom(4, profile: Samples.profile(host: 10)))
            let archived = try log.create(SampleRoom(5), status: Samples.status("closed", archived: true))
            func listed(host: UInt128? = nil, state: String? = nil, after: RoomRow? = nil, limit: Int = 10) throws -> [RoomRow]
            {
                var query = RoomQuery(state: state, after: after?.position, limit: limit)
                query.isComplete = true
                query.host = host.map { UserID(bits: $0) }
                return try log.rooms(query)
            }
            #expect(try listed().map(\.room) == [last.id, bob.id, ada.id])
            #expect(try listed(host: 10).map(\.room) == [last.id, ada.id])
            #expect(try listed(host: 11, state: "closed").map(\.room) == [bob.id])
            #expect(try listed(host: 10, state: "closed").isEmpty && !listed().contains { $0.room == archived.id })
            let first = try listed(limit: 1)
            #expect(try listed(after: first.first, limit: 1).map(\.room) == [bob.id])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a room that becomes private leaves the public list`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = try log.create(SampleRoom(1))
            try log.commit(room.next(profile: Samples.profile(visibility: "private")))
            #expect(try log.rooms(RoomQuery(limit: 10)).isEmpty)
            #expect(try log.rooms(RoomQuery(viewer: room.profile.host.id, limit: 10)).count == 1)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `archived rooms are not listed`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = try log.create(SampleRoom(1), status: Samples.status("closed"))
            let other = try log.create(SampleRoom(2), status: Samples.status("closed"))
            room.status = Samples.status("closed", archived: true)
            try log.commit(room.next())
            #expect(try log.rooms(RoomQuery(limit: 10)).map(\.room) == [other.id])
            #expect(try log.rooms(RoomQuery(state: "closed", limit: 10)).map(\.room) == [other.id])
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.head == room.head)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `open rooms are those with a running countdown that are not archived`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let running = Samples.status("auctioning", endsAt: Samples.noon)
            var rooms = try (1...4).map { try log.create(SampleRoom(UInt64($0)), status: running) }
            let never = try log.create(SampleRoom(5))
            rooms[0].status = Samples.status("auctioning", endsAt: nil)
            rooms[1].status = Samples.status("auctioning", endsAt: Samples.noon, archived: true)
            rooms[2].status = Samples.status("auctioning", endsAt: Samples.after(5))
            for index in rooms.indices { try log.commit(rooms[index].next()) }
            #expect(try Set(log.openRooms()) == [rooms[2].id, rooms[3].id])
            #expect(try !log.openRooms().contains(never.id))
            rooms[0].status = running
            try log.commit(rooms[0].next())
            #expect(try Set(log.openRooms()) == [rooms[0].id, rooms[2].id, rooms[3].id])
        }
    }
}

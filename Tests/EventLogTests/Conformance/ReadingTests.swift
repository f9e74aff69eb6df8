import AuctionDomain
import EventLog
import Testing

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `a page of events is limited in bytes but always has at least one event`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            for size in [100, 100, 100, 1000, 10, 10] { try log.commit(room.next(bytes: Array(repeating: 32, count: size))) }
            func page(_ after: Int, _ bytes: Int, limit: Int = 100) throws -> [Int] {
                try log.events(of: room.id, after: after, limit: limit, bytes: bytes).map(\.seq)
            }
            #expect(try page(0, 300) == [1, 2, 3])
            #expect(try page(0, 299) == [1, 2])
            #expect(try page(0, 300, limit: 2) == [1, 2])
            #expect(try page(2, 500) == [3])
            #expect(try page(3, 500) == [4])
            #expect(try page(3, 0) == [4])
            #expect(try page(3, 1010) == [4, 5])
            #expect(try page(4, 1_000_000) == [5, 6])
            #expect(try page(6, 1000).isEmpty)
            #expect(try page(0, .max) == [1, 2, 3, 4, 5, 6])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `private bytes count towards a page's limit`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next(2, bytes: Array(repeating: 32, count: 100)))
            let hidden = Samples.event(3, bytes: Array(repeating: 32, count: 100), hidden: Array(repeating: 32, count: 200))
            try log.commit(
                RoomAppend(
                    room: room.id, expected: room.head, events: [hidden], profile: nil, status: room.status, responses: []))
            #expect(try log.events(of: room.id, after: 0, limit: 9, bytes: 399).map(\.seq) == [1, 2])
            #expect(try log.events(of: room.id, after: 0, limit: 9, bytes: 500).map(\.seq) == [1, 2, 3])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `events are read in pages and in order`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            var other = SampleRoom(2)
            for _ in 0..<5 { _ = try log.append([room.next(2), other.next()]) }
            #expect(try log.events(of: room.id, after: 0, limit: 4).map(\.seq) == [1, 2, 3, 4])
            #expect(try log.events(of: room.id, after: 4, limit: 4).map(\.seq) == [5, 6, 7, 8])
            #expect(try log.events(of: room.id, after: 8, limit: 4).map(\.seq) == [9, 10])
            #expect(try log.events(of: room.id, after: 10, limit: 4).isEmpty)
            #expect(try log.events(of: room.id, after: 1000, limit: 4).isEmpty)
            #expect(try log.events(of: room.id, after: 0, limit: 0).isEmpty)
            #expect(try log.events(of: SampleRoom(9).id, after: 0, limit: 4).isEmpty)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `loading an unknown room returns nil`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in #expect(try log.load(SampleRoom(1).id, responsesSince: Samples.noon) == nil) }
    }

    @Test(arguments: LogBackEnd.all)
    func `without a snapshot all events are loaded`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next(5))
            let loaded = try #require(try log.load(room.id, responsesSince: Samples.noon))
            #expect(loaded.head == room.head)
            #expect(loaded.snapshot == nil)
            #expect(loaded.hashAtSnapshot == .zero)
            #expect(loaded.events.map(\.seq) == [1, 2, 3, 4, 5])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `with a snapshot only the events after it are loaded`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next(5))
            let snapshot = RoomSnapshot(room: room.id, seq: 3, bytes: Array("state".utf8))
            try log.save([snapshot])
            let loaded = try #require(try log.load(room.id, responsesSince: Samples.noon))
            #expect(loaded.snapshot == snapshot)
            #expect(loaded.hashAtSnapshot == Samples.hash(3))
            #expect(loaded.events.map(\.seq) == [4, 5])
            #expect(try log.seqs(room.id) == [1, 2, 3, 4, 5])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a snapshot replaces only older ones`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next(5))
            let older = RoomSnapshot(room: room.id, seq: 2, bytes: [2])
            let newer = RoomSnapshot(room: room.id, seq: 5, bytes: [UInt8](repeating: 5, count: 100_000))
            try log.save([older, newer])
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot == newer)
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.events.isEmpty == true)
            try log.save([older])
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot == newer)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a snapshot beyond the committed history is ignored`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let room = try log.create(SampleRoom(1))
            let unknown = SampleRoom(2)
            try log.save([
                RoomSnapshot(room: room.id, seq: 2, bytes: [1]), RoomSnapshot(room: unknown.id, seq: 1, bytes: [1]),
            ])
            #expect(try log.load(room.id, responsesSince: Samples.noon)?.snapshot == nil)
            #expect(try log.load(unknown.id, responsesSince: Samples.noon) == nil)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `texts read back unchanged`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            let name = "拍卖 🎨 naïve é e\u{301} \u{0} \"quoted\" 'single'"
            let profile = RoomProfile(
                name: name, host: Person(id: UserID(bits: .max), nickname: "李雷\u{202E}"), currency: "CNY",
                visibility: "public", openedAt: Timestamp(milliseconds: -1), itemName: "",
                premium: Premium(rawValue: 1250), offer: RoomOffer(name: "", picture: nil, startingPrice: 0),
                startsAt: Timestamp(milliseconds: -2))
            var room = SampleRoom(1, profile: profile)
            try log.commit(room.next(bytes: Array(name.utf8)))
            let row = try #require(try log.rooms(RoomQuery(limit: 1)).first)
            #expect(row.profile == profile)
            #expect(Array(row.profile.name.utf8) == Array(name.utf8))
            #expect(try log.events(of: room.id, after: 0, limit: 1).first?.publicBytes == Array(name.utf8))
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `what a room offers is in its row, and goes again`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            func profile(_ item: String?, _ offer: RoomOffer?, startsAt: Timestamp? = nil) -> RoomProfile {
                RoomProfile(
                    name: "Sale", host: Person(id: UserID(bits: 1), nickname: "Ann"), currency: "EUR", visibility: "public",
                    openedAt: Samples.noon, itemName: item, offer: offer, startsAt: startsAt)
            }
            let picture = PictureID(of: [1])
            let profiles = [
                profile(nil, RoomOffer(name: "Vase", picture: picture, startingPrice: 500), startsAt: Samples.after(60)),
                profile("Jug", RoomOffer(name: "Jug", picture: nil, startingPrice: 700)), profile(nil, nil),
            ]
            var room = SampleRoom(1, profile: profiles[0])
            for profile in profiles {
                room.profile = profile
                try log.commit(room.next(profile: profile))
                #expect(try log.rooms(RoomQuery(limit: 1)).map(\.profile) == [profile])
            }
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `concurrent readers see complete batches only`(_ backEnd: LogBackEnd) async throws {
        let place = backEnd.temporaryPlace()
        defer { backEnd.remove(place) }
        let log = try backEnd.open(place)
        defer { log.close() }
        let id = SampleRoom(1).id
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var room = SampleRoom(1)
                for _ in 0..<200 { try log.commit(room.next(3)) }
            }
            for _ in 0..<3 {
                group.addTask {
                    var last = 0
                    while last < 600 {
                        guard let loaded = try log.load(id, responsesSince: Samples.noon) else { continue }
                        #expect(loaded.events.map(\.seq) == Array(1...loaded.head.seq))
                        #expect(loaded.head.seq.isMultiple(of: 3) && loaded.head.seq >= last)
                        last = loaded.head.seq
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

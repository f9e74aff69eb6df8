import AuctionDomain
import EventLog
import Testing

private let ann = UserID(bits: 0xA11)
private let bob = UserID(bits: 0xB0B)

extension UserChanges {
    /// The changes of these rows, and of these sales.
    init(_ participations: Participation..., wins: [Win] = [], archives: Bool = false) {
        self.init()
        self.participations = participations
        self.wins = wins
        self.archives = archives
    }
}

private func bidder(_ user: UserID, round: Int? = nil) -> Participation {
    Participation(user: user, role: "bidder", bidRound: round)
}

private func sale(_ round: Int, to user: UserID, at milliseconds: Int64) -> Win {
    Win(
        winner: user, round: round, item: ItemID(bits: UInt128(round)), itemName: "Vase \(round)", price: 100 * Int64(round),
        at: Samples.after(milliseconds))
}

extension EventLog {
    fileprivate func list(_ user: UserID, _ selection: UserRoomQuery.Selection = .memberships) throws -> [RoomID] {
        try rooms(UserRoomQuery(user: user, selection, limit: 100)).rows.map(\.room.room)
    }

    fileprivate func wins(of user: UserID) throws -> [Win] { try wins(WinQuery(user: user, limit: 100)).map(\.win) }
}

extension LogConformance {
    @Test(arguments: LogBackEnd.all)
    func `a user's rooms are listed newest first in pages, with the role and as last written`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var rooms = (0..<5).map { SampleRoom(UInt64(100 - $0)) }
            for index in rooms.indices { try log.commit(rooms[index].next(users: UserChanges(bidder(ann)))) }
            try log.create(SampleRoom(7))
            rooms[4].status = Samples.status("auctioning", endsAt: Samples.after(9), price: 12_345)
            try log.commit(rooms[4].next(users: UserChanges(Participation(user: ann, role: "host", bidRound: nil))))
            var (seen, after): ([UserRoomRow], Int64?) = ([], nil)
            for expected in [2, 2, 1] {
                let page = try log.rooms(UserRoomQuery(user: ann, .memberships, after: after, limit: 2))
                #expect(page.rows.count == expected)
                seen += page.rows
                after = page.next
            }
            #expect(after == nil)
            #expect(seen.map(\.room.room) == rooms.map(\.id).reversed())
            #expect(seen.map(\.role) == ["host", "bidder", "bidder", "bidder", "bidder"])
            #expect(seen[0].room.head == rooms[4].head)
            #expect(seen[0].room.status == rooms[4].status)
            #expect(try log.roomCount(of: ann) == 5)
            #expect(try log.roomCount(of: bob) == 0)
            #expect(try log.list(bob) == [])
            #expect(try log.rooms(UserRoomQuery(user: ann, .memberships, limit: 0)).rows.isEmpty)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `an empty row ends a membership, and archiving ends all of the room's`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var (left, archived) = (SampleRoom(1), SampleRoom(2))
            try log.commit(left.next(users: UserChanges(bidder(ann), bidder(bob))))
            try log.commit(archived.next(users: UserChanges(bidder(ann), bidder(bob))))
            try log.commit(left.next(users: UserChanges(Participation(user: ann, role: nil, bidRound: nil))))
            archived.status = Samples.status(archived: true)
            try log.commit(archived.next(users: UserChanges(archives: true)))
            #expect(try log.list(ann) == [])
            #expect(try log.list(bob) == [left.id])
            try log.commit(left.next(users: UserChanges(bidder(ann))))
            #expect(try log.list(ann) == [left.id])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a user who joins a room in the batch that archives it gets no row`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next(users: UserChanges(bidder(bob))))
            let joins = room.next(users: UserChanges(bidder(ann), wins: [sale(1, to: ann, at: 1)]))
            room.status = Samples.status(archived: true)
            let verdicts = try log.append([joins, room.next(users: UserChanges(archives: true))])
            #expect(verdicts == [.appended(responsePositions: []), .appended(responsePositions: [])])
            for user in [ann, bob] {
                #expect(try log.roomCount(of: user) == 0)
                #expect(try log.list(user) == [])
            }
            #expect(try log.wins(of: ann).count == 1)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a standing bid is of the room's current round, until that is closed`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            func status(_ state: String, _ round: Int) -> RoomStatus {
                RoomStatus(state: state, round: round, endsAt: nil, currentPrice: nil, isArchived: false)
            }
            room.status = status("auctioning", 1)
            try log.commit(room.next(users: UserChanges(bidder(ann), bidder(bob, round: 1))))
            #expect(try log.list(ann, .standingBids) == [])
            #expect(try log.list(bob, .standingBids) == [room.id])
            // Also of a user who is no member any more.
            try log.commit(room.next(users: UserChanges(Participation(user: bob, role: nil, bidRound: 1))))
            #expect(try log.list(bob, .standingBids) == [room.id])
            #expect(try log.list(bob) == [])
            room.status = status("closed", 1)
            try log.commit(room.next())
            #expect(try log.list(bob, .standingBids) == [])
            room.status = status("auctioning", 2)
            try log.commit(room.next(users: UserChanges(bidder(ann, round: 2))))
            #expect(try log.list(bob, .standingBids) == [])
            #expect(try log.list(ann, .standingBids) == [room.id])
            // One append may end a round and begin bidding in the next.
            room.status = status("auctioning", 3)
            try log.commit(room.next(users: UserChanges(bidder(bob, round: 3))))
            #expect(try log.list(bob, .standingBids) == [room.id])
            #expect(try log.list(ann, .standingBids) == [])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `sales are listed newest first in pages, for their buyer`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var (first, second) = (SampleRoom(1), SampleRoom(2))
            try log.commit(first.next(users: UserChanges(wins: [sale(1, to: ann, at: 5), sale(2, to: bob, at: 6)])))
            // Two sales at the same instant, and an older one that is written later.
            try log.commit(second.next(users: UserChanges(wins: [sale(1, to: ann, at: 5), sale(2, to: ann, at: 3)])))
            try log.commit(first.next(users: UserChanges(wins: [sale(3, to: ann, at: 9)])))
            let all = try log.wins(WinQuery(user: ann, limit: 10))
            #expect(
                all.map(\.win) == [
                    sale(3, to: ann, at: 9), sale(1, to: ann, at: 5), sale(1, to: ann, at: 5), sale(2, to: ann, at: 3),
                ])
            #expect(all.map(\.room) == [first.id, second.id, first.id, second.id])
            #expect(all[0].roomName == "Spring sale")
            #expect(all[0].currency == "EUR")
            var (seen, after): ([WinRow], WinPlace?) = ([], nil)
            repeat {
                let page = try log.wins(WinQuery(user: ann, after: after, limit: 1))
                seen += page
                after = page.last?.place
            } while after != nil
            #expect(seen == all)
            #expect(try log.wins(of: bob) == [sale(2, to: bob, at: 6)])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a link transfers a guest's wins in one room to the user`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var (linked, other) = (SampleRoom(1), SampleRoom(2))
            try log.commit(
                linked.next(users: UserChanges(bidder(ann), wins: [sale(1, to: ann, at: 1), sale(2, to: bob, at: 2)])))
            try log.commit(other.next(users: UserChanges(wins: [sale(1, to: ann, at: 3)])))
            var late = linked
            try log.commit(linked.next())
            late.branch = 1
            var link = UserChanges(Participation(user: ann, role: nil, bidRound: nil), bidder(bob))
            link.add(WinTransfer(from: ann, to: bob))
            // Nothing moves with an append that conflicts.
            #expect(try log.append([late.next(users: link)]) != [.appended(responsePositions: [])])
            #expect(try log.wins(of: ann) == [sale(1, to: ann, at: 3), sale(1, to: ann, at: 1)])
            // A sale and the link in one batch.
            let batch = [linked.next(users: UserChanges(wins: [sale(3, to: ann, at: 4)])), linked.next(users: link)]
            #expect(try log.append(batch) == [.appended(responsePositions: []), .appended(responsePositions: [])])
            #expect(try log.wins(of: ann) == [sale(1, to: ann, at: 3)])
            #expect(
                try log.wins(of: bob) == [sale(3, to: bob, at: 4), sale(2, to: bob, at: 2), sale(1, to: bob, at: 1)])
            #expect(try log.list(ann) == [])
            #expect(try log.list(bob) == [linked.id])
            // An archived room is linked for its sales.
            other.status = Samples.status(archived: true)
            try log.commit(other.next(users: UserChanges(archives: true)))
            var archived = UserChanges(archives: true)
            archived.add(WinTransfer(from: ann, to: bob))
            try log.commit(other.next(users: archived))
            #expect(try log.wins(of: ann) == [])
            #expect(try log.wins(of: bob).count == 4)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `a sale that is voided leaves the list, and one with another buyer is theirs, also beside a link`(
        _ backEnd: LogBackEnd
    ) throws {
        try backEnd.withLog { log throws in
            let carol = UserID(bits: 0xCA1)
            var (room, other) = (SampleRoom(1), SampleRoom(2))
            let sales = [sale(1, to: ann, at: 1), sale(2, to: ann, at: 2), sale(3, to: bob, at: 3)]
            try log.commit(room.next(users: UserChanges(bidder(ann), wins: sales)))
            try log.commit(other.next(users: UserChanges(wins: [sale(1, to: ann, at: 4)])))
            var voided = UserChanges()
            voided.rewrite([1])
            try log.commit(room.next(users: voided))
            #expect(try log.wins(of: ann) == [sale(1, to: ann, at: 4), sale(2, to: ann, at: 2)])
            // Another buyer, and in the same append the link of the one who bought it first, and of another sale.
            var resold = UserChanges()
            resold.add(WinTransfer(from: ann, to: carol))
            resold.rewrite([3, 2])
            resold.wins = [sale(2, to: bob, at: 9)]
            try log.commit(room.next(users: resold))
            #expect(try log.wins(of: bob) == [sale(2, to: bob, at: 9)])
            #expect(try log.wins(of: carol).isEmpty)
            // A sale and its void in one batch, and in one append.
            var late = UserChanges()
            late.rewrite([4])
            let batch = [room.next(users: UserChanges(wins: [sale(4, to: bob, at: 10)])), room.next(users: late)]
            #expect(try log.append(batch) == [.appended(responsePositions: []), .appended(responsePositions: [])])
            var both = UserChanges(wins: [sale(5, to: bob, at: 11)])
            both.rewrite([5])
            #expect(both.wins.isEmpty)
            try log.commit(room.next(users: both))
            #expect(try log.wins(of: bob) == [sale(2, to: bob, at: 9)])
            #expect(try log.wins(of: ann) == [sale(1, to: ann, at: 4)])
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `rooms to link are all with a membership, a bid or a sale, archived ones too`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var rooms = (0..<6).map { SampleRoom(UInt64($0 + 1)) }
            try log.commit(
                rooms[0].next(users: UserChanges(bidder(ann), wins: [sale(1, to: ann, at: 1), sale(2, to: ann, at: 2)])))
            try log.commit(rooms[1].next(users: UserChanges(Participation(user: ann, role: nil, bidRound: 1))))
            try log.commit(rooms[2].next(users: UserChanges(wins: [sale(1, to: ann, at: 3)])))
            try log.commit(rooms[3].next(users: UserChanges(bidder(ann))))
            rooms[4].status = Samples.status(archived: true)
            try log.commit(rooms[4].next(users: UserChanges(wins: [sale(1, to: ann, at: 4)], archives: true)))
            // A membership of an archived room is nothing to link.
            var over = SampleRoom(9)
            try log.commit(over.next(users: UserChanges(bidder(ann))))
            over.status = Samples.status(archived: true)
            try log.commit(over.next(users: UserChanges(archives: true)))
            try log.commit(rooms[5].next(users: UserChanges(bidder(bob), wins: [sale(1, to: bob, at: 5)])))
            var (seen, pages, after): ([UserRoomRow], Int, Int64?) = ([], 0, nil)
            repeat {
                let page = try log.rooms(UserRoomQuery(user: ann, .linkable, after: after, limit: 2))
                seen += page.rows
                (pages, after) = (pages + 1, page.next)
            } while after != nil && pages < 9
            #expect(seen.map(\.room.room) == rooms[...4].reversed().map(\.id))
            #expect(seen.map(\.role) == [nil, "bidder", nil, nil, "bidder"])
            #expect(pages == 3)
            #expect(seen[0].room.status.isArchived)
        }
    }

    @Test(arguments: LogBackEnd.all)
    func `the index changes with the events, or not at all`(_ backEnd: LogBackEnd) throws {
        try backEnd.withLog { log throws in
            var room = SampleRoom(1)
            try log.commit(room.next())
            var late = room
            try log.commit(room.next())
            late.branch = 1
            // Elements of one batch that continue each other: the last row of a user counts.
            let batch = [
                late.next(users: UserChanges(bidder(ann, round: 1), wins: [sale(1, to: ann, at: 1)])),
                room.next(users: UserChanges(bidder(bob), Participation(user: ann, role: "viewer", bidRound: nil))),
                room.next(users: UserChanges(bidder(bob, round: 1), wins: [sale(1, to: bob, at: 1)])),
            ]
            let verdicts = try log.append(batch)
            #expect(verdicts[0] != .appended(responsePositions: []))
            #expect(try log.rooms(UserRoomQuery(user: ann, .memberships, limit: 9)).rows.map(\.role) == ["viewer"])
            #expect(try log.list(ann, .standingBids) == [])
            #expect(try log.list(bob, .standingBids) == [room.id])
            #expect(try log.wins(of: ann) == [])
            #expect(try log.wins(of: bob).count == 1)
            let bare = RoomAppend(
                room: room.id, expected: room.head, events: [], profile: nil, status: room.status, responses: [],
                users: UserChanges(bidder(ann)))
            #expect(throws: EventLogError.self) { try log.append([bare]) }
        }
    }

    @Test(arguments: LogBackEnd.durable, [UserRoomQuery.Selection.standingBids, .memberships])
    func `a page ends where the limit of rows to read is reached`(
        _ backEnd: LogBackEnd, _ selection: UserRoomQuery.Selection
    ) throws {
        try backEnd.withLog { log throws in
            let count = UserRoomQuery.scanLimit + 2
            var rooms = (1...count).map { SampleRoom(UInt64($0)) }
            rooms[0].status = Samples.status("auctioning")
            // In all rooms but the oldest: bids of a round that is over, by users who have left.
            let batch = rooms.indices.map { index in
                let past = Participation(user: ann, role: nil, bidRound: 7)
                return rooms[index].next(users: UserChanges(index == 0 ? bidder(ann, round: 1) : past))
            }
            for start in stride(from: 0, to: count, by: 500) {
                _ = try log.append(Array(batch[start..<min(count, start + 500)]))
            }
            let first = try log.rooms(UserRoomQuery(user: ann, selection, limit: 10))
            #expect(first.rows.isEmpty)
            let after = try #require(first.next)
            let second = try log.rooms(UserRoomQuery(user: ann, selection, after: after, limit: 10))
            #expect(second.rows.map(\.room.room) == [rooms[0].id])
            #expect(second.next == nil)
        }
    }
}

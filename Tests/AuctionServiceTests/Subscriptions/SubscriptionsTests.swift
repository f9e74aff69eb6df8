import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// The subscribers of one event loop on a private room: its host, and a bidder who is banned by the last event.
struct SubscriptionsTests {
    private let auction = Auction()
    private let now: Int64 = 0
    private let start = Timestamp(milliseconds: 1_767_225_600_000)

    private struct Fixture {
        let rooms: CommittedRooms
        let room: CommittedRoom
        /// The room before and after the ban, which is `events.last`.
        let states: [Room]
        let events: [StoredEvent]
        var subscriptions = Subscriptions()

        /// Publishes the ban, like a committer.
        func ban() { _ = rooms.publish(states[states.count - 1], Array(events.suffix(1))) }
    }

    private func fixture() throws -> Fixture {
        let harness = try ServiceHarness()
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .private)
        _ = harness.response(to: .openRoom(open), of: Auction.room, by: auction.host)
        let code = try #require(try harness.storedRoom(Auction.room)).details.inviteCode
        _ = harness.response(to: .join(JoinRoom(role: .bidder, inviteCode: code)), of: Auction.room, by: auction.bidder)
        _ = harness.response(
            to: .changeMember(auction.bidder.id, MemberChanges(isBanned: true)), of: Auction.room, by: auction.host)
        let events = try harness.log.events(of: Auction.room, after: 0, limit: .max)
        var states: [Room] = []
        for event in events {
            let decoded = try EventCodec.decode(event, after: states.last)
            var room = try #require(states.last ?? Room(id: Auction.room, opening: decoded))
            if !states.isEmpty { try room.apply(decoded) }
            states.append(room)
        }
        let rooms = CommittedRooms(recentLimit: 100)
        let room = rooms.publish(states[states.count - 2], Array(events.dropLast()))
        return Fixture(rooms: rooms, room: room, states: states, events: events)
    }

    private func principal(_ user: UserID) -> Principal {
        Principal(
            person: Person(id: user, nickname: "Ann"), expiresAt: start.advanced(byMilliseconds: 60_000), issuedAt: start,
            source: .guests, tokenID: nil)
    }

    private func wait(_ fixture: inout Fixture, _ id: UInt64, _ user: UserID) {
        #expect(fixture.rooms.watch(fixture.room))
        let poll = Subscriptions.Poll(after: fixture.room.view.room.seq, limit: 10, deadline: 1000)
        _ = fixture.subscriptions.wait(id, fixture.room, principal(user), for: poll, at: Now(wall: start, monotonic: now))
    }

    private func join(_ fixture: inout Fixture, _ id: UInt64, _ user: UserID, after: Int) -> [Subscriptions.Directive] {
        #expect(fixture.rooms.watch(fixture.room))
        return fixture.subscriptions.join(id, fixture.room, principal(user), after: after, at: Now(wall: start, monotonic: now))
    }

    @Test func `a waiting long-poll of a user who is banned gets no events, those of others do`() throws {
        var fixture = try fixture()
        wait(&fixture, 1, auction.bidder.id)
        wait(&fixture, 2, auction.host.id)
        fixture.ban()
        var allowed: [UInt64: Bool] = [:]
        for directive in fixture.subscriptions.published(fixture.room, fixture.events.suffix(1)) {
            guard case .respond(let response) = directive else { continue }
            for id in response.ids { allowed[id] = fixture.subscriptions.takePoll(id, at: now)?.maySeeEvents }
        }
        #expect(allowed == [1: false, 2: true])
        #expect(fixture.subscriptions.count == 0)
        #expect(fixture.room.watchers == 0)
    }

    @Test func `the stream of a user who is banned is closed before the ban is sent`() throws {
        var fixture = try fixture()
        let seq = fixture.room.view.room.seq
        _ = join(&fixture, 1, auction.bidder.id, after: seq)
        _ = join(&fixture, 2, auction.host.id, after: seq)
        fixture.ban()
        let directives = fixture.subscriptions.published(fixture.room, fixture.events.suffix(1))
        guard case .close([1], .forbidden)? = directives.first else {
            Issue.record("\(directives) does not begin with the close")
            return
        }
    }

    @Test func `a room's streams are found among those of other rooms and long-polls, until they leave`() throws {
        var fixture = try fixture()
        let opening = try EventCodec.decode(fixture.events[0], after: nil)
        let other = fixture.rooms.publish(try #require(Room(id: RoomID(bits: 9), opening: opening)), [])
        #expect(fixture.rooms.watch(other))
        let instant = Now(wall: start, monotonic: now)
        _ = fixture.subscriptions.join(1, other, principal(auction.bidder.id), after: 0, at: instant)
        _ = join(&fixture, 2, auction.host.id, after: 0)
        _ = join(&fixture, 3, auction.bidder.id, after: 0)
        wait(&fixture, 4, auction.bidder.id)
        #expect(fixture.subscriptions.streams(of: Auction.room) == [2, 3])
        #expect(fixture.subscriptions.streams(of: other.id) == [1])
        fixture.ban()
        var closed: [UInt64] = []
        for directive in fixture.subscriptions.published(fixture.room, fixture.events.suffix(1)) {
            if case .close(let ids, .forbidden) = directive { closed += ids }
        }
        #expect(closed == [3])
        for id in 1...4 as ClosedRange<UInt64> { fixture.subscriptions.leave(id, at: now) }
        #expect(fixture.subscriptions.streams(of: Auction.room).isEmpty)
        #expect(fixture.subscriptions.streamedRoomCount == 0)
    }

    @Test func `a stream that catches up when its user is banned is sent nothing more`() throws {
        var fixture = try fixture()
        // The committer has published the ban, and this loop has not received the delivery yet.
        fixture.ban()
        for directive in join(&fixture, 1, auction.bidder.id, after: 0) {
            switch directive {
            case .send, .sendPage: Issue.record("events are sent to a banned user")
            case .close(let ids, let reason): #expect(ids == [1] && reason == .forbidden)
            default: break
            }
        }
    }

    @Test func `a stream that has to read the log is closed if it cannot be read, a live one gets what is published`() throws {
        let fixture = try fixture()
        let rooms = CommittedRooms(recentLimit: 1)
        let published = zip(fixture.states, fixture.events).dropLast().map { rooms.publish($0, [$1]) }
        let room = try #require(published.last)
        let (host, instant) = (principal(auction.host.id), Now(wall: start, monotonic: now))
        var subscriptions = Subscriptions()
        #expect(rooms.watch(room) && rooms.watch(room))
        _ = subscriptions.join(1, room, host, after: room.view.room.seq, at: instant)
        guard case .read(2, Auction.room, after: 0, limit: _)? = subscriptions.join(2, room, host, after: 0, at: instant).last
        else {
            Issue.record("what is not in memory is not read")
            return
        }
        let failed = subscriptions.page(2, .failure(EventLogError(.unavailable, "out of reach")))
        guard failed.count == 1, case .close([2], .unavailable)? = failed.first else {
            Issue.record("\(failed) is not the close of the stream that reads")
            return
        }
        subscriptions.leave(2, at: now)
        let last = Array(fixture.events.suffix(1))
        _ = rooms.publish(fixture.states[fixture.states.count - 1], last)
        let sent = subscriptions.published(room, last)
        guard sent.count == 1, case .send([1], let events)? = sent.first, events.map(\.seq) == last.map(\.seq) else {
            Issue.record("\(sent) is not what the live stream gets")
            return
        }
    }

    @Test func `a user with several subscriptions is reported present once, and absent after the last`() throws {
        var fixture = try fixture()
        func changes(_ directives: [Subscriptions.Directive]) -> [Bool] {
            directives.flatMap { directive -> [Bool] in
                guard case .presence(let changes) = directive else { return [] }
                return changes.map(\.isPresent)
            }
        }
        #expect(changes(join(&fixture, 1, auction.host.id, after: 0)) == [true])
        #expect(changes(join(&fixture, 2, auction.host.id, after: 0)) == [])
        fixture.subscriptions.leave(1, at: now)
        fixture.subscriptions.leave(2, at: now)
        #expect(fixture.room.watchers == 0)
        let tick = try #require(fixture.subscriptions.nextTick)
        #expect(changes(fixture.subscriptions.tick(tick)) == [false])
        #expect(fixture.subscriptions.nextTick == nil)
    }

    @Test func `a room that has left memory cannot be watched`() throws {
        let fixture = try fixture()
        fixture.rooms.remove(Auction.room)
        #expect(!fixture.rooms.watch(fixture.room))
        #expect(fixture.room.watchers == 0)
    }

    @Test func `a room that is watched before it is removed stays, and its watcher gets what is published later`() throws {
        let fixture = try fixture()
        #expect(fixture.rooms.watch(fixture.room))
        // The watcher came after the sequencer had seen the room without one.
        fixture.rooms.remove(Auction.room)
        fixture.ban()
        #expect(fixture.rooms[Auction.room] === fixture.room)
        #expect(fixture.room.view.room.seq == fixture.events.last?.seq)
        fixture.room.endWatching()
        fixture.rooms.remove(Auction.room)
        #expect(fixture.rooms[Auction.room] == nil)
    }

    @Test func `a request is answered, held, refused or refreshed by what the room has`() throws {
        let fixture = try fixture()
        let last = fixture.room.view.room.seq
        func action(after: Int, by user: UserID?, mayWait: Bool = true, mayRefresh: Bool = false) -> String {
            let request = EventsRequest(
                after: after, limit: 100, user: user, mayWait: mayWait, mayRefresh: mayRefresh)
            switch request.action(in: fixture.room) {
            case .respond(let events, let more): return "respond \(events.map(\.seq)) \(more)"
            case .readLog(let seq): return "log up to \(seq)"
            case .wait: return "wait"
            case .refresh: return "refresh"
            case .beyond(let seq): return "beyond \(seq)"
            case .notFound: return "not found"
            }
        }
        let host = auction.host.id
        #expect(action(after: last - 1, by: host) == "respond [\(last)] false")
        #expect(action(after: last, by: host) == "wait")
        #expect(action(after: last, by: host, mayWait: false) == "respond [] false")
        #expect(action(after: last + 1, by: host) == "beyond \(last)")
        #expect(action(after: last + 1, by: host, mayRefresh: true) == "refresh")
        #expect(action(after: last, by: auction.rival.id) == "not found")
        #expect(action(after: last, by: nil) == "not found")
        // Only the latest event is in memory.
        _ = fixture.rooms.publish(fixture.states[fixture.states.count - 1], [])
        #expect(action(after: last, by: host) == "log up to \(last + 1)")
    }

    // MARK: - Tokens

    private func expired(_ principal: Principal, _ now: Now) -> TokenError? {
        SharedRevocations().tokenError(of: principal, at: now)
    }

    private func time(seconds: Int64, actual: Int64? = nil) -> Now {
        let wall = start.advanced(byMilliseconds: seconds * 1000)
        return Now(
            wall: wall, monotonic: seconds * 1_000_000_000, actual: actual.map { start.advanced(byMilliseconds: $0 * 1000) })
    }

    @Test func `a stream is closed and a held long-poll refused once their tokens have expired, others stay`() throws {
        var fixture = try fixture()
        wait(&fixture, 1, auction.host.id)
        _ = join(&fixture, 2, auction.bidder.id, after: 0)
        #expect(fixture.rooms.watch(fixture.room))
        _ = fixture.subscriptions.join(3, fixture.room, nil, after: 0, at: time(seconds: 0))
        #expect(fixture.subscriptions.checkTokens(at: time(seconds: 59), expired).isEmpty)
        let directives = fixture.subscriptions.checkTokens(at: time(seconds: 60), expired)
        let expiry = start.advanced(byMilliseconds: 60_000)
        try #require(directives.count == 2)
        guard case .refuse(1, .expired(expiry)) = directives[0], case .close([2], .token(.expired(expiry))) = directives[1]
        else {
            Issue.record("\(directives)")
            return
        }
        #expect(!fixture.subscriptions.hasTokens, "without a token there is nothing to check")
    }

    @Test func `the expiry of a provider's token follows the wall clock when it is set`() throws {
        var fixture = try fixture()
        #expect(fixture.rooms.watch(fixture.room))
        let principal = Principal(
            person: auction.host, expiresAt: start.advanced(byMilliseconds: 3_600_000), issuedAt: nil,
            source: .provider(key: 1),
            tokenID: nil)
        _ = fixture.subscriptions.join(1, fixture.room, principal, after: 0, at: time(seconds: 0))
        #expect(fixture.subscriptions.checkTokens(at: time(seconds: 10), expired).isEmpty)
        #expect(fixture.subscriptions.checkTokens(at: time(seconds: 11, actual: 3611), expired).count == 1)
    }

    @Test func `a provider's token that expired while the clock was set back is found once the clock is right`() throws {
        var fixture = try fixture()
        for _ in 0..<2 { #expect(fixture.rooms.watch(fixture.room)) }
        func principal(_ source: Principal.Source, seconds: Int64) -> Principal {
            Principal(
                person: auction.host, expiresAt: start.advanced(byMilliseconds: seconds * 1000), issuedAt: start,
                source: source,
                tokenID: nil)
        }
        _ = fixture.subscriptions.join(1, fixture.room, principal(.guests, seconds: 3600), after: 0, at: time(seconds: 0))
        let (provided, setBack) = (principal(.provider(key: 1), seconds: 51), time(seconds: 1, actual: -9))
        _ = fixture.subscriptions.join(2, fixture.room, provided, after: 0, at: setBack)
        #expect(fixture.subscriptions.checkTokens(at: time(seconds: 56), expired).count == 1)
    }

    @Test func `a revoked token ends its subscriptions at once`() throws {
        var fixture = try fixture()
        wait(&fixture, 1, auction.host.id)
        wait(&fixture, 2, auction.bidder.id)
        let revoked = SharedRevocations([
            Revocation(key: SharedRevocations.key(of: auction.host.id), at: start, until: start, before: nil)
        ])
        let directives = fixture.subscriptions.identityChanged(at: time(seconds: 1), revoked.tokenError)
        guard directives.count == 1, case .refuse(1, .revoked) = directives[0] else {
            Issue.record("\(directives)")
            return
        }
        #expect(fixture.subscriptions.hasTokens)
    }
}

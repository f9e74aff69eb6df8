import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog
import EventLogSQLite
import ExactJSON
import Foundation
import Testing

@testable import AuctionServer

/// A person leaves the service for good: `DELETE /v1/me`.
struct LeaveForGoodTests {
    /// Has what JSON escapes, what it does not, and no equal anywhere.
    private static let nickname = "Zoë \"Q7x\" 竞拍"

    private func guest(_ server: TestServer) throws -> Guest { try server.guest(Self.nickname) }

    private func leave(_ guest: Guest, at server: TestServer) throws -> HTTPResponse {
        try server.call("DELETE", "/v1/me", by: guest)
    }

    /// Whether the nickname is in bytes, as it is or as JSON escapes it.
    private func shows(_ bytes: some Collection<UInt8>) -> Bool {
        let escaped = Self.nickname.replacing("\"", with: "\\\"")
        let data = Data(bytes)
        return [Self.nickname, escaped, "Q7x"].contains { data.range(of: Data($0.utf8)) != nil }
    }

    /// A room in which the guest bids, speaks, reports, was on the way to a seat, and wins.
    private func sold(_ server: TestServer, to guest: Guest) throws -> RoomFixture {
        let fixture = try RoomFixture(server)
        try #require(try fixture.call("POST", "/members", ["role": "bidder"], by: guest).status == 201)
        let key = [(name: "Idempotency-Key", value: "k")]
        try #require(try fixture.call("POST", "/messages", ["text": "It is me, Q7x."], by: guest, key).status == 201)
        try #require(try fixture.call("POST", "/messages", ["text": "Hello"], by: fixture.rival).status == 201)
        try fixture.openBidding()
        try #require(try fixture.bid("100", by: fixture.rival).status == 201)
        try #require(try fixture.call("POST", "/bids", ["amount": "120"], by: guest, key).status == 201)
        try #require(try fixture.call("POST", "/auction/end", by: fixture.host, key).status == 200)
        return fixture
    }

    @Test func `the nickname disappears from everything that the service shows, and tokens end`() throws {
        let server = try TestServer { $0.adminToken = OperatorFixture.adminToken }
        let guest = try guest(server)
        let fixture = try sold(server, to: guest)
        try #require(try server.call("POST", "/v1/me/blocks", ["userId": .string(fixture.rival.id)], by: guest).status == 201)
        let reader = try SocketReader(fixture, "?after=latest", by: guest)
        #expect(try leave(guest, at: server).status == 204)

        #expect(try server.call("GET", "/v1/me", by: guest).status == 401)
        #expect(try leave(guest, at: server).status == 401, "a repeat")
        while try reader.next() != nil {}
        #expect(reader.closeCode != nil)
        let pseudonym = Pseudonym.nickname(of: try #require(UserID(guest.id)))
        let room = try fixture.room()
        #expect(room.text("currentBid.bidder.nickname") == pseudonym)
        let results = try fixture.call("GET", "/results", by: fixture.host)
        #expect(results.text("results.0.winner.nickname") == pseudonym && results.text("results.0.winner.id") == guest.id)
        #expect(results.text("results.0.price") == "120.00")
        let events = try fixture.events()
        #expect(events.suffix(1).first?.text("type") == "member.erased")
        #expect(events.contains { $0.text("data.text") == "[…]" } && events.contains { $0.text("data.text") == "Hello" })
        let shown = try [
            "", "/members?limit=100", "/bids?round=1", "/results", "/results.csv", "/events?after=0&limit=256",
        ].map { try fixture.call("GET", $0, by: fixture.host).body }
        for (index, body) in shown.enumerated() { #expect(!shows(body), "\(index)") }
        // A repeat of a command whose response had the nickname.
        let again = try fixture.call(
            "POST", "/auction/end", by: fixture.host, [(name: "Idempotency-Key", value: "k")])
        #expect(again.status == 200 && again.header("Idempotency-Replayed") == "true" && !shows(again.body))
        #expect(again.bodyText.contains(pseudonym))
    }

    @Test func `a person who leads or hosts a round that runs is refused, with the room`() throws {
        let server = try TestServer()
        let guest = try guest(server)
        let fixture = try RoomFixture(server)
        try #require(try fixture.call("POST", "/members", ["role": "bidder"], by: guest).status == 201)
        try fixture.openBidding()
        try #require(try fixture.bid("100", by: guest).status == 201)
        let room = String(fixture.path.dropFirst("/v1/rooms/".count))
        for (person, code) in [(guest, "account.leads_round"), (fixture.host, "account.hosts_round")] {
            let refused = try leave(person, at: server)
            #expect(refused.status == 409 && refused.code == code && refused.text("actual") == room)
            #expect(refused.text("detail")?.contains("Night market") == true)
            #expect(try server.call("GET", "/v1/me", by: person).status == 200, "the token goes on")
        }
        try #require(try fixture.bid("110", by: fixture.rival).status == 201)
        #expect(try leave(guest, at: server).status == 204, "who does not lead may go")
        #expect(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
        try fixture.start()
        #expect(try leave(fixture.host, at: server).status == 204)
        // An auctioneer succeeds the host.
        #expect(try fixture.room(as: fixture.owner).text("host.id") == fixture.owner.id)
    }

    @Test func `the host of a sale that runs is refused between two lots as well`() throws {
        let server = try TestServer()
        let fixture = try RoomFixture(server)
        for _ in 0..<2 { try #require(try fixture.call("POST", "/lots", RoomFixture.teapot, by: fixture.host).status == 201) }
        let sale: JSONValue = ["mode": "automatic", "pauseSeconds": 600, "attended": true]
        try #require(try fixture.call("PUT", "/sale", sale, by: fixture.host).status == 200)
        try #require(try fixture.call("POST", "/sale/start", by: fixture.host).status == 200)
        try fixture.letClockRun(seconds: 3)
        try #require(try fixture.call("POST", "/auction/end", by: fixture.host).status == 200)
        #expect(try fixture.state() == "closed")
        let refused = try leave(fixture.host, at: server)
        #expect(refused.status == 409 && refused.code == "account.hosts_round")
        #expect(try server.call("GET", "/v1/me", by: fixture.host).status == 200, "the token goes on")
    }

    @Test func `rooms that they left before, and rooms of theirs, have the pseudonym as well`() throws {
        let server = try TestServer()
        let guest = try guest(server)
        let own = try server.call("POST", "/v1/rooms", ["name": "Mine"], by: guest)
        let path = try #require(own.header("Location"))
        let fixture = try RoomFixture(server)
        try #require(try fixture.call("POST", "/members", ["role": "viewer"], by: guest).status == 201)
        try #require(try fixture.call("POST", "/messages", ["text": "Bye"], by: guest).status == 201)
        try #require(try fixture.call("DELETE", "/members/me", by: guest).status == 204)
        #expect(try leave(guest, at: server).status == 204)
        #expect(!shows(try fixture.call("GET", "/events?after=0&limit=256", by: fixture.host).body))
        #expect(try server.call("GET", path, by: fixture.host).status == 404, "it is archived")
        #expect(!shows(try server.call("GET", "/v1/rooms", by: fixture.host).body))
    }

    @Test func `a search of the log's files finds no nickname afterwards, and the log is sound`() throws {
        let folder = TemporaryFolder()
        let log = try SQLiteEventLog(path: folder.log)
        let server = try TestServer(log: log) { $0.adminToken = OperatorFixture.adminToken }
        let guest = try guest(server)
        let fixture = try sold(server, to: guest)
        try #require(try server.call("POST", "/v1/me/pairing", [:], by: guest).status == 201)
        // Snapshots have it too, and what was written before is moved by a flush.
        let id = try #require(RoomID(String(fixture.path.dropFirst("/v1/rooms/".count))))
        let loaded = try #require(try log.load(id, responsesSince: Timestamp(milliseconds: 0)))
        try log.save([try RoomReplay.snapshot(of: try RoomReplay.room(id, from: loaded).room)])
        try log.maintain()
        #expect(try folder.files().contains { shows($0.bytes) })
        #expect(try leave(guest, at: server).status == 204)
        for (name, bytes) in try folder.files() { #expect(!shows(bytes), "\(name)") }
        // What is written later does not bring it back.
        try #require(try fixture.call("POST", "/messages", ["text": "Next"], by: fixture.rival).status == 201)
        server.stop()
        for (name, bytes) in try folder.files() { #expect(!shows(bytes), "\(name) after the end") }
        let archive = try SQLiteArchive(path: folder.log)
        var named = NamedPictures()
        for room in try archive.allRooms() { #expect(try LogAudit.findings(of: room, in: archive, named: &named) == []) }
        #expect(try archive.damage() == [])
    }

    @Test func `all nodes refuse the tokens, and forget the nickname that they have in memory`() throws {
        let nodes = try TwoNodes(systemClock: true)
        let guest = try guest(nodes.nodeA.server)
        for node in [nodes.nodeA, nodes.nodeB] {
            try #require([200, 201].contains(try node.call("POST", "/members", ["role": "bidder"], by: guest).status))
            try #require(try node.call("POST", "/messages", ["text": "Hello"], by: guest).status == 201)
        }
        func events(_ node: RoomFixture) throws -> HTTPResponse {
            try node.call("GET", "/events?after=0&limit=256", by: node.host)
        }
        #expect(shows(try events(nodes.nodeB).body))
        #expect(try leave(guest, at: nodes.nodeA.server).status == 204)
        #expect(!shows(try events(nodes.nodeA).body))
        #expect(try eventually { try !shows(events(nodes.nodeB).body) })
        #expect(try eventually { try nodes.nodeB.server.call("GET", "/v1/me", by: guest).status == 401 })
        #expect(try nodes.nodeB.call("POST", "/messages", ["text": "Next"], by: nodes.nodeB.rival).status == 201)
        #expect(!shows(try nodes.nodeB.call("GET", "/members?limit=100", by: nodes.nodeB.host).body))
    }

    @Test func `guests whom they were linked to leave with them`() throws {
        let issuer = try TokenIssuer.shared.get()
        let identity = try issuer.identity()
        let server = try TestServer { $0.identity = identity }
        let guest = try guest(server)
        let fixture = try sold(server, to: guest)
        // A room that cannot be linked any more, but names the guest.
        let other = try RoomFixture(server)
        try #require(try other.call("POST", "/members", ["role": "viewer"], by: guest).status == 201)
        try #require(try other.call("DELETE", "/members/me", by: guest).status == 204)
        let alice = try issuer.guest("alice", "Alice Q9z")
        let body: JSONValue = ["guestToken": .string(guest.token)]
        try #require(try server.call("POST", "/v1/me/link", body, by: alice).list("linked").count == 1)
        #expect(try leave(alice, at: server).status == 204)
        for room in [fixture, other] {
            let events = try room.call("GET", "/events?after=0&limit=256", by: room.host)
            #expect(!shows(events.body) && !events.bodyText.contains("Q9z"))
        }
        #expect(try fixture.call("GET", "/results", by: fixture.host).text("results.0.winner.id") == alice.id)
        #expect(try server.call("GET", "/v1/me", by: guest).status == 401)
    }

    @Test func `a backend's user who comes back is another one`() throws {
        let operators = try OperatorFixture()
        func signIn() throws -> Guest {
            let response = try operators.call(
                "POST", "/v1/admin/users/tokens", ["subject": "customer-7", "nickname": .string(Self.nickname)])
            let (id, token) = (response.text("user.id"), response.text("token"))
            return Guest(id: try #require(id), nickname: Self.nickname, token: try #require(token))
        }
        let first = try signIn()
        #expect(try signIn().id == first.id)
        #expect(try leave(first, at: operators.server).status == 204)
        let second = try signIn()
        #expect(second.id != first.id)
        #expect(try operators.server.call("GET", "/v1/me", by: second).status == 200)
        #expect(try operators.server.call("GET", "/v1/me", by: first).status == 401)
        #expect(try leave(second, at: operators.server).status == 204)
        #expect(Set([first.id, second.id, try signIn().id]).count == 3)
    }

    @Test func `a provider's token from before ends, and one from after it is another user's`() {
        let erased = ErasedUsers()
        let (user, end) = (UserID(bits: 1 << 127 | 7), Timestamp(milliseconds: 1000))
        #expect(erased.insert([user], at: end) && !erased.insert([user], at: end))
        func principal(at milliseconds: Int64?) -> Principal {
            erased.users.current(
                Principal(
                    person: Person(id: user, nickname: "Al"), expiresAt: Timestamp(milliseconds: 9000),
                    issuedAt: milliseconds.map { Timestamp(milliseconds: $0) }, source: .provider(key: 1), tokenID: nil))
        }
        for early in [principal(at: nil), principal(at: 999), principal(at: 1000)] {
            #expect(early.person.id == user && erased.users.contain(early))
        }
        let late = principal(at: 1001)
        #expect(late.person.id == erased.users.identity(of: user) && late.person.id != user && !erased.users.contain(late))
    }

    @Test func `every erasure of another node is noticed, however many there are`() throws {
        let log = InMemoryEventLog()
        let server = try TestServer(log: log)
        let guest = try guest(server)
        let user = try #require(UserID(guest.id))
        let now = server.clock.now().wall
        // Their identifiers come before that of the guest.
        for number in 1...ErasureWatch.pageLimit {
            _ = try log.write([ErasureRecord(UserID(bits: UInt128(number)), at: now).change()])
        }
        _ = try log.write([ErasureRecord(user, at: now).change()])
        #expect(try eventually { try server.call("GET", "/v1/me", by: guest).status == 401 })
    }

    @Test func `a bounded number of erasures runs at once, and one of a user`() throws {
        let erased = ErasedUsers()
        let users = (1...ErasedUsers.runningLimit + 1).map { UserID(bits: UInt128($0)) }
        #expect(erased.begin(users[0]) && !erased.begin(users[0]))
        #expect(users.dropFirst().dropLast().allSatisfy { erased.begin($0) })
        let last = try #require(users.last)
        #expect(!erased.begin(last))
        erased.end(users[0])
        #expect(erased.begin(last))
    }

    @Test func `an erasure that did not end goes on after a restart`() throws {
        let folder = TemporaryFolder()
        let server = try TestServer(log: SQLiteEventLog(path: folder.log))
        let guest = try guest(server)
        let fixture = try sold(server, to: guest)
        server.stop()
        // As a crash leaves it directly after the beginning: it is recorded, and nothing else.
        let log = try SQLiteEventLog(path: folder.log)
        let user = try #require(UserID(guest.id))
        try ErasureRecord(user, at: server.clock.now().wall).write(to: log)
        let later = RoomFixture(fixture, in: try TestServer(log: log, clock: server.clock))
        #expect(try later.server.call("GET", "/v1/me", by: guest).status == 401, "from the first request on")
        #expect(try eventually { try !shows(later.call("GET", "/events?after=0&limit=256", by: later.host).body) })
        #expect(try later.events().last?.text("type") == "member.erased")
        // The last pass comes later, and ends the record.
        later.server.clock.advance(seconds: 61)
        #expect(try eventually { try log.record(ErasureRecord.kind, user.description) == nil })
        for (name, bytes) in try folder.files() { #expect(!shows(bytes), "\(name)") }
        #expect(try later.server.call("GET", "/v1/me", by: guest).status == 401)
    }
}

extension TemporaryFolder {
    /// The files of the folder, with their bytes.
    fileprivate func files() throws -> [(name: String, bytes: Data)] {
        let folder = URL(fileURLWithPath: log).deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, try Data(contentsOf: folder.appending(path: name)))
        }
    }
}

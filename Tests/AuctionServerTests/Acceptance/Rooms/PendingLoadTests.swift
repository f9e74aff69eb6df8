import AuctionServer
import AuctionService
import AuctionTestKit
import EventLog
import Testing

/// Rooms that are read from the log for the requests that name them.
struct PendingLoadTests {
    private let log = GatedEventLog(InMemoryEventLog())

    /// A room that does not exist.
    private func path(_ number: Int) -> String { "/v1/rooms/room_0000000000000000000000000\(number)" }

    /// Sends a request on a connection of its own.
    private func send(_ request: HTTPRequest, to server: TestServer) throws -> HTTPConnection {
        let connection = try server.connect()
        try connection.send(request)
        return connection
    }

    @Test func `rooms that are read for one address use up its share only, and a user has one of their own`() throws {
        let server = try TestServer(log: log) { $0.service.pendingLoads = 8 }
        let guest = try server.guest("Bo")
        log.loads.shut()
        let anonymous = server.request("GET", path(1))
        let first = try send(anonymous, to: server)
        eventually("the first room is being read") { log.loads.blockedCalls == 1 }
        let refused = try server.call("GET", path(2))
        #expect(refused.status == 503 && refused.code == "service.too_many_reads" && refused.header("Retry-After") == "1")
        let identified = server.request("GET", path(2), by: guest)
        let second = try send(identified, to: server)
        eventually("another caller's room is being read") { log.loads.blockedCalls == 2 }
        log.loads.open()
        #expect(try server.receive(on: first, to: anonymous).status == 404)
        #expect(try server.receive(on: second, to: identified).status == 404)
        #expect(try server.call("GET", path(2)).status == 404, "the address has its share again")
    }

    @Test func `a command waits for its room although readers have all loads in flight`() throws {
        let server = try TestServer(log: log) { $0.service.pendingLoads = 1 }
        let guest = try server.guest("Bo")
        log.loads.shut()
        let read = server.request("GET", path(1))
        let first = try send(read, to: server)
        eventually("a reader's room is being read") { log.loads.blockedCalls == 1 }
        #expect(try server.call("GET", path(2), by: guest).code == "service.too_many_reads")
        let command = server.request("POST", path(2) + "/bids", Array("{\"amount\":\"1\"}".utf8), by: guest)
        let second = try send(command, to: server)
        eventually("the command's room is being read") { log.loads.blockedCalls == 2 }
        log.loads.open()
        #expect(try server.receive(on: first, to: read).status == 404)
        #expect(try server.receive(on: second, to: command).code == "room.not_found")
    }
}

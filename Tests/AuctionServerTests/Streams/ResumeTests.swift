import AuctionDomain
import AuctionServer
import AuctionService
import ExactJSON
import MicroHTTP
import Testing

/// A client that reconnects many times receives every event exactly once.
struct ResumeTests {
    enum Transport: String, CaseIterable {
        case serverSentEvents
        case webSocket
        case longPoll
    }

    /// How a connection authenticates.
    private enum Credential: CaseIterable {
        case none
        case token
        case ticket
    }

    /// A client with the events it has received over all its connections.
    private final class ResumingReader {
        let fixture: RoomFixture
        let traffic: RoomTraffic
        var generator: SplitMix64
        var log: [JSONValue] = []
        var cursor: Int { log.count }

        init(_ fixture: RoomFixture, _ traffic: RoomTraffic, seed: UInt64) {
            self.fixture = fixture
            self.traffic = traffic
            generator = SplitMix64(seed: seed)
        }

        /// Connects, reads `count` events, and disconnects while more may be in flight.
        func readAndDisconnect(_ transport: Transport, taking count: Int) throws {
            let credential = try #require(Credential.allCases.randomElement(using: &generator))
            let guest = credential == .token ? fixture.viewer : nil
            var query = "?after=\(cursor)"
            if credential == .ticket {
                query += "&ticket=\(try fixture.ticket(by: fixture.viewer))"
            }
            switch transport {
            case .serverSentEvents:
                // Last-Event-ID has priority over the query.
                let stale = Bool.random(using: &generator)
                let reader = try EventReader(
                    fixture, stale ? query.replacing("after=\(cursor)", with: "after=0") : query, by: guest,
                    lastID: stale ? cursor : nil)
                try #require(reader.status == 200)
                for _ in 0..<count { try take(try #require(try reader.event()).data) }
                reader.close()
            case .webSocket:
                let socket = try SocketReader(fixture, query, by: guest)
                try #require(socket.status == 101)
                for _ in 0..<count { try take(try #require(try socket.event()).data) }
                socket.close()
            case .longPoll:
                let path = fixture.path + "/events" + query + "&wait=60&limit=\(max(1, count))"
                let request = fixture.server.request("GET", path, by: guest)
                let connection = try fixture.server.connect()
                try connection.send(request)
                guard count > 0 else { return connection.close() }
                let response = try connection.receive()
                try #require(response.status == 200)
                for event in response.list("events") { try take(event) }
                try #require(response.int("next") == cursor)
            }
        }

        /// Sends a request and disconnects without waiting for the response.
        func requestAndDisconnect(_ transport: Transport) throws {
            var headers: [(name: String, value: String)] = []
            if transport == .serverSentEvents { headers = [("Accept", "text/event-stream")] }
            if transport == .webSocket {
                headers = [
                    ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
                    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
                ]
            }
            let tail = transport == .webSocket ? "/socket" : "/events"
            let connection = try fixture.server.connect()
            try connection.send(
                HTTPRequest(method: "GET", path: fixture.path + tail + "?after=\(cursor)", headers: headers))
            connection.close()
        }

        private func take(_ event: JSONValue) throws {
            try #require(event.int("seq") == cursor + 1, "no gap and no duplicate")
            log.append(event)
            traffic.read(to: cursor)
        }
    }

    private func checkResuming(disconnects: Int, seed: UInt64, over transports: [Transport]) throws {
        let fixture = try RoomFixture(
            try TestServer {
                $0.http.threads = 2
                // No limit, because the server may detect a disconnect only after the client reconnected.
                $0.streams.perUser = 0
                // So that some of the missed events are in memory and others only in the log.
                $0.service.recentEventsPerRoom = 64
            })
        try fixture.upload([
            "name": "Lot",
            "rules": [
                "startingPrice": "100", "increment": ["fixed": "10"], "listingSeconds": 0, "biddingSeconds": 3600,
            ],
        ])
        try fixture.start()
        let traffic = RoomTraffic(fixture)
        let reader = ResumingReader(fixture, traffic, seed: seed)
        traffic.start()
        do {
            for _ in 0..<disconnects {
                let transport = try #require(transports.randomElement(using: &reader.generator))
                if Int.random(in: 0..<8, using: &reader.generator) == 0 {
                    try reader.requestAndDisconnect(transport)
                } else {
                    try reader.readAndDisconnect(transport, taking: Int.random(in: 0...4, using: &reader.generator))
                }
            }
        } catch {
            // If the writer failed, report its error first: it is the cause.
            #expect(traffic.stop() == nil)
            throw error
        }
        #expect(traffic.stop() == nil)
        let seq = try fixture.seq()
        let last = try #require(transports.randomElement(using: &reader.generator))
        while reader.cursor < seq { try reader.readAndDisconnect(last, taking: min(200, seq - reader.cursor)) }
        var stored: [JSONValue] = []
        while stored.count < seq { stored += try fixture.events(after: stored.count) }
        #expect(stored.count == seq)
        #expect(reader.log == stored)
        let types = Set(stored.compactMap { $0.text("type") })
        #expect(types.contains("bid.placed") && types.contains("message.sent"))
    }

    @Test(arguments: Transport.allCases)
    func `a client that disconnects a hundred times has every event of the room`(_ transport: Transport) throws {
        try checkResuming(disconnects: 100, seed: 7, over: [transport])
    }

    @Test func `a client that disconnects a thousand times over changing transports has every event`() throws {
        try checkResuming(disconnects: 1000, seed: 20_261_121, over: Transport.allCases)
    }
}

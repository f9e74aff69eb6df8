import AuctionServer
import AuctionService
import ExactJSON
import MicroHTTP
import Testing

/// A reader whose connection breaks all the time, and whose log is still the room's.
struct ResumeTests {
    /// The same numbers in every run.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        // SplitMix64.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    enum Transport: String, CaseIterable {
        case serverSentEvents
        case webSocket
        case longPoll
    }

    /// How a visit shows who comes.
    private enum Credential: CaseIterable {
        case none
        case token
        case ticket
    }

    /// What a reader keeps over its connections: all that it has seen, and so where it stands.
    private final class Follower {
        let scene: Scene
        let traffic: RoomTraffic
        var dice: Dice
        var log: [JSONValue] = []
        var cursor: Int { log.count }

        init(_ scene: Scene, _ traffic: RoomTraffic, seed: UInt64) {
            self.scene = scene
            self.traffic = traffic
            dice = Dice(state: seed)
        }

        /// Connects, takes so many events, and hangs up in the middle of whatever comes next.
        func visit(_ transport: Transport, taking count: Int) throws {
            let credential = try #require(Credential.allCases.randomElement(using: &dice))
            let guest = credential == .token ? scene.viewer : nil
            var query = "?after=\(cursor)"
            if credential == .ticket {
                query += "&ticket=\(try #require(try scene.call("POST", "/tickets", by: scene.viewer).text("ticket")))"
            }
            switch transport {
            case .serverSentEvents:
                // What the reader had last wins over what its address says.
                let stale = Bool.random(using: &dice)
                let reader = try EventReader(
                    scene, stale ? query.replacing("after=\(cursor)", with: "after=0") : query, by: guest,
                    lastID: stale ? cursor : nil)
                try #require(reader.status == 200)
                for _ in 0..<count { try take(try #require(try reader.event()).data) }
                reader.close()
            case .webSocket:
                let socket = try SocketReader(scene, query, by: guest)
                try #require(socket.status == 101)
                for _ in 0..<count { try take(try #require(try socket.event()).data) }
                socket.close()
            case .longPoll:
                let path = scene.path + "/events" + query + "&wait=60&limit=\(max(1, count))"
                let request = scene.house.request("GET", path, by: guest)
                let connection = try scene.house.connect()
                try connection.send(request)
                guard count > 0 else { return connection.close() }
                let answer = try connection.receive()
                try #require(answer.status == 200)
                for event in answer.list("events") { try take(event) }
                try #require(answer.int("next") == cursor)
            }
        }

        /// Asks and hangs up without waiting for an answer.
        func knock(_ transport: Transport) throws {
            var headers: [(name: String, value: String)] = []
            if transport == .serverSentEvents { headers = [("Accept", "text/event-stream")] }
            if transport == .webSocket {
                headers = [
                    ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
                    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
                ]
            }
            let tail = transport == .webSocket ? "/socket" : "/events"
            let connection = try scene.house.connect()
            try connection.send(
                HTTPRequest(method: "GET", path: scene.path + tail + "?after=\(cursor)", headers: headers))
            connection.close()
        }

        private func take(_ event: JSONValue) throws {
            try #require(event.int("seq") == cursor + 1, "no gap and no repeat")
            log.append(event)
            traffic.read(to: cursor)
        }
    }

    private func follow(disconnects: Int, seed: UInt64, over transports: [Transport]) throws {
        let scene = try Scene(
            try House {
                $0.http.threads = 2
                // The server may hear of a hang-up later than of the reader's return.
                $0.streams.perUser = 0
                // Some of what was missed comes from memory, some from the log.
                $0.service.recentEventsPerRoom = 64
            })
        try scene.upload([
            "name": "Lot",
            "rules": [
                "startingPrice": "100", "increment": ["fixed": "10"], "listingSeconds": 0, "biddingSeconds": 3600,
            ],
        ])
        try scene.start()
        let traffic = RoomTraffic(scene)
        let follower = Follower(scene, traffic, seed: seed)
        traffic.start()
        do {
            for _ in 0..<disconnects {
                let transport = try #require(transports.randomElement(using: &follower.dice))
                if Int.random(in: 0..<8, using: &follower.dice) == 0 {
                    try follower.knock(transport)
                } else {
                    try follower.visit(transport, taking: Int.random(in: 0...4, using: &follower.dice))
                }
            }
        } catch {
            // A reader that gets nothing because nothing was written says so.
            #expect(traffic.stop() == nil)
            throw error
        }
        #expect(traffic.stop() == nil)
        let seq = try scene.seq()
        let last = try #require(transports.randomElement(using: &follower.dice))
        while follower.cursor < seq { try follower.visit(last, taking: min(200, seq - follower.cursor)) }
        var stored: [JSONValue] = []
        while stored.count < seq { stored += try scene.events(after: stored.count) }
        #expect(stored.count == seq)
        #expect(follower.log == stored)
        let types = Set(stored.compactMap { $0.text("type") })
        #expect(types.contains("bid.placed") && types.contains("message.sent"))
    }

    @Test(arguments: Transport.allCases)
    func `a reader that is cut off a hundred times has the room's log`(_ transport: Transport) throws {
        try follow(disconnects: 100, seed: 7, over: [transport])
    }

    @Test func `a reader that is cut off a thousand times, and changes its transport each time, has the room's log`() throws {
        try follow(disconnects: 1000, seed: 20_261_121, over: Transport.allCases)
    }
}

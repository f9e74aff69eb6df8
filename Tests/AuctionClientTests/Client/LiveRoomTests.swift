import Testing

@testable import AuctionClientCore

struct LiveRoomTests {
    private func transport() -> FakeTransport {
        FakeTransport { _ throws(TransportError) in Responses.room(Responses.auctioning) }
    }

    private func client(_ transport: FakeTransport) -> AuctionClient {
        var configuration = ClientConfiguration()
        configuration.connection.firstDelay = .milliseconds(1)
        return AuctionClient(transport: transport, configuration: configuration, clock: TestClock())
    }

    private func streams(_ transport: FakeTransport) -> [String] {
        transport.calls.map(\.target).filter { $0.contains("/events") }
    }

    @Test(.timeLimit(.minutes(1))) func `updates continue after a cut, and end when the room is archived`() async throws {
        let transport = transport()
        let live = client(transport).room("room_1").follow()
        var updates = live.updates.makeAsyncIterator()
        #expect(try await updates.next()?.state.seq == 4)
        while streams(transport).count < 1 { await Task.yield() }
        transport.push(ConnectionTests.event(5))
        #expect(try await updates.next()?.event?.seq == 5)
        transport.cut()
        while streams(transport).count < 2 { await Task.yield() }
        #expect(streams(transport).last == "/v1/rooms/room_1/events?after=5")
        transport.push(ConnectionTests.event(5))
        transport.push(
            #"{"seq":6,"type":"room.archived","at":"1970-01-01T01:00:00.000Z","round":1,"data":{"by":{"id":"u","nickname":"A"}}}"#
        )
        var last: RoomUpdate?
        while let update = try await updates.next() { last = update.event == nil ? last : update }
        #expect(last?.event?.seq == 6 && last?.state.isArchived == true)
        #expect(live.status.state == .stopped(.archived))
    }

    @Test(.timeLimit(.minutes(1))) func `an id is one segment of the address, whatever it contains`() async throws {
        let transport = transport()
        let live = client(transport).room("../a b?").follow()
        var updates = live.updates.makeAsyncIterator()
        _ = try await updates.next()
        #expect(live.id == "../a b?" && transport.calls.first?.target == "/v1/rooms/..%2Fa%20b%3F")
    }

    @Test(.timeLimit(.minutes(1))) func `every reader gets every status`() async {
        let transport = transport()
        let live = client(transport).room("room_1").follow()
        let first = live.statuses
        let second = live.statuses
        live.start()
        live.pause()
        live.stop()
        for reader in [first, second] {
            var states: [ConnectionState] = []
            for await status in reader { states.append(status.state) }
            #expect(states.first == .idle && states.suffix(2) == [.paused, .stopped(.requested)])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a refusal ends the sequence with its reason`() async {
        let transport = FakeTransport { _ throws(TransportError) in SimulatedService.problem(404, "room.not_found", at: 0) }
        do {
            for try await _ in client(transport).room("room_1").follow().updates {}
            #expect(Bool(false), "no error")
        } catch {
            guard case .notFound(let problem)? = error as? StopReason else { return #expect(Bool(false), "\(error)") }
            #expect(problem.code == .roomNotFound)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled task stops reading, and releasing the room closes its stream`()
        async throws
    {
        let transport = transport()
        var live: LiveRoom? = client(transport).room("room_1").follow()
        let updates = try #require(live).updates
        let task = Task {
            var count = 0
            for try await _ in updates { count += 1 }
            return count
        }
        while streams(transport).isEmpty { await Task.yield() }
        task.cancel()
        #expect(try await task.value >= 1)
        live = nil
    }

    @Test(.timeLimit(.minutes(1))) func `a followed room has the token of who has signed in once it is paused and resumed`()
        async throws
    {
        let transport = transport()
        let users = Counter()
        var configuration = ClientConfiguration()
        configuration.tokens = ClosureTokenProvider { _ in Credential(token: "user \(users.next())") }
        let client = AuctionClient(transport: transport, configuration: configuration, clock: TestClock())
        let live = client.room("room_1").follow()
        var updates = live.updates.makeAsyncIterator()
        _ = try await updates.next()
        while streams(transport).count < 1 { await Task.yield() }
        await client.forgetToken()
        live.pause()
        live.resume()
        while streams(transport).count < 2 { await Task.yield() }
        let opened = transport.calls.filter { $0.target.contains("/events") }
        #expect(opened.map { $0.header("Authorization") } == ["Bearer user 1", "Bearer user 2"])
    }

    @Test(.timeLimit(.minutes(1))) func `a bid in a followed room names the round that the reader has seen`() async throws {
        let transport = FakeTransport { call throws(TransportError) in
            call.method == "POST" ? Responses.bid(leading: true) : Responses.room(Responses.auctioning)
        }
        let room = client(transport).room("room_1")
        let amount = Money(minorUnits: 1000, currency: "CNY")
        _ = await room.placeBid(amount)
        let live = room.follow()
        var updates = live.updates.makeAsyncIterator()
        _ = try await updates.next()
        _ = await room.placeBid(amount)
        while streams(transport).isEmpty { await Task.yield() }
        transport.push(ConnectionTests.event(5).replacing(#""round":1"#, with: #""round":2"#))
        while try await updates.next()?.event?.seq != 5 {}
        _ = await room.placeBid(maximum: amount)
        _ = await room.placeBid(amount, round: 7)
        live.stop()
        while live.status.state != .stopped(.requested) { await Task.yield() }
        _ = await room.placeBid(amount)
        let bids = transport.calls.filter { $0.method == "POST" }
        let rounds: [Int64?] = try bids.map { try JSONParser.parse($0.body ?? [])["round"]?.integer }
        #expect(rounds == [nil, 1, 2, 7, nil])
        // Another round than the one that was read may have another item.
        let items = try bids.map { try JSONParser.parse($0.body ?? [])["item"]?.string }
        #expect(items == [nil, "item_1", "item_1", nil, nil])
    }

    @Test func `a bid and an order name the item that they are given`() async throws {
        let transport = FakeTransport { call throws(TransportError) in
            call.target.hasSuffix("/bids") ? Responses.bid(leading: true) : Responses.room(Responses.auctioning)
        }
        let room = client(transport).room("room_1")
        _ = await room.placeBid(Money(minorUnits: 1000, currency: "CNY"), round: 1, item: "item_7")
        try await room.end(expecting: Expectation(round: 1, item: "item_7"))
        let bodies = try transport.calls.filter { $0.method == "POST" }.map { try JSONParser.parse($0.body ?? []) }
        #expect(bodies.map { ($0["item"] ?? $0["expectedItem"])?.string } == ["item_7", "item_7"])
    }

    @Test(.timeLimit(.minutes(1))) func `the end of one follower leaves the round of another`() async throws {
        let transport = FakeTransport { call throws(TransportError) in
            call.method == "POST" ? Responses.bid(leading: true) : Responses.room(Responses.auctioning)
        }
        let room = client(transport).room("room_1")
        let amount = Money(minorUnits: 1000, currency: "CNY")
        let followed = [room.follow(), room.follow()]
        for live in followed {
            var updates = live.updates.makeAsyncIterator()
            _ = try await updates.next()
        }
        for live in followed {
            live.stop()
            while live.status.state != .stopped(.requested) { await Task.yield() }
            _ = await room.placeBid(amount)
        }
        let bids = transport.calls.filter { $0.method == "POST" }
        let rounds: [Int64?] = try bids.map { try JSONParser.parse($0.body ?? [])["round"]?.integer }
        #expect(rounds == [1, nil])
    }
}

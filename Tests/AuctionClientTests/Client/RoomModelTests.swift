import Foundation
import Observation
import Testing

@testable import AuctionClient
@testable import AuctionClientCore

/// The model of a bidding screen: what it shows of a stream of events, and what becomes of bids.
@MainActor
struct RoomModelTests {
    private static let locale = Locale(identifier: "en_US")

    func model(
        _ transport: any HTTPTransport, store: (any CommandStore)? = nil, tokens: any TokenProvider = FixedToken(nil)
    ) -> RoomModel {
        var configuration = ClientConfiguration()
        configuration.tokens = tokens
        configuration.commands = .impatient
        configuration.reads = .impatient
        configuration.commandStore = store
        configuration.connection.firstDelay = .milliseconds(1)
        let client = AuctionClient(transport: transport, configuration: configuration, clock: TestClock())
        return RoomModel(client: client, room: "room_1", locale: Self.locale)
    }

    /// The room of `Responses.auctioning`, the caller's account, and no bids of theirs, unless a bid is posted.
    func transport(
        _ room: SimulatedRoom = Responses.auctioning, bids: String = "",
        post: @escaping @Sendable (String) throws(TransportError) -> HTTPResponse = { _ in Responses.bid(leading: true) }
    ) -> FakeTransport {
        FakeTransport { call throws(TransportError) in
            if call.method == "POST" { return try post(String(decoding: call.body ?? [], as: UTF8.self)) }
            switch call.target {
            case "/v1/me":
                return SimulatedService.response(
                    200, #"{"user":\#(SimulatedRoom.person("Me")),"tokenExpiresAt":"1970-01-02T00:00:00.000Z","rooms":1}"#)
            case let target where target.hasPrefix("/v1/me/bids"):
                return SimulatedService.response(200, #"{"bids":[\#(bids)],"nextCursor":null}"#)
            default: return Responses.room(room)
            }
        }
    }

    static func placed(
        _ seq: Int64, _ amount: String, by bidder: String, next: String, leading: Bool = true
    ) -> String {
        """
        {"seq":\(seq),"type":"bid.placed","at":"1970-01-01T01:00:01.000Z","round":1,"data":{"bidId":"bid_\(seq)","amount":"\(amount)",\
        "bidder":\(SimulatedRoom.person(bidder)),"leading":\(leading),"automatic":false,"nextMinimum":"\(next)",\
        "endsAt":"1970-01-01T01:00:16.000Z","reserveMet":null}}
        """
    }

    /// A bid of the caller for the item of `Responses.auctioning`, as in the list of their bids.
    private static let standingBid = """
        {"room":{"id":"room_1","name":"Night market"},"state":"auctioning","round":1,"item":{"id":"item_1","name":"Teapot"},"currency":"CNY",\
        "standing":"outbid","bidId":"bid_2","amount":"11.00","maximum":null,"bidAt":"1970-01-01T01:00:01.000Z","currentPrice":"15.00",\
        "nextMinimum":"16.00","endsAt":null}
        """

    static func event(_ seq: Int64, _ type: String, _ data: String, round: Int = 1) -> String {
        #"{"seq":\#(seq),"type":"\#(type)","at":"1970-01-01T01:00:02.000Z","round":\#(round),"data":\#(data)}"#
    }

    /// The keys of the bids that were sent.
    static func keys(_ transport: FakeTransport) -> [String?] {
        transport.calls.filter { $0.method == "POST" }.map { $0.header("Idempotency-Key") }
    }

    /// Runs the model while `test` acts.
    func running(
        _ model: RoomModel, _ transport: FakeTransport, _ test: () async throws -> Void
    ) async throws {
        let following = Task { await model.run() }
        await until { model.screen.link == .live && model.screen.caller != nil && model.screen.phase != nil }
        try await test()
        following.cancel()
        await following.value
    }

    func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    @Test(.timeLimit(.minutes(1)))
    func `events show the price, the leader, the clock and how the caller stands`() async throws {
        let transport = transport()
        let model = model(transport)
        try await running(model, transport) {
            #expect(model.screen.title == "Teapot" && model.screen.phase == .auctioning && model.screen.price == nil)
            #expect(model.screen.minimum?.decimal == "10.00" && model.screen.mayBid && model.screen.me == .bidder)
            #expect(model.remaining().map { $0 > .seconds(10) && $0 <= .seconds(16) } == true)
            transport.push(Self.placed(5, "10.00", by: "Me", next: "11.00"))
            await until { model.screen.seq == 5 }
            #expect(model.screen.me == .leading && model.screen.notice == .leading && model.screen.leader?.nickname == "Me")
            transport.push(Self.placed(6, "11.00", by: "Cy", next: "12.00"))
            await until { model.screen.seq == 6 }
            #expect(
                model.screen.me == .outbid && model.screen.price?.decimal == "11.00" && model.screen.leader?.nickname == "Cy")
            #expect(model.screen.notice?.text(locale: Self.locale) == "Outbid: at least CN¥12.00 now.")
            #expect(model.shownPhase() == .auctioning)
            let end = #"{"from":"auctioning","to":"closed","cause":"countdown","by":null,"reason":null}"#
            transport.push(Self.event(7, "state.changed", end))
            transport.push(
                Self.event(8, "item.sold", #"{"winner":\#(SimulatedRoom.person("Me")),"price":"12.00","lotId":null}"#))
            await until { model.screen.seq == 8 }
            #expect(model.screen.me == .won(Money(minorUnits: 1200, currency: "CNY")))
            #expect(model.screen.notice?.text(locale: Self.locale) == "Sold to Me for CN¥12.00.")
            transport.push(Self.event(9, "room.archived", #"{"by":\#(SimulatedRoom.person("Ann"))}"#))
            await until { model.screen.link == .ended(.archived) }
            #expect(model.screen.notice == .closed)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `what became of a bid is said, and a bid names the item that is shown`() async throws {
        let transport = transport { body throws(TransportError) in
            if body.contains("9.00") { return SimulatedService.problem(422, "bid.below_minimum", required: "\"10.00\"", at: 0) }
            return Responses.bid(leading: !body.contains("11.00"))
        }
        let model = model(transport)
        try await running(model, transport) {
            for (typed, notice) in [
                ("10", "You lead."), ("11.00", "Outbid: at least CN¥11.00 now."), ("9", "At least CN¥10.00."),
                ("1,50", "Not an amount: 1,50"),
            ] {
                await model.bid(typed)
                #expect(model.screen.notice?.text(locale: Self.locale) == notice)
                #expect(!model.screen.isBidding)
            }
            let bids = transport.calls.filter { $0.method == "POST" }.map { String(decoding: $0.body ?? [], as: UTF8.self) }
            #expect(bids.count == 3 && bids.allSatisfy { $0.contains(#""round":1"#) && $0.contains(#""item":"item_1""#) })
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a bid in doubt is asked about under its key before another one is placed`() async throws {
        let isLost = Locked(true)
        let transport = transport { _ throws(TransportError) in
            if isLost.withLock({ $0 }) { throw .interrupted("lost") }
            return Responses.bid(leading: true, isReplay: true)
        }
        let model = model(transport)
        try await running(model, transport) {
            await model.bid("12")
            #expect(model.screen.notice == .inDoubt && model.screen.bidInDoubt != nil)
            await model.bid("15")
            #expect(model.screen.bidInDoubt != nil, "still not known")
            isLost.withLock { $0 = false }
            await model.bid("15")
            #expect(model.screen.bidInDoubt == nil && model.screen.notice == .leading && model.screen.me == .leading)
            #expect(Set(Self.keys(transport)).count == 1, "nothing but the first bid was ever sent")
            #expect(Self.keys(transport).count >= 3)
            isLost.withLock { $0 = true }
            await model.bid("16")
            #expect(model.screen.bidInDoubt != nil)
            isLost.withLock { $0 = false }
            transport.cut()
            await until { model.screen.bidInDoubt == nil }
            #expect(Set(Self.keys(transport)).count == 2, "asked about when the connection is back")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a bid in doubt, and the standing in the round, survive a restart of the app`() async throws {
        let store = MemoryStore()
        let first = transport { _ throws(TransportError) in throw .interrupted("lost") }
        let before = model(first, store: store)
        try await running(before, first) { await before.bid("12") }
        // The bid led, and the room has gone on since.
        var room = Responses.auctioning
        (room.seq, room.price, room.leader, room.leadingBid, room.nextMinimum) = (9, 1500, "Cy", "bid_9", 1600)
        let transport = transport(room, bids: Self.standingBid) { _ throws(TransportError) in
            Responses.bid(leading: true, isReplay: true)
        }
        let model = model(transport, store: store)
        try await running(model, transport) {
            await until { Self.keys(transport).count == 1 && model.screen.bidInDoubt == nil && !model.screen.isBidding }
            #expect(model.screen.notice == .outbid(minimum: Money(minorUnits: 1600, currency: "CNY")))
            #expect(model.screen.me == .outbid)
            #expect(await store.all().isEmpty)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `a stored bid for another item, or of another user, does not hold up bids`(isOfAnother: Bool) async throws {
        let store = MemoryStore()
        let first = transport { _ throws(TransportError) in throw .interrupted("lost") }
        let before = model(first, store: store, tokens: FixedToken(.claiming(#"{"sub":"Ann"}"#)))
        try await running(before, first) { await before.bid("12") }
        var room = Responses.auctioning
        if !isOfAnother { room.round = 2 }
        let transport = transport(room)
        let token = Credential.claiming(isOfAnother ? #"{"sub":"Bo"}"# : #"{"sub":"Ann"}"#)
        let model = model(transport, store: store, tokens: FixedToken(token))
        try await running(model, transport) {
            await model.bid("15")
            #expect(model.screen.notice == .leading && model.screen.bidInDoubt == nil)
            let keys = Self.keys(transport)
            #expect(keys.count == 1 && !Self.keys(first).contains(keys[0]), "only the new bid was sent")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a bid in doubt that asking again cannot decide is said to be so, and another one can be placed`() async throws {
        let (isLost, user) = (Locked(true), Locked("Ann"))
        let transport = transport { _ throws(TransportError) in
            if isLost.withLock({ $0 }) { throw .interrupted("lost") }
            return Responses.bid(leading: true)
        }
        let tokens = ClosureTokenProvider { _ in .claiming(#"{"sub":"\#(user.withLock { $0 })"}"#) }
        let model = model(transport, tokens: tokens)
        try await running(model, transport) {
            await model.bid("12")
            #expect(model.screen.notice == .inDoubt && model.screen.bidInDoubt != nil)
            isLost.withLock { $0 = false }
            user.withLock { $0 = "Bo" }
            await model.client.forgetToken()
            await model.askAgain()
            #expect(model.screen.notice == .undecidable(.differentUser) && model.screen.bidInDoubt == nil)
            await model.bid("15")
            #expect(model.screen.notice == .leading && Set(Self.keys(transport)).count == 2)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `what became of a bid is not said of the item that has come up meanwhile`(isLost: Bool) async throws {
        let transport = transport { _ throws(TransportError) in
            if isLost { throw .interrupted("lost") }
            return Responses.bid(leading: true)
        }
        let isHeld = Locked(true)
        let model = model(HoldingTransport(inner: transport, isHeld: isHeld))
        try await running(model, transport) {
            let bid = Task { await model.bid("12") }
            await until { model.screen.isBidding }
            let item = """
                {"id":"item_2","name":"Cup","description":"","media":[],"owner":\(SimulatedRoom.person("Bo")),"rules":\(SimulatedRoom.rules)}
                """
            transport.push(Self.event(5, "item.uploaded", #"{"item":\#(item)}"#, round: 2))
            await until { model.screen.title == "Cup" }
            isHeld.withLock { $0 = false }
            await bid.value
            #expect(model.screen.me == .bidder && model.screen.notice == nil && model.screen.bidInDoubt == nil)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `after a retraction the caller has only the bid that they had before`(hasEarlier: Bool) async throws {
        let transport = transport(bids: hasEarlier ? Self.standingBid : "")
        let model = model(transport)
        try await running(model, transport) {
            transport.push(Self.placed(5, "10.00", by: "Cy", next: "11.00"))
            transport.push(Self.placed(6, "11.00", by: "Me", next: "12.00"))
            await until { model.screen.seq == 6 }
            #expect(model.screen.me == .leading)
            transport.push(Self.retracted)
            await until { model.screen.seq == 7 && (!hasEarlier || model.screen.me == .outbid) }
            #expect(model.screen.me == (hasEarlier ? .outbid : .bidder) && model.screen.notice == nil)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `the connection is shown while a bid in doubt is asked about`() async throws {
        let (isLost, isHeld) = (Locked(true), Locked(false))
        let transport = transport { _ throws(TransportError) in
            if isLost.withLock({ $0 }) { throw .interrupted("lost") }
            return Responses.bid(leading: true, isReplay: true)
        }
        let model = model(HoldingTransport(inner: transport, isHeld: isHeld))
        try await running(model, transport) {
            await model.bid("12")
            isLost.withLock { $0 = false }
            isHeld.withLock { $0 = true }
            transport.cut()
            await until { model.screen.isBidding }
            model.setActive(false)
            await until { model.screen.link == .paused }
            #expect(model.screen.isBidding && model.screen.bidInDoubt != nil)
            isHeld.withLock { $0 = false }
            await until { model.screen.bidInDoubt == nil }
            #expect(model.screen.notice == .leading)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `offline is said when the device is, otherwise that the service does not answer`() async throws {
        let isDown = Locked(false)
        let transport = transport()
        let model = model(FailingTransport(inner: transport, isDown: isDown))
        let following = Task { await model.run() }
        await until { model.screen.link == .live }
        isDown.withLock { $0 = true }
        transport.cut()
        await until { if case .noAnswer = model.screen.link { true } else { false } }
        #expect(model.screen.title == "Teapot", "what was known stays")
        model.networkChanged(isOnline: false)
        #expect(model.screen.link == .offline)
        isDown.withLock { $0 = false }
        model.networkChanged(isOnline: true)
        await until { model.screen.link == .live }
        model.setActive(false)
        await until { model.screen.link == .paused }
        model.setActive(true)
        await until { model.screen.link == .live }
        following.cancel()
        await following.value
    }

    @Test(.timeLimit(.minutes(1)))
    func `observation of the screen is triggered by its changes and by nothing else`() async throws {
        let transport = transport()
        let model = model(transport)
        let changes = Locked(0)
        func observe() {
            withObservationTracking {
                _ = model.screen
            } onChange: {
                changes.withLock { $0 += 1 }
            }
        }
        observe()
        #expect(changes.withLock { $0 } == 0)
        try await running(model, transport) {
            #expect(changes.withLock { $0 } == 1)
            observe()
            model.networkChanged(isOnline: true)
            #expect(changes.withLock { $0 } == 1, "nothing on the screen has changed")
            await model.bid("x")
            #expect(changes.withLock { $0 } == 2)
        }
    }

    @Test func `a guest is kept in a store, and one that cannot be read is not replaced`() async throws {
        let stored = Locked<Session?>(nil)
        let made = FakeTransport { _ throws(TransportError) in
            SimulatedService.response(
                201, #"{"user":\#(SimulatedRoom.person("Me")),"token":"t1","expiresAt":"2100-01-01T00:00:00.000Z"}"#)
        }
        let tokens = try GuestTokens(transport: made, nickname: "Me", store: TestSessions(stored))
        #expect(try await tokens.token(rejected: nil)?.token == "t1")
        #expect(stored.withLock { $0?.userId } == "user_Me")
        let next = try GuestTokens(transport: made, nickname: "Me", store: TestSessions(stored))
        #expect(try await next.guest().id == "user_Me")
        #expect(made.calls.count == 1, "the second start has made no guest")
        #expect(throws: SignedOut.self) {
            try GuestTokens(transport: made, nickname: "Me", store: TestSessions(stored, isLocked: true))
        }
    }
}

/// A network that may be down.
private struct FailingTransport: HTTPTransport {
    let inner: FakeTransport
    let isDown: Locked<Bool>

    private func check() throws(TransportError) { if isDown.withLock({ $0 }) { throw .notSent("down") } }

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPResponse {
        try check()
        return try await inner.send(call)
    }

    func open(_ call: HTTPCall) async throws(TransportError) -> HTTPStream {
        try check()
        return try await inner.open(call)
    }
}

/// A network in which bids wait until they are let through.
private struct HoldingTransport: HTTPTransport {
    let inner: FakeTransport
    let isHeld: Locked<Bool>

    func send(_ call: HTTPCall) async throws(TransportError) -> HTTPResponse {
        while call.method == "POST", isHeld.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
        return try await inner.send(call)
    }

    func open(_ call: HTTPCall) async throws(TransportError) -> HTTPStream { try await inner.open(call) }
}

private struct TestSessions: SessionStore {
    private let stored: Locked<Session?>
    private let isLocked: Bool

    init(_ stored: Locked<Session?>, isLocked: Bool = false) { (self.stored, self.isLocked) = (stored, isLocked) }

    func load() throws -> Session? {
        if isLocked { throw SignedOut() }
        return stored.withLock { $0 }
    }

    func save(_ session: Session) throws { stored.withLock { $0 = session } }

    func remove() throws { stored.withLock { $0 = nil } }
}

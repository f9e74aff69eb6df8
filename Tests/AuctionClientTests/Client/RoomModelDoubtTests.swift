import Testing

@testable import AuctionClient
@testable import AuctionClientCore

/// The screen never places a bid a second time.
extension RoomModelTests {
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (401, "token.expired"), (500, "service.internal_error"), (404, "room.not_found"), (409, "room.unknown_state"),
        ])
    func `a refusal that does not decide about the lost attempt leaves it in doubt`(status: Int, code: String) async throws {
        let answer = Locked<HTTPResponse?>(nil)
        let transport = transport { _ throws(TransportError) in
            guard let response = answer.withLock({ $0 }) else { throw .interrupted("lost") }
            return response
        }
        let model = model(transport)
        try await running(model, transport) {
            await model.bid("12")
            answer.withLock { $0 = SimulatedService.problem(status, code, at: 0) }
            await model.askAgain()
            #expect(model.screen.notice == .inDoubt && model.screen.bidInDoubt != nil)
            await model.bid("15")
            #expect(Set(Self.keys(transport)).count == 1, "no second bid")
            answer.withLock { $0 = SimulatedService.problem(422, "bid.below_minimum", required: "\"20.00\"", at: 0) }
            await settle(model)
            #expect(model.screen.notice?.text(locale: model.locale) == "At least CN¥20.00.")
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false])
    func `a bid waits until the stored ones have been read`(hasStored: Bool) async throws {
        let store = hasStored ? try await storeOfLostBid() : MemoryStore()
        let key = await store.all().last?.key
        let state = Locked(UnreadableStore.State.held)
        let transport = transport()
        let model = model(transport, store: UnreadableStore(inner: store, state: state), tokens: Self.ann)
        try await running(model, transport) {
            let bid = Task { await model.bid("15") }
            await until { model.screen.isBidding || !Self.keys(transport).isEmpty }
            await model.bid("16")
            #expect(Self.keys(transport).isEmpty)
            state.withLock { $0 = .open }
            await bid.value
            let keys = Self.keys(transport)
            #expect(keys.count == 1 && (key == nil || keys == [key]), "the stored bid, or else the first one")
            #expect(model.screen.notice == .leading && model.screen.bidInDoubt == nil)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `no bid is sent while the store cannot be read, or the caller is not known`() async throws {
        let store = try await storeOfLostBid()
        let key = await store.all().last?.key
        let (state, isSignedOut) = (Locked(UnreadableStore.State.broken), Locked(false))
        let tokens = ClosureTokenProvider { _ in
            if isSignedOut.withLock({ $0 }) { throw SignedOut() }
            return try await Self.ann.token(rejected: nil)
        }
        let transport = transport()
        let model = model(transport, store: UnreadableStore(inner: store, state: state), tokens: tokens)
        try await running(model, transport) {
            await model.bid("15")
            #expect(model.screen.notice == .notSent(.notStored("Unreadable()")) && !model.screen.isBidding)
            isSignedOut.withLock { $0 = true }
            await model.client.forgetToken()
            state.withLock { $0 = .open }
            await model.bid("15")
            guard case .notSent(.token) = model.screen.notice else {
                Issue.record("\(String(describing: model.screen.notice))")
                return
            }
            #expect(!model.screen.isBidding)
            #expect(Self.keys(transport).isEmpty)
            isSignedOut.withLock { $0 = false }
            await model.bid("15")
            await until { model.screen.notice == .leading }
            #expect(Self.keys(transport) == [key], "the stored bid, and no other")
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [true, false, nil])
    func `a stored bid is asked about also where the next item comes up first, and holds up no other`(
        wasPlaced: Bool?
    ) async throws {
        let store = try await storeOfLostBid()
        let key = await store.all().last?.key
        let (state, reads, isAnswered) = (Locked(UnreadableStore.State.held), Locked(0), Locked(wasPlaced != nil))
        let transport = transport { body throws(TransportError) in
            guard isAnswered.withLock({ $0 }) else { throw .interrupted("lost") }
            guard wasPlaced == false, body.contains("item_1") else { return Responses.bid(leading: true) }
            return SimulatedService.problem(409, "bid.wrong_round", at: 0)
        }
        let model = model(transport, store: UnreadableStore(inner: store, state: state, reads: reads), tokens: Self.ann)
        try await running(model, transport) {
            await until { reads.withLock { $0 > 0 } }
            let item = """
                {"id":"item_2","name":"Cup","description":"","media":[],"owner":\(SimulatedRoom.person("Bo")),"rules":\(SimulatedRoom.rules)}
                """
            transport.push(Self.event(5, "item.uploaded", #"{"item":\#(item)}"#, round: 2))
            await until { model.screen.title == "Cup" }
            state.withLock { $0 = .open }
            await until { model.screen.notice == .earlierBid(wasPlaced: wasPlaced) }
            #expect(Set(Self.keys(transport)) == [key] && model.screen.bidInDoubt == nil)
            #expect(model.screen.me == .bidder, "it was for another item")
            isAnswered.withLock { $0 = true }
            await model.bid("15")
            #expect(model.screen.notice == .leading && Set(Self.keys(transport)).count == 2)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a bid that was retracted while it was in doubt does not count`() async throws {
        let isLost = Locked(true)
        let transport = transport { _ throws(TransportError) in
            if isLost.withLock({ $0 }) { throw .interrupted("lost") }
            return Responses.bid(leading: true, isReplay: true)
        }
        let model = model(transport)
        try await running(model, transport) {
            await model.bid("12")
            transport.push(Self.placed(5, "10.00", by: "Cy", next: "11.00"))
            transport.push(Self.placed(6, "11.00", by: "Me", next: "12.00"))
            transport.push(Self.retracted)
            await until { model.screen.seq == 7 }
            #expect(model.screen.me == .bidder && model.screen.notice == .inDoubt)
            isLost.withLock { $0 = false }
            await settle(model)
            #expect(model.screen.me == .bidder && model.screen.notice == nil)
        }
    }

    @Test(arguments: [true, false])
    func `a refusal, or that nothing was sent, is said of the item of the bid only`(isRefused: Bool) async {
        let transport = transport { _ throws(TransportError) in
            guard isRefused else { throw .notSent("no network") }
            return SimulatedService.problem(409, "bid.wrong_round", at: 0)
        }
        let amount = Money(minorUnits: 1200, currency: "CNY")
        let outcome = await model(transport).room.placeBid(amount, round: 1, item: "item_1")
        var screen = RoomScreen()
        (screen.round, screen.item) = (2, "item_2")
        screen.show(outcome, round: 1, item: "item_1", in: nil)
        #expect(screen.notice == nil)
        (screen.round, screen.item) = (1, "item_1")
        screen.show(outcome, round: 1, item: "item_1", in: nil)
        #expect(screen.notice != nil)
    }

    /// The retraction of the bid with seq 6, which the caller has placed after one of Cy's.
    static let retracted = event(
        7, "bid.retracted",
        """
        {"bidId":"bid_6","bidder":\(SimulatedRoom.person("Me")),"by":\(SimulatedRoom.person("Ann")),"reason":"a slip","removed":["bid_6"],\
        "price":"10.00","leader":\(SimulatedRoom.person("Cy")),"nextMinimum":"11.00","reserveMet":null}
        """)

    nonisolated private static var ann: FixedToken { FixedToken(.claiming(#"{"sub":"Ann"}"#)) }

    /// A store with a bid of Ann's, of which an earlier run of the app did not learn what became.
    private func storeOfLostBid() async throws -> MemoryStore {
        let store = MemoryStore()
        let transport = transport { _ throws(TransportError) in throw .interrupted("lost") }
        let model = model(transport, store: store, tokens: Self.ann)
        try await running(model, transport) { await model.bid("12") }
        return store
    }

    /// Asks until the bid is no longer in doubt; the model may be asking by itself.
    private func settle(_ model: RoomModel) async {
        while model.screen.bidInDoubt != nil {
            await model.askAgain()
            await Task.yield()
        }
    }
}

/// A store that cannot be read for a time.
private struct UnreadableStore: CommandStore {
    enum State { case held, broken, open }
    struct Unreadable: Error {}

    let inner: MemoryStore
    let state: Locked<State>
    /// How often it was to be read.
    var reads = Locked(0)

    func save(_ command: PendingCommand) async throws { await inner.save(command) }

    func remove(_ command: PendingCommand) async throws { await inner.remove(command) }

    func all() async throws -> [PendingCommand] {
        reads.withLock { $0 += 1 }
        while state.withLock({ $0 == .held }), !Task.isCancelled { await Task.yield() }
        if state.withLock({ $0 == .broken }) { throw Unreadable() }
        return await inner.all()
    }
}

internal import AuctionClientCore
internal import Glibc

/// A sale by simulated people, each with a client of their own.
struct DemoSale {
    private static let items: [(name: String, price: String)] = [
        ("Teapot", "100"), ("Brass telescope", "250"), ("Travel chess set", "60"), ("Porcelain vase", "400"),
        ("Ink stone", "150"),
        ("Film camera", "180"), ("Silver pocket watch", "320"), ("Wooden abacus", "80"),
    ]
    private static let remarks = [
        "What a beauty.", "Is the lid original?", "I had one like that.", "Not for me at that price.",
        "Good evening, everyone!",
        "这件不错。", "Going up fast.",
    ]
    private static let pause = Duration.milliseconds(300)

    private let address: ServerAddress

    init(_ address: ServerAddress) { self.address = address }

    /// Runs rounds until the task is cancelled. Says where the sale is, and whatever goes wrong.
    func run() async {
        do {
            let (host, seller) = (client("Hana"), client("Sato"))
            let room = try await host.openRoom(name: "Evening sale", currency: "EUR")
            let seat = try await seller.room(room.id).join()
            var changes = MemberChanges()
            changes.role = .auctioneer
            try await host.room(room.id).change(member: seat.user.id, changes)
            announce(room.id)
            await withTaskGroup(of: Void.self) { people in
                people.addTask { await lead(host.room(room.id), seller.room(room.id)) }
                for name in ["Ann", "Bo", "Cy", "Di"] { people.addTask { await bid(client(name).room(room.id)) } }
            }
        } catch {
            if !Task.isCancelled { complain("the demo stopped: \(error)") }
        }
    }

    private func announce(_ room: String) {
        let base = "http://\(address.authority)"
        // As it was called: after a build it is in no folder where the shell looks for programs.
        let program = CommandLine.arguments[0]
        print(
            """
            A sale is on: \(base)/#/rooms/\(room)
            In another terminal: \(program) watch \(room) --url \(base)
                                 \(program) bid \(room) - --url \(base) --nickname You
            """)
        fflush(nil)
    }

    private func client(_ nickname: String) -> AuctionClient {
        let transport = SocketTransport(address: address)
        var configuration = ClientConfiguration()
        configuration.tokens = GuestTokens(transport: transport, nickname: nickname)
        return AuctionClient(transport: transport, configuration: configuration)
    }

    /// The host and the auctioneer: one item after another.
    private func lead(_ host: AuctionRoom, _ seller: AuctionRoom) async {
        var next = 0
        while !Task.isCancelled {
            do {
                let state = try await host.read()
                switch state.phase {
                case .preparing where state.item == nil:
                    try await seller.uploadItem(Self.item(next, state.currency))
                    next += 1
                case .preparing: try await host.start(expecting: Expectation(state))
                case .closed:
                    try await Task.sleep(for: .seconds(4))
                    try await host.start(expecting: Expectation(state))
                default: try await Task.sleep(for: Self.pause)
                }
            } catch {
                // Such as a state that has changed meanwhile: the next look shows what to do.
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private static func item(_ number: Int, _ currency: Currency) throws -> NewItem {
        let (name, price) = items[number % items.count]
        let starting = try Money(price, currency)
        var rules = NewRules(startingPrice: starting)
        rules.increment = .fixed(try Money("10", currency))
        rules.listingSeconds = 3
        rules.biddingSeconds = 8
        rules.maxDurationSeconds = 60
        return NewItem(name: name, rules: rules)
    }

    /// A bidder with a limit of their own for each round, who also talks now and then.
    private func bid(_ room: AuctionRoom) async {
        var limit: (round: Int, steps: Int) = (0, 0)
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: .milliseconds(.random(in: 600...2600)))
                let state = try await room.read()
                if state.details.me?.role != .bidder { try await room.join(as: .bidder) }
                if Int.random(in: 0..<12) == 0 { try await room.sendMessage(Self.remarks.randomElement() ?? "Good evening.") }
                if limit.round != state.round { limit = (state.round, .random(in: 2...9)) }
                guard state.phase == .auctioning, state.details.me?.isLeading != true, limit.steps > 0,
                    let minimum = state.nextMinimum
                else { continue }
                limit.steps -= 1
                // More than the minimum now and then.
                let raise = try Money(String(10 * Int.random(in: 0...3)), state.currency)
                _ = await room.placeBid(try minimum.adding(raise), round: state.round, item: state.item?.id)
            } catch { continue }
        }
    }
}

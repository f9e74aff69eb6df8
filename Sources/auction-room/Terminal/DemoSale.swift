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

    /// Runs two sales until the task is cancelled. Says where they are, and whatever goes wrong.
    func run() async {
        do {
            let (host, seller) = (client("Hana"), client("Sato"))
            let evening = try await open("Evening sale", host, seller, premium: "20")
            let dutch = try await open("Falling prices", host, seller, premium: nil)
            announce(evening, dutch)
            await withTaskGroup(of: Void.self) { people in
                for (room, isDutch) in [(evening, false), (dutch, true)] {
                    people.addTask { await lead(host.room(room), seller.room(room), isDutch: isDutch) }
                    for name in ["Ann", "Bo", "Cy", "Di"] {
                        people.addTask { await bid(client(name).room(room), isDutch: isDutch) }
                    }
                }
                if isatty(STDOUT_FILENO) != 0 {
                    people.addTask {
                        try? await Watch.follow(client.room(evening), client, from: nil, .screen, hints(evening, dutch))
                    }
                }
            }
        } catch {
            if !Task.isCancelled { complain("the demo stopped: \(error)") }
        }
    }

    /// A room with an automatic sale, and the seller as its auctioneer.
    private func open(_ name: String, _ host: AuctionClient, _ seller: AuctionClient, premium: String?) async throws -> String {
        let room = try await host.openRoom(name: name, currency: "EUR")
        let seat = try await seller.room(room.id).join()
        var changes = MemberChanges()
        changes.role = .auctioneer
        try await host.room(room.id).change(member: seat.user.id, changes)
        var sale = NewSale(mode: .automatic)
        (sale.pauseSeconds, sale.premiumPercent) = (4, premium)
        try await host.room(room.id).configureSale(sale)
        return room.id
    }

    private var base: String { "http://\(address.authority)" }
    /// Who only watches.
    private var client: AuctionClient { AuctionClient(transport: SocketTransport(address: address), configuration: .init()) }

    private func hints(_ room: String, _ other: String) -> [String] {
        // The program's name as it was called: after a build it is in no folder of PATH.
        let program = CommandLine.arguments[0]
        return [
            "A sale is on: \(base)/#/rooms/\(room)", "and another one: \(base)/#/rooms/\(other)",
            "In another terminal: \(program) watch \(room) --url \(base)",
            "                     \(program) bid \(room) - --url \(base) --nickname You",
        ]
    }

    private func announce(_ room: String, _ other: String) {
        print(hints(room, other).joined(separator: "\n"))
        fflush(nil)
    }

    private func client(_ nickname: String) -> AuctionClient {
        let transport = SocketTransport(address: address)
        var configuration = ClientConfiguration()
        configuration.tokens = GuestTokens(transport: transport, nickname: nickname)
        return AuctionClient(transport: transport, configuration: configuration)
    }

    /// The host and the auctioneer: some lots always wait, and the sale begins again when it has stopped.
    private func lead(_ host: AuctionRoom, _ seller: AuctionRoom, isDutch: Bool) async {
        var next = isDutch ? 4 : 0
        while !Task.isCancelled {
            do {
                let sale = try await host.sale()
                if sale.queuedCount < (sale.isRunning ? 3 : 1) {
                    let picture = try await seller.uploadPicture(DemoPicture.png(next), type: "image/png")
                    try await seller.queueLot(NewLot(Self.item(next, picture.url, isDutch: isDutch)))
                    next += 1
                } else if !sale.isRunning {
                    try await host.startSale()
                } else {
                    try await Task.sleep(for: .seconds(1))
                }
            } catch {
                // Such as a state that has changed meanwhile: the next look shows what to do.
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private static func item(_ number: Int, _ picture: String, isDutch: Bool) throws -> NewItem {
        let (name, price) = items[number % items.count]
        let currency: Currency = "EUR"
        let starting = try Money(price, currency)
        var rules = NewRules(startingPrice: starting)
        rules.increment = .fixed(try Money("10", currency))
        rules.listingSeconds = 3
        if isDutch {
            (rules.format, rules.dutchTickSeconds, rules.floorPrice) = (.dutch, 2, try Money("20", currency))
        } else {
            (rules.biddingSeconds, rules.maxDurationSeconds) = (8, 60)
            // Bids do not always get there.
            if number % 3 == 1 { rules.reservePrice = try starting.adding(try Money("90", currency)) }
        }
        var item = NewItem(name: name, rules: rules)
        item.media = [picture]
        return item
    }

    /// A bidder with a limit of their own for each round, who also talks now and then.
    private func bid(_ room: AuctionRoom, isDutch: Bool) async {
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
                // The first bid has it: they wait for a lower price.
                if isDutch, Int.random(in: 0..<6) > 0 { continue }
                // More than the minimum now and then.
                let raise = try Money(String(isDutch ? 0 : 10 * Int.random(in: 0...3)), state.currency)
                _ = await room.placeBid(try minimum.adding(raise), round: state.round, item: state.item?.id)
            } catch { continue }
        }
    }
}

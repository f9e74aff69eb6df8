internal import ArgumentParser
internal import AuctionClientCore

/// `auction-room bid`: places one bid.
struct PlaceBidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bid", abstract: "Places a bid, as a member of the room or as a guest.",
        discussion: """
            A guest's token is kept in .auction-room-guests, so that bids from the same folder under one nickname are one guest's.
            Exit codes: 0 if the bid was placed, 1 if it was refused or never sent, 75 if that is not known; `auction-room watch` shows it.
            """)

    @Argument(help: "The room's id.")
    var room: String

    @Argument(help: "Such as 120 or 120.50; - for the next minimum.")
    var amount: String

    @OptionGroup var options: TerminalOptions

    @Option(help: "The nickname of the guest, if there is no token.")
    var nickname = "Terminal"

    @Option(help: "The most that the server bids on your behalf.")
    var maximum: String?

    func run() throws {
        let (id, amount, maximum, options, nickname) = (room, amount, maximum, options, nickname)
        try failing {
            try runBlocking {
                let room = try await options.client(asGuest: nickname).room(id)
                let state = try await room.read()
                if state.details.me?.role == nil || state.details.me?.role == .viewer { try await room.join(as: .bidder) }
                guard let money = try amount == "-" ? state.nextMinimum : Money(amount, state.currency) else {
                    complain("there is no item to bid for")
                    throw ExitCode.failure
                }
                let most = try maximum.map { try Money($0, state.currency) }
                try Self.show(await room.placeBid(money, maximum: most, round: state.round, item: state.item?.id))
            }
        }
    }

    private static func show(_ outcome: BidOutcome) throws {
        let text = "\(outcome)".printable
        switch outcome {
        case .leading, .outbid, .sealed: print(text)
        case .refused:
            print(text)
            throw ExitCode.failure
        case .notSent:
            complain(text)
            throw ExitCode.failure
        case .unknown:
            complain(text)
            throw ExitCode(75)
        }
    }
}

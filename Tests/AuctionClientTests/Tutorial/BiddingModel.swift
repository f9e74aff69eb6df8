import AuctionClient
import Foundation

// The code of the article ABiddingScreen.md, word for word; TutorialTests compares them.

struct BiddingScreen: Sendable {
    var title = ""
    var price: Money?
    var minimum: Money?
    var leader: Person?
    var endsAt: ServerTime?
    var mayBid = false
    var isLive = false
    var notice = ""
}

@MainActor
final class BiddingModel {
    let client: AuctionClient
    let room: AuctionRoom
    let live: LiveRoom
    let locale: Locale
    var screen = BiddingScreen()
    var round = 1
    var undecided: PendingCommand?

    init(client: AuctionClient, room id: String, locale: Locale) {
        self.client = client
        self.locale = locale
        room = client.room(id)
        live = room.follow()
    }

    func text(_ amount: Money?) -> String { amount?.formatted(locale: locale) ?? "" }

    func follow() async {
        do {
            for try await update in live.updates {
                let state = update.state
                round = state.round
                screen.title = state.item?.name ?? state.name
                screen.price = state.currentPrice
                screen.minimum = state.nextMinimum
                screen.leader = state.currentBid?.bidder
                screen.endsAt = state.endsAt
                screen.mayBid = state.details.allows(.placeBid)
                if case .itemSold(let winner, let price)? = update.event?.body {
                    screen.notice = "\(winner.nickname): \(price.formatted(locale: locale))"
                }
            }
            // A screen that is left cancels its task, which ends the loop too.
            guard !Task.isCancelled else { return }
            screen.notice = "The room is closed."
        } catch {
            screen.notice = "The room cannot be followed: \(error)"
        }
    }

    func watchConnection() async {
        for await status in live.statuses {
            screen.isLive = status.isLive
            if case .waiting(let reason, _) = status.state { screen.notice = "Connecting again: \(reason)" }
        }
    }

    func remaining() -> Duration? {
        screen.endsAt.flatMap { client.remaining(until: $0) }
    }

    func bid(_ typed: String) async {
        guard let currency = screen.minimum?.currency else { return }
        do {
            let amount = try Money(typed: typed, currency: currency, locale: locale)
            show(await room.placeBid(amount, round: round))
        } catch {
            screen.notice = "Not an amount: \(typed)"
        }
    }

    func show(_ outcome: BidOutcome) {
        switch outcome {
        case .leading(let placed): screen.notice = placed.phase == .closed ? "Yours!" : "You lead."
        case .outbid(let placed): screen.notice = "Outbid at once; at least \(text(placed.nextMinimum)) now."
        case .sealed: screen.notice = "Your sealed bid is in."
        case .refused(let refusal):
            let minimum = refusal.requiredAmount.map { "At least \(text($0))." }
            screen.notice = minimum ?? refusal.refusal.detail
        case .notSent: screen.notice = "No connection: nothing was sent."
        case .unknown(let command, _):
            undecided = command
            screen.notice = "It is not known whether your bid was placed."
        }
    }

    func askAgain() async {
        guard let command = undecided else { return }
        undecided = nil
        show(await room.resendBid(command))
    }

    func isShown(_ isShown: Bool) {
        if isShown { live.resume() } else { live.pause() }
    }
}

import AuctionDomain
import AuctionTestKit

/// Builders and shorthands for the tests of formats.
enum FormatFixture {
    static func money(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits) }

    /// Starting price 100, increment 10, in minor units.
    static func rules(
        start: Int64 = 100, step: Int64 = 10, reserve: Int64? = nil, buyNow: Int64? = nil, countdown: Countdown = .reset,
        maxDuration: Int? = nil
    ) -> AuctionRules {
        AuctionRules(
            startingPrice: money(start), increment: .fixed(money(step)), reservePrice: reserve.map(money),
            buyNowPrice: buyNow.map(money), countdown: countdown, maxDuration: maxDuration.map { Seconds($0) })
    }

    static func dutch(start: Int64 = 100, step: Int64 = 30, floor: Int64 = 20, tick: Int = 10) -> AuctionRules {
        AuctionRules(
            startingPrice: money(start), increment: .fixed(money(step)), floorPrice: money(floor), dutchTick: Seconds(tick),
            format: .dutch)
    }

    static func sealed(
        _ format: AuctionFormatName, start: Int64 = 100, reserve: Int64? = nil, tie: TiePolicy = .earliest
    ) -> AuctionRules {
        AuctionRules(
            startingPrice: money(start), increment: .fixed(money(10)), reservePrice: reserve.map(money), format: format,
            tie: tie)
    }
}

extension Scenario {
    /// The leader and the price as shown by the room, or a placeholder without a leader.
    var standing: String {
        guard let bid = room.currentBid else { return "no bid" }
        return "\(bid.bidder.nickname) at \(bid.amount.minorUnits)"
    }

    /// Milliseconds until the deadline; nil if there is none.
    var left: Int64? { room.endsAt.map { $0.milliseconds(since: instant) } }

    var outcome: String? {
        switch room.results.last?.outcome {
        case .sold(let winner, let price): "\(winner.nickname) for \(price.minorUnits)"
        case .passed(let reason): reason.rawValue
        case nil: nil
        }
    }

    /// The code of the refusal of a bid; nil if the bid would be accepted.
    func code(bid amount: Int64?, upTo maximum: Int64? = nil, by person: Person) -> String? {
        refusal(
            of: .placeBid(
                PlaceBid(amount: amount.map({ Money(minorUnits: $0) }), maximum: maximum.map({ Money(minorUnits: $0) }))),
            by: person)?.code
    }
}

/// Bids as `nickname amount`; automatic ones have a star, bids that do not lead are in parentheses.
func bids(in events: [EventBody]) -> [String] {
    events.compactMap { body in
        guard case .bidPlaced(let bid) = body else { return nil }
        let text = "\(bid.bidder.nickname) \(bid.amount.minorUnits)\(bid.automatic ? "*" : "")"
        return bid.leading ? text : "(\(text))"
    }
}

func moves(in events: [EventBody]) -> [CountdownMoved] {
    events.compactMap { body in
        guard case .countdownMoved(let moved) = body else { return nil }
        return moved
    }
}

@testable import AuctionDomain

extension RuleExamples {
    static let offers: [String: [RuleExample]] = [
        "offer.banned": [
            .denied("A banned bidder accepts what was offered to them.") {
                try RuleSituation(.closed, .offers(.bidder, 100), .isBanned(.bidder)).asks(.bidder, .on(.bidder))
            },
            .allowed("A bidder who has left accepts it.") {
                try RuleSituation(.closed, .offers(.bidder, 100), .leaves(.bidder)).asks(.bidder, .on(.bidder))
            },
        ],
        "offer.not_yours": [
            .denied("Another bidder accepts it.") {
                try RuleSituation(.closed, .offers(.bidder, 100)).asks(.rival, .on(.bidder))
            },
            .denied("The host declines it.") { try RuleSituation(.closed, .offers(.bidder, 100)).asks(.host) },
            .allowed("The bidder declines it.") { try RuleSituation(.closed, .offers(.bidder, 100)).asks(.bidder) },
        ],
        "offer.over_credit": [
            .denied("The offer is above the bidder's credit limit.") {
                try RuleSituation(.closed, .hasCredit(.bidder, 99), .offers(.bidder, 100)).asks(
                    .bidder, .accepting(100, .bidder))
            },
            .allowed("It is as much as the bidder may owe.") {
                try RuleSituation(.closed, .hasCredit(.bidder, 100), .offers(.bidder, 100)).asks(
                    .bidder, .accepting(100, .bidder))
            },
            .allowed("The bidder declines an offer above the limit.") {
                try RuleSituation(.closed, .hasCredit(.bidder, 99), .offers(.bidder, 100)).asks(.bidder, .on(.bidder))
            },
        ],
        "room.offer_open": [
            .denied("The host archives a room in which an offer stands.") {
                try RuleSituation(.closed, .offers(.bidder, 100)).asks(.host)
            },
            .allowed("The host archives a room without an offer.") { try RuleSituation(.closed).asks(.host) },
        ],
    ]

    static let hand: [String: [RuleExample]] = [
        "ask.has_bid": [
            .denied("A leading host asks for a next minimum that no other bidder would pay.") {
                try RuleSituation(.auctioning, .bids(.host, 100)).asks(.host, .bid(500))
            },
            .allowed("A host who has not bid asks for the next amount.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.host, .bid(115))
            },
        ],
        "report.limit": [
            .denied("A member reports a message after twenty others.") {
                try RuleSituation(.empty, .reports(.viewer, 20)).asks(.viewer)
            },
            .allowed("Another member does.") { try RuleSituation(.empty, .reports(.viewer, 20)).asks(.bidder) },
        ],
        "ask.below_price": [
            .denied("The host asks for the amount that leads.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.host, .bid(100))
            },
            .allowed("The host asks for less than the increment while the auction is paused.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100), .pauses).asks(.host, .bid(101))
            },
            .denied("The host asks for a first bid below the starting price.") {
                try RuleSituation(.auctioning).asks(.host, .bid(99))
            },
            .allowed("The host asks for a first bid above the starting price.") {
                try RuleSituation(.auctioning).asks(.host, .bid(150))
            },
        ],
    ]
}

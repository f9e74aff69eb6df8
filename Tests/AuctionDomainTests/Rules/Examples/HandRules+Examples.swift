@testable import AuctionDomain

extension RuleExamples {
    static let hand: [String: [RuleExample]] = [
        "ask.has_bid": [
            .denied("A leading host asks for a next minimum that no other bidder would pay.") {
                try RuleSituation(.auctioning, .bids(.host, 100)).asks(.host, .bid(500))
            },
            .allowed("A host who has not bid asks for the next amount.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.host, .bid(115))
            },
        ],
        "ask.no_bid": [
            .denied("The host asks for a first bid above the starting price.") {
                try RuleSituation(.auctioning).asks(.host, .bid(150))
            },
            .allowed("The host changes the increment before the first bid.") { try RuleSituation(.auctioning).asks(.host) },
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
        ],
    ]
}

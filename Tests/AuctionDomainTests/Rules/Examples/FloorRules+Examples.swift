@testable import AuctionDomain

// The host has switched floor bids on, except in the examples of that rule. The item's starting price is 100 yuan, its increment 10.
extension RuleExamples {
    static let floor: [String: [RuleExample]] = [
        "bid.floor_off": [
            .denied("A floor bid in a room that was not set up for them.") {
                try RuleSituation(.auctioning).asks(.host, .bid(100))
            },
            .allowed("A floor bid where the host switched the rule off.") { try hall().asks(.host, .bid(100)) },
        ],
        "floor.not_auctioning": [
            .denied("A floor bid while the auction is paused.") { try hall(.pauses).asks(.host, .bid(100)) },
            .allowed("A floor bid once bidding is open.") { try hall().asks(.host, .bid(100)) },
        ],
        "floor.not_auctioneer": [
            .denied("A bidder enters a bid of the hall.") { try hall().asks(.bidder, .bid(100)) },
            .allowed("An auctioneer enters it.") { try hall().asks(.auctioneer, .bid(100)) },
        ],
        "floor.wrong_round": [
            .denied("A floor bid that was meant for the next round.") { try hall().asks(.host, .bid(100, round: 2)) },
            .allowed("A floor bid that names the running round.") { try hall().asks(.host, .bid(100, round: 1)) },
        ],
        "floor.wrong_item": [
            .denied("A floor bid for an item that another has replaced.") {
                try hall().asks(.host, .bid(100, item: ItemID(bits: 77)))
            },
            .allowed("A floor bid for the item that is up.") {
                try hall().asks(.host, .bid(100, item: hall().room.item?.id))
            },
        ],
        "floor.banned": [
            .denied("A floor bid by a banned auctioneer.") { try hall(.isBanned(.auctioneer)).asks(.auctioneer, .bid(100)) },
            .allowed("A floor bid by a muted auctioneer: muting is about messages.") {
                try hall(.isMuted(.auctioneer)).asks(.auctioneer, .bid(100))
            },
        ],
        "floor.own_item": [
            .denied("The owner of the item enters a bid of the hall.") { try hall().asks(.owner, .bid(100)) },
            .allowed("Another auctioneer enters it.") { try hall().asks(.auctioneer, .bid(100)) },
        ],
        "floor.sealed": [
            .denied("A floor bid in a sealed round.") {
                try hall(.hasFormat(.sealedFirstPrice)).asks(.host, .bid(100))
            },
            .allowed("A floor bid in an English auction.") { try hall().asks(.host, .bid(100)) },
        ],
        "floor.below_minimum": [
            .denied("A floor bid that is not a whole increment above the price.") {
                try hall(.bids(.rival, 100)).asks(.host, .bid(109))
            },
            .allowed("A floor bid of exactly the next minimum.") { try hall(.bids(.rival, 100)).asks(.host, .bid(110)) },
        ],
    ]

    /// A running round in a room that takes floor bids.
    private static func hall(_ happening: RuleSituation.Happening? = nil) throws -> RuleSituation {
        try RuleSituation(.auctioning, .switches("bid.floor_off", on: false), happening ?? .waits(milliseconds: 0))
    }
}

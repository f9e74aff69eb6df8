@testable import AuctionDomain

// The item's starting price is 100 yuan, its increment 10 yuan.
extension RuleExamples {
    static let bid: [String: [RuleExample]] = [
        "bid.not_auctioning": [
            .denied("A bid during the listing countdown.") { try RuleSituation(.listing).asks(.bidder, .bid(100)) },
            .denied("A bid while the auction is paused.") {
                try RuleSituation(.auctioning, .pauses).asks(.bidder, .bid(100))
            },
            .allowed("The first bid once bidding is open.") { try RuleSituation(.auctioning).asks(.bidder, .bid(100)) },
        ],
        "bid.wrong_round": [
            .denied("A bid that was meant for the next round.") {
                try RuleSituation(.auctioning).asks(.bidder, .bid(100, round: 2))
            },
            .allowed("A bid that names the running round.") {
                try RuleSituation(.auctioning).asks(.bidder, .bid(100, round: 1))
            },
        ],
        "bid.wrong_item": [
            .denied("A bid for an item that another has replaced.") {
                try RuleSituation(.auctioning).asks(.bidder, .bid(100, item: ItemID(bits: 77)))
            },
            .allowed("A bid that names the item that is up.") {
                let situation = try RuleSituation(.auctioning)
                return situation.asks(.bidder, .bid(100, item: situation.room.item?.id))
            },
        ],
        "bid.not_member": [
            .denied("A bid by a user who has not joined.") { try RuleSituation(.auctioning).asks(.stranger, .bid(100)) },
            .denied("A bid by a user who has left.") {
                try RuleSituation(.auctioning, .leaves(.bidder)).asks(.bidder, .bid(100))
            },
            .allowed("A bid by a bidder of the room.") { try RuleSituation(.auctioning).asks(.rival, .bid(100)) },
        ],
        "bid.banned": [
            .denied("A bid by a banned bidder.") {
                try RuleSituation(.auctioning, .isBanned(.bidder)).asks(.bidder, .bid(100))
            },
            .allowed("A bid by a muted bidder: muting is about messages.") {
                try RuleSituation(.auctioning, .isMuted(.bidder)).asks(.bidder, .bid(100))
            },
        ],
        "bid.viewer": [
            .denied("A bid by a viewer.") { try RuleSituation(.auctioning).asks(.viewer, .bid(100)) },
            .allowed("A bid by a viewer where the host switched the rule off.") {
                try RuleSituation(.auctioning, .switches("bid.viewer", on: false)).asks(.viewer, .bid(100))
            },
        ],
        "bid.host": [
            .denied("A bid by the host.") { try RuleSituation(.auctioning).asks(.host, .bid(100)) },
            .allowed("A bid by the host where the host switched the rule off.") {
                try RuleSituation(.auctioning, .switches("bid.host", on: false)).asks(.host, .bid(100))
            },
        ],
        "bid.own_item": [
            .denied("A bid by the owner of the item.") { try RuleSituation(.auctioning).asks(.owner, .bid(100)) },
            .denied("A bid by the owner after they became a bidder.") {
                try RuleSituation(.auctioning, .becomes(.owner, .bidder)).asks(.owner, .bid(100))
            },
            .allowed("A bid by another auctioneer.") { try RuleSituation(.auctioning).asks(.auctioneer, .bid(100)) },
        ],
        "bid.already_leading": [
            .denied("A second bid by the bidder who leads.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.bidder, .bid(200))
            },
            .allowed("A second bid by a bidder who was outbid.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100), .bids(.rival, 110)).asks(.bidder, .bid(120))
            },
        ],
        "bid.below_minimum": [
            .denied("A first bid below the starting price.") { try RuleSituation(.auctioning).asks(.bidder, .bid(99)) },
            .denied("A bid that is not a whole increment above the price.") {
                try RuleSituation(.auctioning, .bids(.rival, 100)).asks(.bidder, .bid(109))
            },
            .allowed("A bid of exactly the next minimum.") {
                try RuleSituation(.auctioning, .bids(.rival, 100)).asks(.bidder, .bid(110))
            },
        ],
        "bid.names_no_price": [
            .denied("A maximum alone where the next bid is the buy-now price.") {
                try RuleSituation(.auctioning, .bids(.rival, 100), .hasBuyNow(110)).asks(.bidder, .maximum(200))
            },
            .allowed("A maximum alone where the next bid is below the buy-now price.") {
                try RuleSituation(.auctioning, .bids(.rival, 100), .hasBuyNow(120)).asks(.bidder, .maximum(200))
            },
            .allowed("A bid that names the buy-now price.") {
                try RuleSituation(.auctioning, .bids(.rival, 100), .hasBuyNow(110)).asks(.bidder, .bid(110))
            },
        ],
        "bid.over_credit": [
            .denied("A bid above the bidder's credit limit.") {
                try RuleSituation(.auctioning, .hasCredit(.bidder, 150)).asks(.bidder, .bid(151))
            },
            .allowed("A bid of exactly the credit limit.") {
                try RuleSituation(.auctioning, .hasCredit(.bidder, 150)).asks(.bidder, .bid(150))
            },
        ],
    ]

    static let optionalBid: [String: [RuleExample]] = [
        "bid.invited_only": [
            .denied("Only the invited may bid, and the bidder chose that role themself.") {
                try RuleSituation(.auctioning, .switches("bid.invited_only", on: true)).asks(.bidder, .bid(100))
            },
            .allowed("Only the invited may bid, and the host made the viewer a bidder.") {
                try RuleSituation(.auctioning, .switches("bid.invited_only", on: true), .becomes(.viewer, .bidder))
                    .asks(.viewer, .bid(100))
            },
            .allowed("The host asks for no invitations.") { try RuleSituation(.auctioning).asks(.bidder, .bid(100)) },
        ],
        "bid.not_approved": [
            .denied("The host approves bidders, and the bidder came before that.") {
                try RuleSituation(.auctioning, .switches("bid.not_approved", on: true)).asks(.bidder, .bid(100))
            },
            .allowed("The host approves bidders, and has made the viewer one.") {
                try RuleSituation(.auctioning, .switches("bid.not_approved", on: true), .becomes(.viewer, .bidder))
                    .asks(.viewer, .bid(100))
            },
        ],
        "bid.new_member": [
            .denied("New members wait, and the bidder came 59 seconds ago.") {
                try RuleSituation(.auctioning, .switches("bid.new_member", on: true), .waits(milliseconds: 59_999))
                    .asks(.bidder, .bid(100))
            },
            .allowed("New members wait, and the bidder came a minute ago.") {
                try RuleSituation(.auctioning, .switches("bid.new_member", on: true), .waits(milliseconds: 60_000))
                    .asks(.bidder, .bid(100))
            },
        ],
    ]
}

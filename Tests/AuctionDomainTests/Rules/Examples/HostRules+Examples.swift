@testable import AuctionDomain

extension RuleExamples {
    static let running: [String: [RuleExample]] = [
        "start.wrong_state": [
            .denied("The host starts an auction that is running.") { try RuleSituation(.auctioning).asks(.host) },
            .allowed("The host opens bidding before the listing countdown ends.") { try RuleSituation(.listing).asks(.host) },
            .allowed("The host begins the next round.") { try RuleSituation(.closed).asks(.host) },
        ],
        "start.not_host": [
            .denied("The owner of the item starts the auction.") { try RuleSituation(.withItem).asks(.owner) },
            .allowed("The host starts the auction.") { try RuleSituation(.withItem).asks(.host) },
        ],
        "start.no_item": [
            .denied("The host starts before there is an item.") { try RuleSituation(.empty).asks(.host) },
            .allowed("The host starts once there is an item.") { try RuleSituation(.withItem).asks(.host) },
        ],
        "end.not_auctioning": [
            .denied("The host ends a round that is only being listed.") { try RuleSituation(.listing).asks(.host) },
            .allowed("The host ends a running auction.") { try RuleSituation(.auctioning).asks(.host) },
        ],
        "end.not_host": [
            .denied("The leading bidder ends the auction.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.bidder)
            },
            .allowed("The host ends the auction for the leading bidder.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.host)
            },
        ],
        "end.has_bid": [
            .denied("A host who has bid ends the auction while they lead.") {
                try RuleSituation(.auctioning, .bids(.host, 100)).asks(.host)
            },
            .denied("A host who has bid ends the auction after being outbid.") {
                try RuleSituation(.auctioning, .bids(.host, 100), .bids(.bidder, 110)).asks(.host)
            },
            .allowed("A host who has not bid ends the auction.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.host)
            },
        ],
        "cancel.not_running": [
            .denied("The host cancels a round that has not started.") { try RuleSituation(.withItem).asks(.host) },
            .allowed("The host cancels while the item is listed.") { try RuleSituation(.listing).asks(.host) },
        ],
        "cancel.not_host": [
            .denied("The owner of the item cancels the auction.") { try RuleSituation(.auctioning).asks(.owner) },
            .allowed("The host cancels the auction.") { try RuleSituation(.auctioning).asks(.host) },
        ],
        "cancel.has_bids": [
            .denied("The host cancels although a bidder has bid.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.host)
            },
            .allowed("The host cancels a paused auction without a bid.") {
                try RuleSituation(.auctioning, .pauses).asks(.host)
            },
        ],
    ]

    static let pausing: [String: [RuleExample]] = [
        "pause.not_running": [
            .denied("The host pauses while the room is preparing.") { try RuleSituation(.withItem).asks(.host) },
            .allowed("The host pauses while the item is listed.") { try RuleSituation(.listing).asks(.host) },
        ],
        "pause.not_host": [
            .denied("A bidder pauses the auction.") { try RuleSituation(.auctioning).asks(.bidder) },
            .allowed("The host pauses the auction.") { try RuleSituation(.auctioning).asks(.host) },
        ],
        "pause.has_bid": [
            .denied("A host who has bid stops the clock.") {
                try RuleSituation(.auctioning, .bids(.host, 100)).asks(.host)
            },
            .allowed("A host who has not bid pauses the auction.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.host)
            },
        ],
        "resume.not_paused": [
            .denied("The host resumes a running auction.") { try RuleSituation(.auctioning).asks(.host) },
            .allowed("The host resumes a paused auction.") { try RuleSituation(.auctioning, .pauses).asks(.host) },
        ],
        "resume.not_host": [
            .denied("The owner of the item resumes the auction.") { try RuleSituation(.auctioning, .pauses).asks(.owner) },
            .allowed("A host who has bid resumes the auction: that gains them nothing.") {
                try RuleSituation(.auctioning, .bids(.host, 100), .pauses).asks(.host)
            },
        ],
    ]

    static let retracting: [String: [RuleExample]] = [
        "retract.wrong_state": [
            .denied("The host takes a bid back after the hammer.") {
                try RuleSituation(.closed).asks(.host, .retracting(100))
            },
            .allowed("The host takes a bid back while the auction is paused.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100), .pauses).asks(.host, .retracting(100))
            },
        ],
        "retract.not_host": [
            .denied("A bidder takes their own bid back.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.bidder, .retracting(100))
            },
            .allowed("The host takes the bid back.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100)).asks(.host, .retracting(100))
            },
        ],
        "retract.has_bid": [
            .denied("A host who has bid takes a rival's bid back.") {
                try RuleSituation(.auctioning, .bids(.host, 100), .bids(.bidder, 110)).asks(.host, .retracting(110))
            },
            .allowed("A host who has not bid takes the latest bid back.") {
                try RuleSituation(.auctioning, .bids(.rival, 100), .bids(.bidder, 110)).asks(.host, .retracting(110))
            },
        ],
        "retract.not_latest": [
            .denied("The host takes back a bid that has been outbid.") {
                try RuleSituation(.auctioning, .bids(.rival, 100), .bids(.bidder, 110)).asks(.host, .retracting(100))
            },
            .denied("There is no bid to take back.") { try RuleSituation(.auctioning).asks(.host) },
            .denied("The host takes back a bid that has been outbid by a banned bidder.") {
                try RuleSituation(.auctioning, .bids(.rival, 100), .bids(.bidder, 110), .isBanned(.bidder))
                    .asks(.host, .retracting(100))
            },
            .allowed("The host takes back a banned bidder's bid that has been outbid.") {
                try RuleSituation(.auctioning, .bids(.rival, 100), .bids(.bidder, 110), .isBanned(.rival))
                    .asks(.host, .retracting(100))
            },
            .allowed("The host takes back the latest bid, although its bidder has left.") {
                try RuleSituation(.auctioning, .bids(.bidder, 100), .leaves(.bidder)).asks(.host, .retracting(100))
            },
        ],
    ]

    static let archiving: [String: [RuleExample]] = [
        "room.not_host": [
            .denied("An auctioneer archives the room.") { try RuleSituation(.closed).asks(.auctioneer) },
            .allowed("The host archives the room after a round.") { try RuleSituation(.closed).asks(.host) },
        ],
        "room.round_running": [
            .denied("The host archives the room while the item is listed.") { try RuleSituation(.listing).asks(.host) },
            .denied("The host archives the room while the auction is paused.") {
                try RuleSituation(.auctioning, .pauses).asks(.host)
            },
            .allowed("The host archives the room before a round starts.") { try RuleSituation(.withItem).asks(.host) },
        ],
    ]
}

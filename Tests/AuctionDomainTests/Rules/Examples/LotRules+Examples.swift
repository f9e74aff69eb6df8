@testable import AuctionDomain

extension RuleExamples {
    static let lots: [String: [RuleExample]] = [
        "lot.banned": [
            .denied("A banned auctioneer queues a lot.") {
                try RuleSituation(.empty, .isBanned(.auctioneer)).asks(.auctioneer)
            },
            .allowed("A muted auctioneer queues a lot.") { try RuleSituation(.empty, .isMuted(.auctioneer)).asks(.auctioneer) },
        ],
        "lot.not_auctioneer": [
            .denied("A bidder queues a lot.") { try RuleSituation(.empty).asks(.bidder) },
            .denied("A user who is not in the room queues a lot.") { try RuleSituation(.empty).asks(.stranger) },
            .allowed("The host queues a lot.") { try RuleSituation(.empty).asks(.host) },
            .allowed("An auctioneer queues a lot while bids are taken.") { try RuleSituation(.auctioning).asks(.auctioneer) },
        ],
        "lot.too_many": [
            .denied("The room may have two lots, and has two.") {
                try RuleSituation(.empty, .queues(.owner), .queues(.owner)).asks(.owner, lotsPerRoom: 2)
            },
            .allowed("The room may have two lots, and has one.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.owner, lotsPerRoom: 2)
            },
        ],
        "sale.not_host": [
            .denied("An auctioneer starts the sale.") { try RuleSituation(.empty, .queues(.owner)).asks(.owner) },
            .allowed("The host starts the sale.") { try RuleSituation(.empty, .queues(.owner)).asks(.host) },
        ],
    ]

    static let changedLots: [String: [RuleExample]] = [
        "lot.change_banned": [
            .denied("A banned owner changes their lot.") {
                try RuleSituation(.empty, .queues(.owner), .isBanned(.owner)).asks(.owner, .firstLot)
            },
            .allowed("The host changes the lot of a banned owner.") {
                try RuleSituation(.empty, .queues(.owner), .isBanned(.owner)).asks(.host, .firstLot)
            },
        ],
        "lot.not_yours": [
            .denied("Another auctioneer changes the lot.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.auctioneer, .firstLot)
            },
            .denied("The owner is no longer an auctioneer.") {
                try RuleSituation(.empty, .queues(.owner), .becomes(.owner, .viewer)).asks(.owner, .firstLot)
            },
            .allowed("The host moves the lot.") { try RuleSituation(.empty, .queues(.owner)).asks(.host, .firstLot) },
            .allowed("The owner changes the lot.") { try RuleSituation(.empty, .queues(.owner)).asks(.owner, .firstLot) },
        ],
        "lot.not_queued": [
            .denied("The owner changes a lot that was withdrawn.") {
                try RuleSituation(.empty, .queues(.owner), .withdrawsLot).asks(.owner, .firstLot)
            },
            .allowed("The owner changes a queued lot while another item is auctioned.") {
                try RuleSituation(.auctioning, .queues(.owner)).asks(.owner, .firstLot)
            },
        ],
        "lot.owner_only": [
            .denied("The host lowers the starting price of an auctioneer's lot.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.host, .pricesOfFirstLot)
            },
            .allowed("The owner lowers it.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.owner, .pricesOfFirstLot)
            },
            .allowed("The host lowers the starting price of their own lot.") {
                try RuleSituation(.empty, .queues(.host)).asks(.host, .pricesOfFirstLot)
            },
        ],
        "reoffer.banned": [
            .denied("A banned owner offers their lot again.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot, .isBanned(.owner)).asks(.owner, .firstLot)
            },
            .allowed("The host offers the lot of a banned owner again.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot, .isBanned(.owner)).asks(.host, .firstLot)
            },
        ],
        "reoffer.not_yours": [
            .denied("Another auctioneer offers the lot again.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.auctioneer, .firstLot)
            },
            .allowed("The host offers it again.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.host, .firstLot)
            },
        ],
        "reoffer.not_ended": [
            .denied("The owner offers a lot again that still waits.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.owner, .firstLot)
            },
            .denied("An auctioneer has no lot that was passed.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.auctioneer)
            },
            .allowed("The owner offers a lot again that was passed.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.owner, .firstLot)
            },
            .allowed("The host may offer some lot again.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.host)
            },
        ],
        "reoffer.again": [
            .denied("The owner offers a lot again twice.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot, .offersAgain).asks(.owner, .firstLot)
            },
            .allowed("The owner offers it again once.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.owner, .firstLot)
            },
        ],
        "reoffer.owner_only": [
            .denied("The host offers an auctioneer's lot again at another price.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.host, .pricesOfFirstLot)
            },
            .allowed("The owner does.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.owner, .pricesOfFirstLot)
            },
        ],
        "reoffer.too_many": [
            .denied("The room may have one lot, and has one.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.owner, lotsPerRoom: 1)
            },
            .allowed("The room may have two lots, and has one.") {
                try RuleSituation(.empty, .queues(.owner), .passesLot).asks(.owner, lotsPerRoom: 2)
            },
        ],
        "withdraw.banned": [
            .denied("A banned owner withdraws their lot.") {
                try RuleSituation(.empty, .queues(.owner), .isBanned(.owner)).asks(.owner, .firstLot)
            },
            .allowed("The owner withdraws their lot.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.owner, .firstLot)
            },
        ],
        "withdraw.not_yours": [
            .denied("A bidder withdraws a lot.") { try RuleSituation(.empty, .queues(.owner)).asks(.bidder, .firstLot) },
            .allowed("The host withdraws a lot.") { try RuleSituation(.empty, .queues(.owner)).asks(.host, .firstLot) },
        ],
        "withdraw.not_queued": [
            .denied("The owner withdraws a lot twice.") {
                try RuleSituation(.empty, .queues(.owner), .withdrawsLot).asks(.owner, .firstLot)
            },
            .allowed("The owner withdraws a lot in the queue.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.owner, .firstLot)
            },
        ],
    ]
}

@testable import AuctionDomain

extension RuleExamples {
    static let item: [String: [RuleExample]] = [
        "item.not_preparing": [
            .denied("An auctioneer comes with an item while bids are taken.") {
                try RuleSituation(.auctioning).asks(.auctioneer)
            },
            .allowed("An auctioneer uploads the first item of the round.") { try RuleSituation(.empty).asks(.auctioneer) },
        ],
        "item.banned": [
            .denied("A banned auctioneer uploads an item.") {
                try RuleSituation(.empty, .isBanned(.auctioneer)).asks(.auctioneer)
            },
            .allowed("A muted auctioneer uploads an item: muting is about messages.") {
                try RuleSituation(.empty, .isMuted(.auctioneer)).asks(.auctioneer)
            },
        ],
        "item.not_auctioneer": [
            .denied("The host uploads an item.") { try RuleSituation(.empty).asks(.host) },
            .denied("A user who is not in the room uploads an item.") { try RuleSituation(.empty).asks(.stranger) },
            .allowed("A viewer whom the host made auctioneer uploads an item.") {
                try RuleSituation(.empty, .becomes(.viewer, .auctioneer)).asks(.viewer)
            },
        ],
        "item.taken": [
            .denied("Another auctioneer's item is already there.") { try RuleSituation(.withItem).asks(.auctioneer) },
            .allowed("The owner replaces their own item.") { try RuleSituation(.withItem).asks(.owner) },
            .allowed("The auctioneer whose item is there has left.") {
                try RuleSituation(.withItem, .leaves(.owner)).asks(.auctioneer)
            },
            .allowed("The auctioneer whose item is there has been banned.") {
                try RuleSituation(.withItem, .isBanned(.owner)).asks(.auctioneer)
            },
        ],
    ]

    static let adjusting: [String: [RuleExample]] = [
        "rules.not_preparing": [
            .denied("The owner changes the increment while bids are taken.") {
                try RuleSituation(.auctioning).asks(.owner, .changingPrices(false))
            },
            .allowed("The owner changes the increment before the start.") {
                try RuleSituation(.withItem).asks(.owner, .changingPrices(false))
            },
        ],
        "rules.banned": [
            .denied("A banned owner changes the rules of their item.") {
                try RuleSituation(.withItem, .isBanned(.owner)).asks(.owner)
            },
            .allowed("The host changes the countdown of a banned owner's item.") {
                try RuleSituation(.withItem, .isBanned(.owner)).asks(.host, .changingPrices(false))
            },
        ],
        "rules.not_yours": [
            .denied("Another auctioneer changes the rules.") { try RuleSituation(.withItem).asks(.auctioneer) },
            .denied("The owner is no longer an auctioneer.") {
                try RuleSituation(.withItem, .becomes(.owner, .viewer)).asks(.owner)
            },
            .allowed("The host changes the countdown.") {
                try RuleSituation(.withItem).asks(.host, .changingPrices(false))
            },
        ],
        "rules.owner_only": [
            .denied("The host lowers the reserve price of another user's item.") {
                try RuleSituation(.withItem).asks(.host, .changingPrices(true))
            },
            .allowed("The owner lowers their reserve price.") {
                try RuleSituation(.withItem).asks(.owner, .changingPrices(true))
            },
        ],
    ]
}

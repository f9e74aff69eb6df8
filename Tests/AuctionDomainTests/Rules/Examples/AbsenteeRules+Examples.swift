@testable import AuctionDomain

extension RuleExamples {
    private static let ready: RuleExample = .allowed("A bidder leaves a bid of the starting price on a queued lot.") {
        try RuleSituation(.empty, .queues(.owner)).asks(.bidder, .leaving(100))
    }

    static let absentee: [String: [RuleExample]] = [
        "absentee.not_member": [
            .denied("A user who is not a member leaves a bid.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.stranger, .leaving(100))
            },
            ready,
        ],
        "absentee.banned": [
            .denied("A banned bidder leaves a bid.") {
                try RuleSituation(.empty, .queues(.owner), .isBanned(.bidder)).asks(.bidder, .leaving(100))
            },
            .allowed("A muted bidder leaves a bid.") {
                try RuleSituation(.empty, .queues(.owner), .isMuted(.bidder)).asks(.bidder, .leaving(100))
            },
        ],
        "absentee.not_bidder": [
            .denied("A viewer leaves a bid.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.viewer, .leaving(100))
            },
            .denied("The host leaves a bid.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.host, .leaving(100))
            },
            .denied("A bidder whom the host has not invited leaves a bid where that is needed.") {
                try RuleSituation(.empty, .queues(.owner), .switches(OptionalRule.invitedOnly, on: true))
                    .asks(.bidder, .leaving(100))
            },
            .denied("A bidder whom the host has not approved leaves a bid where that is needed.") {
                try RuleSituation(.empty, .queues(.owner), .switches(OptionalRule.notApproved, on: true))
                    .asks(.bidder, .leaving(100))
            },
            .allowed("A viewer leaves a bid where viewers may bid.") {
                try RuleSituation(.empty, .queues(.owner), .switches("bid.viewer", on: false)).asks(.viewer, .leaving(100))
            },
        ],
        "absentee.not_queued": [
            .denied("A bidder leaves a bid on a lot that was withdrawn.") {
                try RuleSituation(.empty, .queues(.owner), .withdrawsLot).asks(.bidder, .leaving(100))
            },
            .denied("A bidder leaves a bid on a lot whose bidding is open.") {
                try RuleSituation(.empty, .queues(.owner), .preparesLot, .opensLot).asks(.bidder, .leaving(100))
            },
            .allowed("A bidder leaves a bid on a lot that is prepared and not listed yet.") {
                try RuleSituation(.empty, .queues(.owner), .preparesLot).asks(.bidder, .leaving(100))
            },
        ],
        "absentee.own_lot": [
            .denied("The owner leaves a bid on their lot.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.owner, .leaving(100))
            },
            .allowed("Another auctioneer leaves a bid on it.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.auctioneer, .leaving(100))
            },
        ],
        "absentee.dutch": [
            .denied("A bidder leaves a bid on a Dutch lot.") {
                try RuleSituation(
                    .empty, .queuesPriced(.owner, rules { ($0.format, $0.floorPrice) = (.dutch, Money(minorUnits: 1000)) })
                )
                .asks(.bidder, .leaving(100))
            },
            .allowed("A bidder leaves a bid on a lot with sealed bids.") {
                try RuleSituation(.empty, .queuesPriced(.owner, rules { $0.format = .vickrey })).asks(.bidder, .leaving(100))
            },
        ],
        "absentee.too_many": [
            .denied("A bidder with 500 bids on other lots that wait leaves one more.") {
                try RuleSituation(.empty, .queues(.owner), .leavesBids(.bidder, onLots: 500)).asks(.bidder, .leaving(100))
            },
            .allowed("A bidder with 500 bids on lots that wait changes one of them.") {
                try RuleSituation(.empty, .leavesBids(.bidder, onLots: 500)).asks(.bidder, .leaving(200))
            },
        ],
        "absentee.below_start": [
            .denied("A bidder leaves a bid below the starting price.") {
                try RuleSituation(.empty, .queues(.owner)).asks(.bidder, .leaving(99))
            },
            ready,
        ],
        "absentee.names_no_price": [
            .denied("A bidder leaves a maximum on a lot that is sold at one price.") {
                try RuleSituation(.empty, .queuesPriced(.owner, rules { $0.buyNowPrice = $0.startingPrice }))
                    .asks(.bidder, .leaving(100))
            },
            .allowed("A bidder leaves the buy-now price on a lot that starts below it.") {
                try RuleSituation(.empty, .queuesPriced(.owner, rules { $0.buyNowPrice = Money(minorUnits: 20_000) }))
                    .asks(.bidder, .leaving(200))
            },
        ],
        "absentee.over_credit": [
            .denied("A bidder leaves a bid above their credit limit.") {
                try RuleSituation(.empty, .queues(.owner), .hasCredit(.bidder, 150)).asks(.bidder, .leaving(151))
            },
            .denied("A bidder who leads the running round leaves a bid that they could not pay beside it.") {
                try RuleSituation(.auctioning, .queues(.owner), .hasCredit(.bidder, 250), .bids(.bidder, 120))
                    .asks(.bidder, .leaving(131))
            },
            .allowed("A bidder raises a bid that they left up to their credit limit.") {
                try RuleSituation(.empty, .queues(.owner), .hasCredit(.bidder, 150), .leavesBid(.bidder, 140))
                    .asks(.bidder, .leaving(150))
            },
        ],
        "absentee.used": [
            .denied("A bidder takes a bid back while its lot is auctioned.") {
                try RuleSituation(.empty, .queues(.owner), .leavesBid(.bidder, 140), .preparesLot, .opensLot)
                    .asks(.bidder, RuleRequest(lot: LotID(bits: 1)))
            },
            .allowed("A bidder takes a bid back while its lot is prepared.") {
                try RuleSituation(.empty, .queues(.owner), .leavesBid(.bidder, 140), .preparesLot)
                    .asks(.bidder, RuleRequest(lot: LotID(bits: 1)))
            },
        ],
    ]

    private static func rules(_ change: (inout AuctionRules) -> Void) -> AuctionRules {
        var rules = AuctionRules(
            startingPrice: Money(minorUnits: 100 * 100), increment: .fixed(Money(minorUnits: 10 * 100)))
        change(&rules)
        return rules
    }
}

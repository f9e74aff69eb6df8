@testable import AuctionDomain

extension RuleExamples {
    static let members: [String: [RuleExample]] = [
        ("role", "makes the viewer a bidder"), ("kick", "removes the viewer"), ("ban", "bans the viewer"),
        ("mute", "mutes the viewer"), ("credit", "sets the viewer's credit limit"),
    ].reduce(into: [:]) { examples, entry in
        let (prefix, deed) = entry
        examples["\(prefix).not_host"] = [
            .denied("An auctioneer \(deed).") { try RuleSituation(.empty).asks(.auctioneer, .on(.viewer)) },
            .allowed("The host \(deed).") { try RuleSituation(.empty).asks(.host, .on(.viewer)) },
        ]
        examples["\(prefix).themself"] = [
            .denied("The host does it to themself.") { try RuleSituation(.empty).asks(.host, .on(.host)) },
            .allowed("The host \(deed), in the middle of an auction.") {
                try RuleSituation(.auctioning).asks(.host, .on(.viewer))
            },
        ]
    }

    static let rules: [String: [RuleExample]] = [
        "permission.not_preparing": [
            .denied("The host switches a rule off while bids are taken.") { try RuleSituation(.auctioning).asks(.host) },
            .allowed("The host switches a rule off before the start.") { try RuleSituation(.withItem).asks(.host) },
        ],
        "permission.not_host": [
            .denied("The owner of the item switches a rule off.") { try RuleSituation(.withItem).asks(.owner) },
            .allowed("The host switches a rule off.") { try RuleSituation(.empty).asks(.host) },
        ],
    ]

    static let messages: [String: [RuleExample]] = [
        "message.not_member": [
            .denied("A user who has not joined writes in the room.") { try RuleSituation(.empty).asks(.stranger) },
            .allowed("A viewer writes in the room.") { try RuleSituation(.empty).asks(.viewer) },
        ],
        "message.banned": [
            .denied("A banned viewer writes in the room.") {
                try RuleSituation(.empty, .isBanned(.viewer)).asks(.viewer)
            },
            .allowed("Another viewer was banned.") { try RuleSituation(.empty, .isBanned(.rival)).asks(.viewer) },
        ],
        "message.muted": [
            .denied("A muted bidder writes in the room.") { try RuleSituation(.empty, .isMuted(.bidder)).asks(.bidder) },
            .allowed("Another bidder was muted.") { try RuleSituation(.empty, .isMuted(.rival)).asks(.bidder) },
            .allowed("A muted auctioneer has taken over as host.") {
                try RuleSituation(.empty, .isMuted(.auctioneer), .leaves(.host), .becomes(.auctioneer, .host)).asks(.auctioneer)
            },
        ],
        "message.rate": [
            .denied("A third message within a second.") {
                try RuleSituation(.empty, .writes(.viewer), .writes(.viewer), .waits(milliseconds: 999)).asks(.viewer)
            },
            .allowed("A third message a second later.") {
                try RuleSituation(.empty, .writes(.viewer), .writes(.viewer), .waits(milliseconds: 1000)).asks(.viewer)
            },
            .allowed("Others wrote a lot.") {
                try RuleSituation(.empty, .writes(.bidder), .writes(.bidder), .writes(.rival)).asks(.viewer)
            },
        ],
        "message.not_host": [
            .denied("The author removes their message.") { try RuleSituation(.empty, .writes(.viewer)).asks(.viewer) },
            .allowed("The host removes a message.") { try RuleSituation(.empty, .writes(.viewer)).asks(.host) },
        ],
    ]

    static let stage: [String: [RuleExample]] = [
        "stage.not_member": [
            .denied("A user who has not joined asks for the stage.") { try RuleSituation(.empty).asks(.stranger) },
            .allowed("A viewer asks for the stage.") { try RuleSituation(.empty).asks(.viewer) },
        ],
        "stage.banned": [
            .denied("A banned viewer asks for the stage.") {
                try RuleSituation(.empty, .isBanned(.viewer)).asks(.viewer)
            },
            .allowed("A muted viewer asks for the stage.") { try RuleSituation(.empty, .isMuted(.viewer)).asks(.viewer) },
        ],
        "stage.host": [
            .denied("The host asks for the stage.") { try RuleSituation(.empty).asks(.host) },
            .allowed("A bidder asks for the stage.") { try RuleSituation(.empty).asks(.bidder) },
        ],
        "stage.not_host": [
            .denied("An auctioneer closes a seat.") { try RuleSituation(.empty).asks(.auctioneer) },
            .allowed("The host closes a seat.") { try RuleSituation(.empty).asks(.host) },
        ],
    ]
}

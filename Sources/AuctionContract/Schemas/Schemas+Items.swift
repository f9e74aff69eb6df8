internal import AuctionDomain

extension Schema {
    /// Addresses of pictures; `schemes` is a pattern.
    static func media(_ schemes: String) -> String {
        #"""
        "type": "array", "maxItems": 20,
        "items": {
          "type": "string", "format": "uri-reference", "pattern": "^(\#(schemes)|/v1/media/[0-9a-f]{64}$)", "maxLength": 2000
        }
        """#
    }

    /// Any case of the scheme: requests are not as strict as responses.
    static let newMedia = media("[Hh][Tt][Tt][Pp][Ss]://")

    /// What the seller says of a new item.
    static let newItemMembers = #"""
        "name": "line 1...200", "description?": "prose ...5000 = \"\"",
        "media?": {
          \#(newMedia), "default": [],
          "description": "Each is a valid `https` address with a host and without user information, quotation marks or invisible characters, or the `url` of an uploaded picture."
        },
        "estimate?": "NewEstimate",
        "condition?": "line? 1...200: The state that the item is in, as one line; null for none.", "rules": "NewRules"
        """#

    /// What all see of an item, but its rules and its owner.
    static let itemMembers = #"""
        "id": "ItemId", "name": "text 1...200", "description": "text ...5000", "media": {\#(media("https://"))},
        \#(estimateAndCondition)
        """#

    private static let estimateAndCondition = #"""
        "estimate?": "Estimate: Absent where the seller names none.",
        "condition?": "text 1...200: The state that it is in, as one line; absent where nothing is said."
        """#

    private static let incrementMeaning = "By how much a bid must exceed the current price: exactly one of the three."

    private static func increment(_ amount: String, tier: String) -> String {
        #"""
        {
          "fixed?": "\#(amount): Always the same step.",
          "percent?": "number 0.01...1000: Of the current price, rounded up to the minor unit, at least one.",
          "tiers?": "[\#(tier)] 1...50: The step of the last tier that begins at or below the current price."
        }
        """#
    }

    /// The rules that all see.
    private static let ruleMembers = #"""
        "startingPrice": "Amount", "increment": "Increment", "buyNowPrice": "Amount?", "floorPrice": "Amount?",
        "listingSeconds": "integer \#(AuctionRules.listingRange)", "biddingSeconds": "integer \#(AuctionRules.biddingRange)",
        "countdown": "CountdownMode", "extendWindowSeconds": "integer \#(AuctionRules.extendRange)",
        "extendBySeconds": "integer \#(AuctionRules.extendRange)",
        "maxDurationSeconds": "integer? \#(AuctionRules.maxDurationRange)",
        "dutchTickSeconds": "integer? \#(AuctionRules.dutchTickRange)", "format": "AuctionFormat", "tie": "TieBreak"
        """#

    /// Items, and the rules by which they are auctioned.
    static let items: [Schema] = [
        .value(
            "CountdownMode",
            """
            one of reset | extend | fixed: `reset`: every bid restarts the full countdown. `extend`: only a bid in the last \
            `extendWindowSeconds` extends the deadline, to at least `extendBySeconds` after the bid. `fixed`: the deadline \
            never changes.
            """),
        .value(
            "AuctionFormat",
            """
            one of english | dutch | sealedFirstPrice | vickrey: `english`: open and ascending, with proxy bids. `dutch`: \
            the price drops until a bidder accepts it. `sealedFirstPrice`, `vickrey`: sealed bids; the winner pays their own \
            or the second highest amount.
            """),
        .value("TieBreak", "one of earliest | draw: Among equal sealed bids: the earliest, or drawn at random."),
        .request(
            "NewIncrement", increment("AmountInput", tier: "NewTier"), incrementMeaning,
            examples: #"""
                [{"fixed": "10.00"}, {"percent": 5}, {"tiers": [{"from": "0", "step": "1"}, {"from": "100", "step": "5.00"}]}]
                """#,
            hasOneMember: true),
        .request(
            "NewTier",
            #"""
            {
              "from": {"type": "string", "description": "Zero in the first tier, then rising.", "pattern": "^[0-9]+(\\.[0-9]{1,4})?$", "x-accepts-number": true},
              "step": "AmountInput"
            }
            """#),
        .object(
            "Increment", increment("Amount", tier: "Tier"), incrementMeaning,
            more: #"{"minProperties": 1, "maxProperties": 1}"#),
        .object("Tier", #"{"from": "Amount: Zero in the first tier, then rising.", "step": "Amount"}"#),
        .request(
            "NewRules",
            #"""
            {
              "startingPrice": "AmountInput: The first acceptable amount; where a Dutch price begins.",
              "increment?": "NewIncrement: One major unit if left out.",
              "reservePrice?": "AmountInput?: Hidden; below it the item passes. At least the starting price.",
              "buyNowPrice?": "AmountInput?: A bid at or above it is taken at exactly this price and ends the round. At least starting and reserve price.",
              "floorPrice?": "AmountInput?: Where a Dutch price stops dropping; required there, refused elsewhere.",
              "listingSeconds?": "integer \#(AuctionRules.listingRange) = 3: How long the item is shown before bids are accepted.",
              "biddingSeconds?": "integer \#(AuctionRules.biddingRange) = 15: How long the countdown runs.",
              "countdown?": "CountdownMode = reset", "extendWindowSeconds?": "integer \#(AuctionRules.extendRange) = 10",
              "extendBySeconds?": "integer \#(AuctionRules.extendRange) = 10",
              "maxDurationSeconds?": "integer? \#(AuctionRules.maxDurationRange): No bid extends the deadline past the start plus this; paused time does not count. An outage and a resume, which leaves at least five seconds, do.",
              "dutchTickSeconds?": "integer? \#(AuctionRules.dutchTickRange): How often a Dutch price drops by the increment; required there.",
              "format?": "AuctionFormat = english", "tie?": "TieBreak = earliest"
            }
            """#, "How the item is to be auctioned."),
        .patch(
            "RulesPatch", of: "NewRules",
            "The members to change; those left out stay as they are. A null removes an optional one."),
        .object(
            "Rules", #"{\#(ruleMembers), "reservePrice?": "Amount?: Visible to the owner of the item only."}"#,
            "How the item is auctioned. `reservePrice` is present for the owner of the item only."),
        .optional("Rules", "As `Rules`, or null without an item."),
        .object(
            "PublicRules", "{\(ruleMembers)}", "How the item is auctioned, without what only its owner may see."),
        .request(
            "NewEstimate", #"{"low": "AmountInput", "high": "AmountInput: At least `low`."}"#,
            "Between which prices the seller expects the hammer price; null for none.", isNullable: true),
        .object(
            "Estimate", #"{"low": "Amount", "high": "Amount: At least `low`."}"#,
            "Between which prices the seller expects the hammer price."),
        .request("NewItem", "{\(newItemMembers)}"),
        .request("AdjustRules", #"{"rules": "RulesPatch: At least one rule."}"#),
        .object(
            "Item",
            #"""
            {
              \#(itemMembers),
              "owner": "Person: The auctioneer who uploaded it.", "rules": "Rules",
              "replaced?": "ItemId: The caller's own item that this one replaced, in the response to an upload. The lot of which it was the item waits again."
            }
            """#),
        .object(
            "PublicItem",
            #"""
            {
              \#(itemMembers),
              "owner": "Person: The auctioneer who uploaded it.", "rules": "PublicRules"
            }
            """#),
        .object(
            "RoomItem",
            #"""
            {
              \#(itemMembers),
              "owner": "Person: The auctioneer who uploaded it."
            }
            """#, "The item of the current round, or null without one; its rules are beside it in the room.", isNullable: true),
        .object(
            "ResultItem",
            #"""
            {
              "id": "ItemId", "name": "text", \#(estimateAndCondition)
            }
            """#, "What was auctioned; the whole item is in the round's `item.uploaded` event."),
        .object(
            "UploadedPicture",
            #"""
            {
              "url": {"type": "string", "pattern": "^/v1/media/[0-9a-f]{64}([?]preview)?$", "description": "For `media` of items and lots; of a preview it ends in `?preview`, and is not for `media`."},
              "type": "one of image/jpeg | image/png | image/webp | image/avif",
              "width": "integer 1...: In pixels, as displayed.", "height": "integer 1...: In pixels, as displayed.",
              "bytes": "integer 1...: Of the stored picture."
            }
            """#),
    ]
}

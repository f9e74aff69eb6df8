extension Operation {
    /// The item of a round.
    static let items: [Operation] = [uploadItem, adjustRules]

    /// `POST /v1/rooms/{id}/items`: upload the item of the round, or replace the caller's own.
    package static let uploadItem = Operation(
        "uploadItem", .post, "/v1/rooms/{id}/items", .required, tag: "auction",
        "Upload the item of the round, or replace the caller's own", "By an auctioneer, while the room is preparing.",
        body: .init(
            "NewItem",
            #"""
            {
              "name": "Teapot", "description": "Yixing clay, 1980s.", "media": ["https://example.org/teapot.jpg"],
              "rules": {"startingPrice": "120.00", "increment": {"fixed": "10.00"}, "listingSeconds": 3, "biddingSeconds": 15}
            }
            """#),
        responses: [
            .success(
                200, "The item, in place of the caller's own, which `replaced` names.", "Item",
                #"""
                {
                  "like": "item", "replaced": "item_01m7yn51psh16pxpxz9yp3xz7c",
                  "rules": {
                    "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                    "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                    "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                    "tie": "earliest"
                  }
                }
                """#),
            .success(
                201, "The item.", "Item",
                #"""
                {
                  "like": "item",
                  "rules": {
                    "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                    "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                    "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                    "tie": "earliest"
                  }
                }
                """#),
            .refusal(403, "The caller is not an auctioneer.", ["item.not_auctioneer", "item.banned"]),
            .refusal(
                409, "The room is not preparing, or the round has another auctioneer's item.",
                ["item.not_preparing", "item.taken"]),
        ])

    /// `PATCH /v1/rooms/{id}/items/{itemId}`: adjust the rules of the item.
    package static let adjustRules = Operation(
        "adjustRules", .patch, "/v1/rooms/{id}/items/{itemId}", .required, tag: "auction",
        "Adjust the rules of the item",
        """
        By the host or the owner, while the room is preparing; starting, reserve, buy-now and floor price by the \
        owner only. The responses to a host who is not the owner do not depend on the reserve price, or on whether \
        there is one: only the owner may choose a format that takes no reserve price where the old one does, or that \
        shows `reserveMet` where the old one hides it (sealed); other callers get 400 naming `rules.format`, with or \
        without a reserve price.
        """,
        body: .init("AdjustRules", #"{"rules": {"increment": {"percent": 5}, "biddingSeconds": 30}}"#),
        responses: [
            .success(
                200, "The item.", "Item",
                #"""
                {
                  "like": "item",
                  "rules": {
                    "startingPrice": "120.00", "increment": {"fixed": "10.00"}, "buyNowPrice": null, "floorPrice": null,
                    "listingSeconds": 3, "biddingSeconds": 15, "countdown": "reset", "extendWindowSeconds": 10,
                    "extendBySeconds": 10, "maxDurationSeconds": null, "dutchTickSeconds": null, "format": "english",
                    "tie": "earliest"
                  }
                }
                """#),
            .refusal(
                403, "The caller is not allowed to change this.", ["rules.not_yours", "rules.owner_only", "rules.banned"]),
            .refusal(
                404, "There is no such room, or the round has no such item.", ["room.not_found", "item.not_found"],
                example: "item.not_found"),
            .refusal(409, "The room is not preparing.", ["rules.not_preparing"]),
        ])
}

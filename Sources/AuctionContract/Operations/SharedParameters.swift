internal import ExactJSON

/// Parameters that several operations have; references name them.
enum SharedParameters {
    /// What paths name, in the order of the contract.
    static let inPath: [(name: String, parameter: Operation.Parameter)] = [
        ("RoomId", .path("id", "The room.", "RoomId", example: "room_3pype17b8wec585enw02ex8qa0")),
        (
            "UserId",
            .path("userId", "The user; below a room, the member.", "UserId", example: "user_01m7yn50kfqwxpgsbrbcag1j3a")
        ),
        ("LotId", .path("lotId", "A lot of the room.", "LotId", example: "lot_01m7yn51psh16pxpxz9yp3xz7p")),
        ("ItemId", .path("itemId", "The item of the current round.", "ItemId", example: "item_01m7yn51psh16pxpxz9yp3xz7p")),
        ("BidId", .path("bidId", "The bid.", "BidId", example: "bid_01m7yn51q4q1z490kmeybkexbs")),
        ("MessageId", .path("messageId", "The message.", "MessageId", example: "message_01m7yn51q0zthtweg1a3x7wgpt")),
        ("RuleId", .path("ruleId", "The rule.", "text 1...", example: "bid.viewer")),
        ("StageId", .path("stageId", "The request or invitation.", "StageId", example: "stage_01m7yn51q0zthtweg1a3x7wgpt")),
        ("OfferId", .path("offerId", "The offer.", "OfferId", example: "offer_01m7yn51psh16pxpxz9yp3xz7t")),
        ("ResultRound", .path("round", "The round, which is over.", "Round", example: 1)),
        ("TokenId", .path("tokenId", "The service token.", "text 1...", example: "token_5bf0d6a7c1e94f0b8a63d2c4e7f19a80")),
        (
            "WebhookId",
            .path("webhookId", "The webhook.", "text 1...", example: "webhook_5bf0d6a7c1e94f0b8a63d2c4e7f19a80")
        ),
        ("Seat", .path("seat", "The seat.", "integer 1...8", example: 1)),
    ]

    /// Headers of requests.
    static let inHeaders: [(name: String, parameter: Operation.Parameter)] = [
        (
            "IdempotencyKey",
            .header(
                "Idempotency-Key",
                """
                Makes a repeat harmless: 1 to 255 visible ASCII characters of your choice, remembered for 24 hours if the \
                command changes something.
                """, #"{"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}"#, example: "3f0c9a52-start")
        ),
        ("AcceptLanguage", .header("Accept-Language", "`zh` for Chinese sentences.", "text", example: "zh")),
        (
            "RequestId",
            .header(
                "X-Request-Id",
                """
                Returned with the response and in problems, if it has 1 to 128 printable ASCII characters without spaces; \
                otherwise the server generates one.
                """, "text", example: "checkout-77")
        ),
    ]

    /// The parameters as components of the contract.
    static func components() throws(JSONError) -> JSONValue {
        var components: [(name: String, value: JSONValue?)] = []
        for (name, parameter) in inPath + inHeaders { components.append((name, try parameter.object())) }
        return .members(components)
    }
}

extension Schema {
    /// Webhooks and what is sent to them.
    static let webhooks: [Schema] = [
        .request(
            "NewWebhook",
            #"""
            {
              "url": "text 1...2048: `https:`, at a public address; others, and `http:`, only where the operator allows it.",
              "types?": "[text] ...100: Only events of these types; empty: all.",
              "rooms?": "[RoomId] ...100: Only events of these rooms; empty: all.",
              "description?": "text 1...200: For people.",
              "after?": "FeedStart: Left out: from now on."
            }
            """#),
        .request(
            "WebhookChanges",
            #"""
            {
              "url?": "text 1...2048", "types?": "[text] ...100", "rooms?": "[RoomId] ...100",
              "description?": "text ...200: Empty: none."
            }
            """#),
        .request("WebhookReplay", #"{"after": "FeedStart"}"#),
        .value(
            "FeedStart",
            #"{"type": "string", "description": "A cursor of the feed, or `latest`.", "pattern": "^(latest|[0-9a-f]{48}([0-9a-f]{16}){0,2})$"}"#
        ),
        .object("Webhook", #"{\#(webhook)}"#, "A URL that events are sent to."),
        .object("CreatedWebhook", #"{\#(webhook), \#(secret)}"#),
        .object("RotatedWebhook", #"{\#(secret), "previousUntil": "Time: So long the secret that was replaced signs too."}"#),
        .object("WebhookList", #"{"webhooks": "[Webhook] ...1000"}"#),
        .object(
            "WebhookPause",
            #"""
            {
              "reason": "one of operator | gone | failing | cursor_gone: Who or what paused it: an operator, a response of 410, five days without success, or a log in which its position is not.",
              "at": "Time"
            }
            """#, "Why a webhook gets no events.", isNullable: true),
        .object(
            "DeliveryList",
            #"""
            {
              "deliveries": "[Delivery] ...100", "parked": "integer 0...: Deliveries that will be repeated.",
              "failed": "[FailedDelivery] ...1000",
              "nextCursor": "text? 1...: Send it as `cursor` for further `failed`; null if there are none."
            }
            """#),
        .object(
            "Delivery",
            #"""
            {
              "id": "text 1...: Its `webhook-id`.", "at": "Time", "room": "RoomId", "seq": "integer 1...", "type": "text 1...",
              "attempt": "integer 1...", "status": "integer?: Null without a response.", "milliseconds": "integer 0...",
              "error": "text?: Why there was no response.", "answer": "text?: The first 500 bytes of one that is no 2xx."
            }
            """#, "An attempt to deliver an event."),
        .object(
            "FailedDelivery",
            #"""
            {
              "id": "text 1...: Its `webhook-id`.", "room": "RoomId", "seq": "integer 1...", "type": "text 1...",
              "attempts": "integer 1...", "status": "integer?", "failedAt": "Time"
            }
            """#, "A delivery that has failed for good."),
        .object("ResentDeliveries", #"{"deliveries": "integer 0..."}"#),
        .object(
            "WebhookTestResult",
            #"""
            {
              "isSuccess": "boolean", "status": "integer?", "milliseconds": "integer 0...", "error": "text?", "answer": "text?"
            }
            """#),
    ]

    private static let webhook = #"""
        "id": "text 1...", "url": "text 1...2048", "types": "[text] ...100", "rooms": "[RoomId] ...100", "description": "text?",
        "createdAt": "Time", "paused": "WebhookPause", "failingSince": "Time?: No delivery has succeeded since.",
        "parked": "integer 0...: Deliveries that will be repeated, as of a few seconds ago.",
        "cursor": "FeedCursor: All events before it are delivered or parked, as of a few seconds ago."
        """#

    private static let secret = #"""
        "secret": {"type": "string", "description": "Signs the messages; shown only here.", "pattern": "^whsec_[A-Za-z0-9+/]{43}=$"}
        """#
}

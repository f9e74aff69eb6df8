extension Operation {
    /// Endpoints of the operator's that events are sent to.
    static let webhooks: [Operation] = [
        listWebhooks, createWebhook, changeWebhook, deleteWebhook, pauseWebhook, resumeWebhook, rotateWebhookSecret,
        listDeliveries, resendDeliveries, testWebhook, replayWebhook,
    ]

    /// `GET /v1/admin/webhooks`: list the webhooks.
    package static let listWebhooks = Operation(
        "listWebhooks", .get, "/v1/admin/webhooks", .service(.manageWebhooks), tag: "webhooks", "List the webhooks",
        responses: [
            .success(200, "All webhooks, in order of their ids.", "WebhookList", #"{"webhooks": [{\#(webhook)}]}"#)
        ])

    /// `POST /v1/admin/webhooks`: make a webhook.
    package static let createWebhook = Operation(
        "createWebhook", .post, "/v1/admin/webhooks", .service(.manageWebhooks), tag: "webhooks", "Send events to a URL",
        """
        Every event of the feed that is wanted is sent to the URL by POST, signed as Standard Webhooks describes it, with the secret that is
        shown here only. The body is a `WebhookMessage`. A response of 2xx within 15 seconds is success. A delivery that fails is sent again
        after 5 s, 30 s, 2 min, 15 min, 1 h, 6 h and 24 h, beside the later ones: order events by their `seq`, and recognise one that comes
        twice by `webhook-id`.
        """,
        body: .init("NewWebhook", #"{"url": "https://shop.example/hooks/auctions", "types": ["item.sold", "item.passed"]}"#),
        responses: [
            .success(201, "The webhook, with its secret.", "CreatedWebhook", #"{\#(webhook), \#(secret)}"#),
            urlRefused, cursorGone,
            .refusal(429, "There are as many webhooks as there may be.", ["webhook.too_many"]),
        ])

    /// `PATCH /v1/admin/webhooks/{webhookId}`: change a webhook.
    package static let changeWebhook = Operation(
        "changeWebhook", .patch, "/v1/admin/webhooks/{webhookId}", .service(.manageWebhooks), tag: "webhooks",
        "Change a webhook", "What is left out stays. Within seconds it is in force on every node.",
        body: .init("WebhookChanges", #"{"types": []}"#),
        responses: [.success(200, "The webhook.", "Webhook", #"{\#(webhook)}"#), urlRefused, unknown])

    /// `DELETE /v1/admin/webhooks/{webhookId}`: delete a webhook.
    package static let deleteWebhook = Operation(
        "deleteWebhook", .delete, "/v1/admin/webhooks/{webhookId}", .service(.manageWebhooks), tag: "webhooks",
        "Delete a webhook", "With its deliveries. What is on its way may still arrive.",
        responses: [.success(204, "There is no such webhook any more."), unknown])

    /// `POST /v1/admin/webhooks/{webhookId}/pause`: send nothing for now.
    package static let pauseWebhook = Operation(
        "pauseWebhook", .post, "/v1/admin/webhooks/{webhookId}/pause", .service(.manageWebhooks), tag: "webhooks",
        "Send nothing for now", "The webhook keeps its position: what happens meanwhile is delivered once it is resumed.",
        responses: [.success(200, "The webhook.", "Webhook", #"{\#(webhook)}"#), unknown])

    /// `POST /v1/admin/webhooks/{webhookId}/resume`: go on sending.
    package static let resumeWebhook = Operation(
        "resumeWebhook", .post, "/v1/admin/webhooks/{webhookId}/resume", .service(.manageWebhooks), tag: "webhooks",
        "Go on sending", "Whatever it was paused for. Begins with what happened meanwhile.",
        responses: [.success(200, "The webhook.", "Webhook", #"{\#(webhook)}"#), unknown])

    /// `POST /v1/admin/webhooks/{webhookId}/rotate`: replace the secret.
    package static let rotateWebhookSecret = Operation(
        "rotateWebhookSecret", .post, "/v1/admin/webhooks/{webhookId}/rotate", .service(.manageWebhooks), tag: "webhooks",
        "Replace the secret",
        """
        For 24 hours messages have a signature by the replaced secret too, also if the new one is replaced meanwhile. Beside the current secret
        at most four sign: then it is replaced again once the oldest of them has ended, see `Retry-After`.
        """,
        responses: [
            .success(
                200, "The new secret, shown here only.", "RotatedWebhook",
                #"{\#(secret), "previousUntil": "2026-11-29T08:56:45.000Z"}"#), unknown,
            .refusal(429, "As many replaced secrets still sign as may.", ["webhook.too_many_secrets"]),
        ])

    /// `GET /v1/admin/webhooks/{webhookId}/deliveries`: what was sent.
    package static let listDeliveries = Operation(
        "listDeliveries", .get, "/v1/admin/webhooks/{webhookId}/deliveries", .service(.manageWebhooks), tag: "webhooks",
        "List the last deliveries",
        """
        The list of attempts is written every few seconds. Deliveries that have failed for good are listed for 30 days after their last attempt,
        in the order of the feed; `limit` and `cursor` are for pages of them.
        """,
        parameters: [
            .query("limit", "The most rows of `failed`.", "integer 1...1000 = 100", example: 50),
            .query(
                "cursor", "`nextCursor` of the previous page.",
                #"{"type": "string", "pattern": "^[0-9a-f]{16}\\.[!-~]{1,64}$"}"#,
                example: "000000000000002a.item.sold"),
        ],
        responses: [
            .success(
                200, "The last 100 attempts, newest first, and a page of the deliveries that have failed for good.",
                "DeliveryList",
                #"""
                {
                  "deliveries": [
                    {
                      "id": "msg_0f1e2d3c4b5a69788796a5b4c3d2e1f0", "at": "2026-11-28T08:56:45.000Z",
                      "room": "room_3pype17b8wec585enw02ex8qa0", "seq": 12, "type": "item.sold", "attempt": 1, "status": 500,
                      "milliseconds": 23, "error": null, "answer": "out of order"
                    }
                  ],
                  "parked": 1, "failed": [], "nextCursor": null
                }
                """#), unknown,
        ])

    /// `POST /v1/admin/webhooks/{webhookId}/resend`: send again what has failed for good.
    package static let resendDeliveries = Operation(
        "resendDeliveries", .post, "/v1/admin/webhooks/{webhookId}/resend", .service(.manageWebhooks), tag: "webhooks",
        "Send again what has failed for good",
        "Those that are listed as failed, the earliest events first, at most 1,000 by one call. Each gets all attempts again.",
        responses: [.success(200, "How many are sent again.", "ResentDeliveries", #"{"deliveries": 3}"#), unknown])

    /// `POST /v1/admin/webhooks/{webhookId}/test`: send a message now.
    package static let testWebhook = Operation(
        "testWebhook", .post, "/v1/admin/webhooks/{webhookId}/test", .service(.manageWebhooks), tag: "webhooks",
        "Send a message of type `webhook.test`, and wait for its response", "Also to a webhook that is paused.",
        responses: [
            .success(
                200, "What came of it.", "WebhookTestResult",
                #"{"isSuccess": false, "status": null, "milliseconds": 0, "error": "The host's name was not found", "answer": null}"#
            ),
            unknown,
        ])

    /// `POST /v1/admin/webhooks/{webhookId}/replay`: go back, or to the present.
    package static let replayWebhook = Operation(
        "replayWebhook", .post, "/v1/admin/webhooks/{webhookId}/replay", .service(.manageWebhooks), tag: "webhooks",
        "Send events again from a position in the feed",
        "What was delivered is sent again with the same `webhook-id`. With `latest` what has not been sent yet is left out.",
        body: .init("WebhookReplay", #"{"after": "8c5e3a1f0b7d9264000000000000002a5f0e1d2c3b4a5968"}"#),
        responses: [.success(200, "The webhook.", "Webhook", #"{\#(webhook)}"#), unknown, cursorGone])

    private static let unknown = Response.refusal(
        404, "There is no webhook with this id, or the path does not exist for the caller.",
        ["webhook.not_found", "route.not_found"], example: "webhook.not_found")

    private static let urlRefused = Response.refusal(
        400, "The request cannot be understood, or no request goes to the URL; the text says why.",
        ["webhook.url_refused", "request.malformed", "request.unknown_field"], example: "webhook.url_refused")

    private static let cursorGone = Response.refusal(410, "The position is not in this log any more.", ["feed.cursor_gone"])

    /// Members of a webhook of the examples.
    private static let webhook = #"""
        "id": "webhook_5bf0d6a7c1e94f0b8a63d2c4e7f19a80", "url": "https://shop.example/hooks/auctions",
        "types": ["item.passed", "item.sold"], "rooms": [], "description": null, "createdAt": "2026-11-28T08:56:45.000Z",
        "paused": null, "failingSince": null, "parked": 0, "cursor": "8c5e3a1f0b7d9264000000000000002a5f0e1d2c3b4a5968"
        """#

    private static let secret = #""secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=""#
}

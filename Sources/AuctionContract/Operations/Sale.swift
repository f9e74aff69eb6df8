internal import AuctionDomain

extension Operation {
    /// How the lots follow each other.
    static let sale: [Operation] = [readSale, configureSale, clearSale, startSale, stopSale]

    /// `GET /v1/rooms/{id}/sale`: read how the lots are sold.
    package static let readSale = Operation(
        "readSale", .get, "/v1/rooms/{id}/sale", .optional, tag: "rooms", "Read how the lots are sold",
        responses: [
            .success(
                200, "The sale.", "Sale",
                #"{"like": "sale"}"#)
        ])

    /// `PUT /v1/rooms/{id}/sale`: say how the lots are sold.
    package static let configureSale = Operation(
        "configureSale", .put, "/v1/rooms/{id}/sale", .required, tag: "auction", "Say how the lots are sold",
        """
        By the host. In an automatic sale that runs, the next lot is listed and opened by itself `pauseSeconds` \
        after a round; if that is changed in such a pause, the pause begins anew. The sale begins by `POST \
        …/sale/start` or at `startsAt`. It goes on without its host unless it is `attended`.
        """,
        needs: [.runSale],
        body: .init(
            "NewSale",
            #"{"mode": "automatic", "pauseSeconds": 10, "startsAt": "2026-11-21T20:00:00Z", "premium": {"percent": "12.5"}}"#),
        responses: [
            .success(
                200, "The sale.", "Sale",
                #"{"like": "sale"}"#),
            .refusal(403, "Only the host runs the sale.", ["sale.not_host"]),
            .refusal(
                409, "The premium is not changed during a round, and the start not of a sale that runs.",
                ["sale.premium_in_round", "sale.running"]),
        ])

    /// `DELETE /v1/rooms/{id}/sale`: sell by hand again.
    package static let clearSale = Operation(
        "clearSale", .delete, "/v1/rooms/{id}/sale", .required, tag: "auction", "Sell by hand again",
        "By the host. A running sale stops after the current lot; the lots stay.", needs: [.runSale],
        responses: [
            .success(
                200, "The sale.", "Sale",
                #"{"like": "sale", "mode": "manual", "startsAt": null, "premium": null, "queued": 120}"#),
            .refusal(403, "Only the host runs the sale.", ["sale.not_host"]),
            .refusal(409, "The premium is not changed during a round.", ["sale.premium_in_round"]),
        ])

    /// `POST /v1/rooms/{id}/sale/start`: start the automatic sale.
    package static let startSale = Operation(
        "startSale", .post, "/v1/rooms/{id}/sale/start", .required, tag: "auction", "Start the automatic sale",
        """
        By the host. The first queued lot is listed at once, or after the round that is running. An item that was \
        uploaded for this round goes first. A sale that runs already stays as it is.
        """,
        needs: [.runSale],
        responses: [
            .success(
                200, "The sale.", "Sale",
                #"{"like": "sale", "startsAt": null, "running": true}"#),
            .refusal(403, "Only the host runs the sale.", ["sale.not_host"]),
            .refusal(409, "The sale is manual, or no lot is queued.", ["sale.not_automatic", "sale.no_lots"]),
        ])

    /// `POST /v1/rooms/{id}/sale/stop`: stop the sale after the current lot.
    package static let stopSale = Operation(
        "stopSale", .post, "/v1/rooms/{id}/sale/stop", .required, tag: "auction", "Stop the sale after the current lot",
        "By the host. The round that is running goes on to its end.", needs: [.runSale],
        responses: [
            .success(
                200, "The sale.", "Sale",
                #"{"like": "sale", "startsAt": null}"#),
            .refusal(403, "Only the host runs the sale.", ["sale.not_host"]),
            .refusal(409, "No sale is running.", ["sale.not_running"]),
        ])
}

extension Operation {
    private static let slugs: String = ProblemKind.allCases.map(\.slug).joined(separator: "\", \"")

    /// The server itself.
    static let system: [Operation] = [readService, readStateMachine, checkHealth, checkReadiness, readMetrics, explainProblem]

    /// `GET /v1`: the version of the service, and where to begin.
    package static let readService = Operation(
        "readService", .get, "/v1", .anonymous, tag: "system", "The version of the service, and where to begin",
        responses: [
            .success(
                200, "The service.", "Service",
                #"""
                {
                  "name": "auction-room", "version": "1.0.0", "contractVersion": "1.0.0",
                  "serverTime": "2026-11-21T08:57:12.005Z",
                  "links": {
                    "openapi": "/openapi.yaml", "asyncapi": "/asyncapi.yaml", "stateMachine": "/v1/state-machine",
                    "guests": "/v1/guests", "rooms": "/v1/rooms", "client": "/client/auction-client.js",
                    "documentation": "/docs"
                  }
                }
                """#)
        ])

    /// `GET /v1/state-machine`: the states of a room and their transitions.
    package static let readStateMachine = Operation(
        "readStateMachine", .get, "/v1/state-machine", .anonymous, tag: "system",
        "The states of a room and their transitions",
        parameters: [
            .header(
                "Accept", "`text/vnd.mermaid` for a diagram, unless `application/json` has a higher quality (`q`).",
                "text", example: "application/json")
        ],
        responses: [
            .success(
                200, "The table, or with `Accept: text/vnd.mermaid` a diagram.",
                content: [
                    .init(
                        "application/json", "StateMachine",
                        #"""
                        {
                          "initial": "preparing",
                          "states": [
                            {
                              "name": "preparing",
                              "description": "Preparing: an auctioneer uploads the item, then the host starts the auction.",
                              "allows": ["uploadItem", "startAuction", "archiveRoom"]
                            },
                            {
                              "name": "listing",
                              "description": "Listing: the item is being shown; bidding opens when the countdown ends.",
                              "allows": ["startAuction"]
                            },
                            {
                              "name": "auctioning", "description": "Auction running: bids are taken until the countdown ends.",
                              "allows": ["placeBid", "endAuction"]
                            },
                            {
                              "name": "closed", "description": "Closed: the round is over; the host may begin the next one.",
                              "allows": ["startAuction", "archiveRoom"]
                            }
                          ],
                          "transitions": [
                            {"from": "preparing", "to": "listing", "cause": "start", "by": "host"},
                            {"from": "listing", "to": "auctioning", "cause": "countdown", "by": "the clock"},
                            {"from": "listing", "to": "auctioning", "cause": "start", "by": "host"},
                            {"from": "auctioning", "to": "closed", "cause": "end", "by": "host"},
                            {"from": "auctioning", "to": "closed", "cause": "countdown", "by": "the clock"},
                            {"from": "closed", "to": "preparing", "cause": "start", "by": "host"}
                          ]
                        }
                        """#),
                    .init(
                        "text/vnd.mermaid; charset=utf-8", "text",
                        text: """
                            stateDiagram-v2
                                [*] --> preparing
                                preparing --> listing: start (host)
                                listing --> auctioning: countdown (the clock)
                                listing --> auctioning: start (host)
                                auctioning --> closed: end (host)
                                auctioning --> closed: countdown (the clock)
                                closed --> preparing: start (host)

                            """),
                ])
        ])

    /// `GET /healthz`: whether the process is alive.
    package static let checkHealth = Operation(
        "checkHealth", .get, "/healthz", .anonymous, tag: "system", "Whether the process is alive",
        "OPTIONS is answered in the same way, for load balancers that use it.",
        responses: [
            .success(200, "The process is alive.", "Health", #"{"status": "ok"}"#)
        ])

    /// `GET /readyz`: whether commands are accepted: the log can be written.
    package static let checkReadiness = Operation(
        "checkReadiness", .get, "/readyz", .anonymous, tag: "system",
        "Whether commands are accepted: the log can be written",
        "OPTIONS is answered in the same way, for load balancers that use it; so is OPTIONS of `/` and of `*`.",
        responses: [
            .success(200, "Commands are accepted.", "Readiness", #"{"status": "ready"}"#),
            .refusal(
                503, "Commands are not accepted, or (as a problem) the server has too many connections or is stopping.",
                ["service.unavailable", "service.stopping", "server.busy", "server.stopping", "connection.too_many"],
                content: [.init("application/json", "Unreadiness", #"{"status": "not ready", "waitingFor": ["log"]}"#)],
                headers: ["X-Request-Id"]),
        ])

    /// `GET /metrics`: metrics for Prometheus.
    package static let readMetrics = Operation(
        "readMetrics", .get, "/metrics", .operator, tag: "system", "Metrics for Prometheus",
        """
        For requests with the operator's token (`--metrics-token-file`); if none is configured, for requests from this machine, to a `Host`
        that names it as itself (`localhost`, `127.0.0.1`), that no proxy forwarded. All others get the 404 of a path that does not exist.
        """,
        responses: [
            .success(
                200, "Prometheus' text format 0.0.4.",
                content: [
                    .init(
                        "text/plain; version=0.0.4; charset=utf-8", "text",
                        text: """
                            # HELP auction_rooms_loaded Rooms in memory.
                            # TYPE auction_rooms_loaded gauge
                            auction_rooms_loaded 3

                            """)
                ])
        ])

    /// `GET /problems/{slug}`: what a kind of problem means, and what to do.
    package static let explainProblem = Operation(
        "explainProblem", .get, "/problems/{slug}", .anonymous, tag: "system",
        "What a kind of problem means, and what to do",
        parameters: [
            .path(
                "slug", "The last part of a `type`.",
                #"{"type": "string", "x-extensible-enum": ["\#(slugs)"]}"#,
                example: "permission-denied")
        ],
        responses: [
            .success(
                200, "The explanation.", "ProblemExplanation",
                #"""
                {
                  "type": "/problems/permission-denied", "title": "Permission denied", "status": 403,
                  "explanation": "A permission rule refused the action. \"permission.rule\" names the rule, \"category\" its kind: identity and role answer 403, state 409, amount 422, limit 429. \"required\" and \"actual\" say what would have been right and what was found, \"allowedActions\" what you may do now. GET /v1/rooms/{id}/permissions?action=…&explain=true shows every rule with its verdict."
                }
                """#),
            .refusal(404, "There is no such kind of problem.", ["route.not_found"], with: #"{"instance": "/nope"}"#),
        ])
}

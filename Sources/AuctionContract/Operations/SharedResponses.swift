/// A response that stands in the contract for several operations, which refer to it by its name.
struct SharedResponse: Sendable {
    let name: String
    /// The path of its example.
    let path: String
    let response: Operation.Response

    init(_ name: String, _ path: String, _ response: Operation.Response) {
        self.name = name
        self.path = path
        self.response = response
    }

    /// The path of the room of the examples.
    private static let room = "/v1/rooms/room_3pype17b8wec585enw02ex8qa0"

    /// The code of the refusal of a service token where a person acts.
    static let notAPerson = "token.not_a_person"
    /// The code of the refusal of a user whom an operator has banned.
    static let banned = "user.banned"

    /// By name.
    static let named: [String: SharedResponse] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Those of the contract, in its order.
    static let all: [SharedResponse] = [
        .init(
            "Malformed", "\(room)/items",
            .refusal(
                400, "The request cannot be understood. Sending it again unchanged will not help.",
                ["request.malformed", "request.unknown_field", "money.malformed", "media.unknown"],
                examples: [
                    .init("unknownField", "a member that does not exist", "request.unknown_field"),
                    .init(
                        "money", "too many fraction digits", "money.malformed",
                        with: #"""
                            {
                              "detail": "\"rules.startingPrice\": \"120.000\" has more fraction digits than CNY has (2).",
                              "field": "rules.startingPrice"
                            }
                            """#),
                    .init("notJson", "no JSON", "request.malformed", with: #"{"instance": "/v1/guests"}"#),
                    .init(
                        "beyond", "a cursor beyond the end", "request.malformed",
                        with: #"""
                            {
                              "detail": "\"after\" is 99, but the room's last seq is 32.", "field": "after",
                              "instance": "\#(room)/events"
                            }
                            """#),
                ])),
        .init(
            "Unauthorized", room,
            .refusal(
                401, "There is no token, or it is not valid.",
                ["token.missing", "token.invalid", "token.expired", "token.revoked"],
                example: "token.invalid")),
        .init(
            "TicketRefused", "\(room)/events",
            .refusal(
                401, "The token or the ticket is not valid.",
                ["ticket.invalid", "token.invalid", "token.expired", "token.revoked"])),
        .init(
            "NotAPerson", room,
            .refusal(403, "A service token was sent where a person acts.", [notAPerson])),
        .init(
            "Banned", room,
            .refusal(
                403, "An operator has banned the caller from all rooms, or a service token was sent where a person acts.",
                [notAPerson, banned])),
        .init(
            "Forbidden", room,
            .refusal(
                403, "An operator has banned the caller from all rooms, or the service token lacks the scope `rooms:write`.",
                ["scope.missing", banned])),
        .init(
            "EventsRefused", room,
            .refusal(
                403,
                """
                An operator has banned the caller from all rooms, or the service token lacks the scope `rooms:read`, or is sent to wait for \
                events, for which it has the feed.
                """,
                ["scope.missing", notAPerson, banned])),
        .init(
            "ScopeMissing", "/v1/feed",
            .refusal(403, "The service token lacks the scope of the operation.", ["scope.missing"])),
        .init(
            "NotFound", room,
            .refusal(
                404, "There is no such resource, or the caller may not see it.",
                [
                    "route.not_found", "room.not_found", "member.not_found", "item.not_found",
                    "bid.not_found", "message.not_found", "rule.not_found", "stage.not_found", "user.not_found",
                    "stage.seat_unknown",
                ],
                examples: [
                    .init("room", "no such room, or hidden", "room.not_found"),
                    .init("route", "no such path", "route.not_found", with: #"{"instance": "/nope"}"#),
                ])),
        .init(
            "MethodNotAllowed", room,
            .refusal(
                405, "The path exists for other methods. Any path may respond with this.",
                ["request.method_not_allowed"], headers: ["Allow"])),
        .init(
            "TooManyStreams", "\(room)/events",
            .refusal(
                429,
                "The caller, or the address of a caller without a token, has as many streams and held long-polls as it may.",
                ["stream.too_many"], without: ["RateLimit", "RateLimit-Policy"])),
        .init(
            "NotAcceptable", "\(room)/bids",
            .refusal(
                406, "The path has none of the media types that `Accept` allows.",
                ["request.not_acceptable"])),
        .init(
            "Timeout", "/v1/rooms",
            .refusal(408, "The request did not arrive in time.", ["request.timeout"])),
        .init(
            "TooLarge", "/v1/guests",
            .refusal(413, "The body is larger than the server accepts.", ["request.too_large"])),
        .init(
            "TargetTooLong", "/v1/rooms",
            .refusal(
                414, "The request's target is longer than the server accepts.", ["request.target_too_long"])
        ),
        .init(
            "UnsupportedMediaType", "/v1/guests",
            .refusal(415, "The body is not `application/json`.", ["request.unsupported_media_type"])),
        .init(
            "KeyReused", "/v1/rooms",
            .refusal(
                422, "The Idempotency-Key was used with another body before.", ["idempotency.key_reused"])),
        .init(
            "TooManyGuests", "/v1/guests",
            .refusal(
                429, "Too many new guests from this address, or too many malformed bodies.",
                ["guest.rate", "command.rate"])),
        .init(
            "TooManyCommands", "\(room)/members",
            .refusal(
                429,
                """
                Too many commands of this user other than bids and messages, too many malformed bodies, or a storage limit \
                is reached, of the room, of the user in it or, for texts and orders, of the network address within a day. At \
                the limit of the address bids in a running round are still taken, and so is what opens an announced round, resumes \
                or ends one, voids a sale, answers an offer, takes something back, mutes, bans or removes a member, or leaves.
                """, ["command.rate", "room.storage_full", "member.storage_full", "address.storage_full"])),
        .init(
            "TooManyRooms", "/v1/rooms",
            .refusal(
                429, "The caller hosts as many open rooms as one user may, or sends too many commands.",
                ["room.too_many", "command.rate", "address.storage_full"])),
        .init(
            "HeaderTooLarge", "/v1/rooms",
            .refusal(
                431, "Request line and headers are larger than the server accepts.",
                ["request.header_too_large"])),
        .init(
            "InternalError", "/v1/rooms",
            .refusal(500, "The server failed; nothing was changed.", ["service.internal_error"])),
        .init(
            "Unavailable", "/v1/rooms",
            .refusal(
                503,
                "The server cannot accept this now. A command with an Idempotency-Key can be repeated safely.",
                [
                    "service.unavailable", "session.provider_away", "service.overloaded", "service.too_many_reads",
                    "service.outcome_unknown", "service.stale", "service.stopping", "media.too_many_uploads",
                    "media.disk_full", "media.unavailable", "log.full", "idempotency.too_many_keys", "server.busy",
                    "connection.too_many", "response.too_many_bytes", "server.stopping",
                ],
                examples: [
                    .init("unavailable", "the log is out of reach", "service.unavailable"),
                    .init("unknown", "whether it was carried out is not known", "service.outcome_unknown"),
                    .init(
                        "stale", "what would be shown is too old", "service.stale",
                        with: #"{"instance": "\#(room)"}"#),
                ])),
        .init(
            "AnyProblem", room,
            .refusal(
                405,
                "Any refusal that is not listed: 405 with `Allow` for a method that the path does not have.",
                [], example: "request.method_not_allowed",
                headers: [
                    .init(
                        "Allow",
                        is: #"""
                            {
                              "description": "The methods that the path has.", "schema": {"type": "string"},
                              "example": "GET, HEAD, DELETE"
                            }
                            """#)
                ])),
    ]
}

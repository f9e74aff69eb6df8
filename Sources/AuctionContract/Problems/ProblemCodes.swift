internal import Permissions

extension ProblemCode {
    /// All codes, in the order of `openapi/problem-codes.md`.
    package static let all: [ProblemCode] =
        malformed + forbidden + ofRules([.identity, .role]) + missing + conflicts + auction + ofRules([.state]) + excessive
        + ofRules([.amount, .limit])

    /// Requests that cannot be understood, or have no valid token.
    private static let malformed: [ProblemCode] = [
        .init(
            "request.malformed", 400,
            """
            The request, its JSON, a member or a parameter cannot be understood, is missing, is given twice or is out of \
            range; `field` names it.
            """, "The body is not valid JSON: expected ',' or '}' at the end (byte 15)."),
        .init(
            "request.unknown_field", 400,
            "A member of the body, or a parameter of the query, that does not exist here; `field` names it.",
            #"There is no field "rules.reserve" here."#, field: "rules.reserve"),
        .init(
            "money.malformed", 400,
            """
            An amount that is not one of the room's currency: sign, exponent, zero, too many fraction digits, too large. \
            Never rounded.
            """, #""amount": "1e3" is not a decimal number with at most 2 fraction digits, such as "120.00"."#, field: "amount"),
        .init(
            "media.malformed", 400, "The uploaded picture is truncated or malformed.",
            "The picture cannot be read: the JPEG ends in the middle of its image."),
        .init("media.removed", 400, "The operator of the server has removed this picture; it is not taken again."),
        .init(
            "webhook.url_refused", 400, "No message goes to the URL of the webhook; the text says why.",
            "The URL leads to 10.0.0.7, an address that is private. The operator can allow hosts and addresses with --webhooks-allow.",
            field: "url"),
        .init("media.unknown", 400, "`media` names a picture of this server that is not stored: upload it first."),
        .init("token.missing", 401, "The operation needs a token.", #"Send "Authorization: Bearer <token>"."#),
        .init(
            "token.invalid", 401, "The token was not issued for this service, was changed, or is not a token.",
            "The token is not valid here."),
        .init("token.expired", 401, "The token has expired; get a new one."),
        .init("token.revoked", 401, "The token was revoked; sign in again."),
        .init(
            "ticket.invalid", 401,
            """
            The ticket is used, expired, for another room, or not a ticket; the response does not tell which. Get a new \
            one.
            """, "The ticket is used, expired, or not for this room; take a new one."),
        .init(
            "id_token.invalid", 401,
            """
            The ID token is not of a provider that users sign in with here, or one of its claims is wrong; the claim is named only if the \
            provider has signed the token.
            """, "The ID token is not of a provider that users sign in with here."),
        .init("id_token.expired", 401, "The ID token has expired; get a new one of the provider."),
        .init(
            "id_token.used", 401, "The ID token has been exchanged before; get a new one of the provider.",
            "The ID token has been exchanged already; sign in with the provider again."),
    ]

    /// What the caller may not do.
    private static let forbidden: [ProblemCode] = [
        .init(
            "guest.off", 403, "The server accepts no guests, only users of its operator's identity provider.",
            "This server takes no guests: sign in with its own accounts."),
        .init(
            "session.off", 403, "The server has no provider that users sign in with.",
            "This server has no provider that users sign in with."),
        .init(
            "session.ended", 403, "The user signed in longer ago than tokens can be renewed; sign in again.",
            "You signed in too long ago: sign in with the provider again."),
        .init(
            "nickname.not_ours", 403, "The nickname of a user of the identity provider can only be changed there.",
            "Your nickname comes from the identity provider that issued your token; change it there."),
        .init(
            "link.by_guest", 403,
            "A guest is linked by a user of the identity provider, with that user's token, not by another guest."),
        .init(
            "link.token_invalid", 403,
            "The `guestToken` is not a guest's, or has expired or been revoked; the response does not tell which.",
            #""guestToken" is not a guest token that this server accepts; it may have expired or been revoked."#,
            field: "guestToken"),
        .init(
            "token.not_ours", 403, "A token of the identity provider can only be renewed by the provider.",
            "The token is renewed where it was made."),
        .init(
            "member.banned", 403, "The caller is banned from this room and cannot join it.", "You are banned from this room."),
        .plain("voice.banned", 403, "The caller is banned from this room and does not listen either."),
        .init(
            "application.declined", 403, "The host has declined the caller's application as a bidder.",
            "The host has declined your application."),
        .init(
            "report.not_host", 403, "Only the host reads the reports of messages.", "Only the host reads the reports.",
            required: "host", actual: "bidder"),
        .init("stage.not_yours", 403, "The step belongs to the other side.", "Only the host can do this.", required: "host"),
        .init(
            "media.not_yours", 403,
            "The caller did not upload the picture of the preview to this room, or others uploaded it too."),
        .init(
            "scope.missing", 403, "The service token lacks the scope that the operation needs; the text names it.",
            #"This service token lacks the scope "feed:read"."#),
        .init(
            "token.not_a_person", 403, "A service token was sent where a person acts.",
            "A service token is no person: it can neither join a room nor bid, nor write messages."),
        .init(
            "user.banned", 403,
            """
            An operator has banned the caller from all rooms: no command and no stream. The reason is kept, and is the \
            operator's to tell.
            """, "The operator of this service has banned you from all rooms and has noted why: ask them for the reason."),
        .init(
            "request.origin_not_allowed", 403, "A web page of this origin may not make this call, or open a WebSocket here.",
            kind: .originNotAllowed),
    ]

    /// What does not exist.
    private static let missing: [ProblemCode] = [
        .init(
            "pairing.invalid", 404, "The code is wrong, used, or expired; the response does not tell which.",
            "The code is not valid: it is wrong, used, or older than five minutes. Make a new one on the other device.",
            field: "code"),
        .init(
            "route.not_found", 404, "There is nothing at this path.",
            "There is nothing at this path; /openapi.yaml lists what there is."),
        .init(
            "room.not_found", 404, "There is no such room, or the caller may not see it; the response does not tell which.",
            "There is no such room."),
        .init("member.not_found", 404, "The room has no such member.", "You are not a member of this room."),
        .init(
            "lot.not_found", 404, "The room has no such lot.", "There is no such lot in this room.",
            actual: "lot_01m7yn51psh16pxpxz9yp3xz7p"),
        .init(
            "absentee.not_found", 404, "The caller has left no bid on the lot.", "You have left no bid on this lot."),
        .init(
            "result.not_found", 404, "The room has no result of this round.", "This room has no result of such a round.",
            actual: "7"),
        .plain(
            "offer.not_found", 404, "There is no such offer, or it is over.",
            actual: "offer_01m7yn51psh16pxpxz9yp3xz7t"),
        .init(
            "media.not_found", 404, "There is no such picture; or none that is to get a preview.", "There is no such picture."),
        .init(
            "media.external_only", 404, "The server stores no pictures (`--media external`): items link to pictures elsewhere.",
            #"This server stores no pictures: give items https:// addresses in "media"."#),
        .init(
            "item.not_found", 404, "The round has no such item.", "There is no such item in this round.",
            actual: "item_01m7yn51psh16pxpxz9yp3xz7p"),
        .plain("bid.not_found", 404, "There is no such bid."),
        .init("block.not_found", 404, "The caller does not block this user.", "You have not blocked this user."),
        .plain(
            "message.not_found", 404, "There is no such message, or it is too old to be removed.",
            actual: "message_01m7yn51q0zthtweg1a3x7wgpt"),
        .init(
            "application.not_found", 404, "The user has not applied as a bidder, or the application is over.",
            "There is no such application.", actual: "user_01m7yn50kknr5n15wtee4btqvw"),
        .plain("token.not_found", 404, "There is no service token with this id."),
        .plain("webhook.not_found", 404, "There is no webhook with this id."),
        .plain("user.not_found", 404, "There is no user with this id."),
        .init("rule.not_found", 404, "There is no such permission rule.", "There is no such rule.", actual: "bid.lucky"),
        .plain("stage.not_found", 404, "There is no such request or invitation any more."),
        .init("stage.seat_unknown", 404, "There is no such seat.", "Seats are numbered from 1 to 8."),
        .init(
            "request.method_not_allowed", 405, "The path has other methods; `Allow` lists them.",
            "This path answers GET, HEAD, DELETE."),
        .init(
            "request.not_acceptable", 406, "The path has none of the media types that `Accept` allows.",
            "This path answers with application/json."),
        .init(
            "feed.cursor_gone", 410,
            """
            The cursor is of another log, such as the one that this is a copy of, or what was before it is not there any more. \
            Begin anew.
            """,
            #"This cursor is of another log, or events before it have been removed: begin anew, without "after" or with "latest"."#
        ),
        .init("request.timeout", 408, "The body did not arrive in time.", "The body must arrive within 10.0 seconds."),
    ]
}

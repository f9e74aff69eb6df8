internal import AuctionDomain

extension Operation {
    /// Seats, and the handshake that leads to them.
    static let stage: [Operation] = [
        readStage, requestStage, inviteToStage, seatMember, leaveStage, acceptStage, confirmStage, declineStage, cancelStage,
        closeSeat,
        muteSeat, clearSeat, moveSeat,
    ]

    /// `GET /v1/rooms/{id}/stage`: seats, queue and handshake.
    package static let readStage = Operation(
        "readStage", .get, "/v1/rooms/{id}/stage", .optional, tag: "stage", "Seats, queue and handshake",
        responses: [
            .success(
                200, "The stage.", "Stage",
                #"{"like": "stage"}"#)
        ])

    /// `POST /v1/rooms/{id}/stage/requests`: ask for a seat.
    package static let requestStage = Operation(
        "requestStage", .post, "/v1/rooms/{id}/stage/requests", .required, tag: "stage", "Ask for a seat",
        """
        By any member but the host. A repeated request changes nothing; a request for another role replaces the \
        earlier one.
        """,
        body: .init("StageRequest", #"{"role": "bidder"}"#),
        responses: [
            .success(
                201, "The request.", "Handshake",
                #"{"like": "handshake"}"#),
            .refusal(403, "The caller may not ask.", ["stage.not_member", "stage.banned", "stage.host"]),
            .refusal(
                409, "The stage accepts no such request now.", ["stage.already_seated", "stage.queue_full", "stage.wrong_step"]),
        ])

    /// `POST /v1/rooms/{id}/stage/invitations`: ask a member to take a seat.
    package static let inviteToStage = Operation(
        "inviteToStage", .post, "/v1/rooms/{id}/stage/invitations", .required, tag: "stage",
        "Ask a member to take a seat", "By the host.", needs: [.manageStage],
        body: .init("StageInvitation", #"{"userId": "user_01m7yn50kkb5yddpv711bt7xfe", "role": "bidder"}"#),
        responses: [
            .success(
                201, "The invitation.", "Handshake",
                #"{"like": "handshake", "state": "invited", "origin": "invitation"}"#),
            .refusal(403, "The caller is not the host.", ["stage.not_host"]),
            .refusal(
                404, "There is no such room, request or invitation.", ["room.not_found", "stage.not_member"],
                example: "stage.not_member", with: #"{"detail": "Only a member of the room can take the stage."}"#),
            .refusal(
                409, "The member cannot be invited now.",
                ["stage.already_seated", "stage.guest_banned", "stage.host", "stage.wrong_step"]),
        ])

    /// `POST /v1/rooms/{id}/stage/seats`: seat a member who has asked for it.
    package static let seatMember = Operation(
        "seatMember", .post, "/v1/rooms/{id}/stage/seats", .required, tag: "stage", "Seat a member who has asked for it",
        """
        By the host. A member whose request for this role waits, or was accepted, has the free seat with the lowest number, without another \
        confirmation. Other handshakes of the host go on.
        """, needs: [.manageStage],
        body: .init("StageSeating", #"{"userId": "user_01m7yn50kkb5yddpv711bt7xfe", "role": "bidder"}"#),
        responses: [
            .success(
                200, "The stage.", "Stage",
                #"{"like": "stage"}"#),
            .refusal(403, "The caller is not the host.", ["stage.not_host"]),
            .refusal(
                404, "There is no such room or member.", ["room.not_found", "stage.not_member"],
                example: "stage.not_member", with: #"{"detail": "Only a member of the room can take the stage."}"#),
            .refusal(
                409, "The member has not asked for it, or there is no free seat.",
                ["stage.no_request", "stage.no_seat", "stage.already_seated", "stage.guest_banned", "stage.host"]),
        ])

    /// `POST /v1/rooms/{id}/stage/leave`: leave the stage.
    package static let leaveStage = Operation(
        "leaveStage", .post, "/v1/rooms/{id}/stage/leave", .required, tag: "stage", "Leave the stage",
        "The caller gets their previous role back, unless their role has changed since they took the seat.",
        responses: [
            .success(
                200, "The stage.", "Stage",
                #"""
                {
                  "seats": [
                    {"seat": 1, "occupant": null, "closed": false, "muted": false},
                    {"seat": 2, "occupant": null, "closed": true, "muted": false}
                  ],
                  "queue": [], "handshake": null
                }
                """#),
            .refusal(409, "The caller is not on stage.", ["stage.not_seated"]),
        ])

    /// `POST /v1/rooms/{id}/stage/{stageId}/accept`: accept.
    package static let acceptStage = Operation(
        "acceptStage", .post, "/v1/rooms/{id}/stage/{stageId}/accept", .required, tag: "stage", "Accept",
        "A request: by the host. An invitation: by the guest.",
        responses: [
            .success(
                200, "The handshake and its state.", "Handshake",
                #"{"like": "handshake", "state": "accepted"}"#),
            .refusal(403, "The step belongs to the other side.", ["stage.not_yours"]),
            .refusal(
                404, "There is no such room, request or invitation.", ["room.not_found", "stage.not_found"],
                example: "stage.not_found"),
            .refusal(409, "It is not the next step, or there is no free seat.", ["stage.wrong_step", "stage.no_seat"]),
        ])

    /// `POST /v1/rooms/{id}/stage/{stageId}/confirm`: confirm.
    package static let confirmStage = Operation(
        "confirmStage", .post, "/v1/rooms/{id}/stage/{stageId}/confirm", .required, tag: "stage", "Confirm",
        """
        A request that was accepted: by the guest. An invitation that was accepted: by the host. The guest is on \
        stage.
        """,
        responses: [
            .success(
                200, "The handshake and its state.", "Handshake",
                #"{"like": "handshake", "state": "onStage", "expiresAt": null}"#),
            .refusal(403, "The step belongs to the other side.", ["stage.not_yours"]),
            .refusal(
                404, "There is no such room, request or invitation.", ["room.not_found", "stage.not_found"],
                example: "stage.not_found"),
            .refusal(
                409, "It is not the next step, or there is no free seat.", ["stage.wrong_step", "stage.no_seat"],
                with: #"{"detail": "confirm is not the next step while the handshake is agreed."}"#),
        ])

    /// `POST /v1/rooms/{id}/stage/{stageId}/decline`: decline.
    package static let declineStage = Operation(
        "declineStage", .post, "/v1/rooms/{id}/stage/{stageId}/decline", .required, tag: "stage", "Decline",
        responses: [
            .success(
                200, "The handshake and its state.", "Handshake",
                #"{"like": "handshake", "state": "idle", "expiresAt": null}"#),
            .refusal(403, "The step belongs to the other side.", ["stage.not_yours"]),
            .refusal(
                404, "There is no such room, request or invitation.", ["room.not_found", "stage.not_found"],
                example: "stage.not_found"),
            .refusal(
                409, "It is not the next step, or there is no free seat.", ["stage.wrong_step", "stage.no_seat"],
                with: #"{"detail": "decline is not the next step while the handshake is agreed."}"#),
        ])

    /// `POST /v1/rooms/{id}/stage/{stageId}/cancel`: cancel.
    package static let cancelStage = Operation(
        "cancelStage", .post, "/v1/rooms/{id}/stage/{stageId}/cancel", .required, tag: "stage", "Cancel",
        responses: [
            .success(
                200, "The handshake and its state.", "Handshake",
                #"{"like": "handshake", "state": "idle", "expiresAt": null}"#),
            .refusal(403, "The step belongs to the other side.", ["stage.not_yours"]),
            .refusal(
                404, "There is no such room, request or invitation.", ["room.not_found", "stage.not_found"],
                example: "stage.not_found"),
            .refusal(
                409, "It is not the next step, or there is no free seat.", ["stage.wrong_step", "stage.no_seat"],
                with: #"{"detail": "cancel is not the next step while the handshake is agreed."}"#),
        ])

    /// `POST /v1/rooms/{id}/stage/seats/{seat}/close`: close a seat.
    package static let closeSeat = Operation(
        "closeSeat", .post, "/v1/rooms/{id}/stage/seats/{seat}/close", .required, tag: "stage", "Close a seat",
        "By the host. The occupant is evicted first.", needs: [.manageStage],
        responses: [
            .success(
                200, "The stage.", "Stage",
                #"{"like": "stage"}"#),
            .refusal(403, "The caller is not the host.", ["stage.not_host"]),
            .refusal(
                404, "There is no such room, request or invitation.", ["room.not_found", "stage.seat_unknown"],
                example: "stage.seat_unknown"),
        ])

    /// `POST /v1/rooms/{id}/stage/seats/{seat}/mute`: mute a seat.
    package static let muteSeat = Operation(
        "muteSeat", .post, "/v1/rooms/{id}/stage/seats/{seat}/mute", .required, tag: "stage", "Mute a seat",
        "By the host; `muted` false unmutes it.", needs: [.manageStage],
        body: .init("MuteSeat", #"{"muted": true}"#, isRequired: false),
        responses: [
            .success(
                200, "The stage.", "Stage",
                #"{"like": "stage"}"#),
            .refusal(403, "The caller is not the host.", ["stage.not_host"]),
            .refusal(
                404, "There is no such room, request or invitation.", ["room.not_found", "stage.seat_unknown"],
                example: "stage.seat_unknown"),
        ])

    /// `POST /v1/rooms/{id}/stage/seats/{seat}/clear`: clear a seat.
    package static let clearSeat = Operation(
        "clearSeat", .post, "/v1/rooms/{id}/stage/seats/{seat}/clear", .required, tag: "stage", "Clear a seat",
        "By the host: evicts the occupant, reopens a closed seat and unmutes it.", needs: [.manageStage],
        responses: [
            .success(
                200, "The stage.", "Stage",
                #"{"like": "stage"}"#),
            .refusal(403, "The caller is not the host.", ["stage.not_host"]),
            .refusal(
                404, "There is no such room, request or invitation.", ["room.not_found", "stage.seat_unknown"],
                example: "stage.seat_unknown"),
        ])

    /// `POST /v1/rooms/{id}/stage/seats/{seat}/move`: move to another seat.
    package static let moveSeat = Operation(
        "moveSeat", .post, "/v1/rooms/{id}/stage/seats/{seat}/move", .required, tag: "stage", "Move to another seat",
        """
        By the occupant of the seat or the host: the occupant has the free seat `to` from now on, with the same role and \
        since the same instant. A mute goes along: the seat that they leave is not muted any more, unless the one that they \
        take was muted too. A move to the same seat changes nothing.
        """,
        body: .init("MoveSeat", #"{"to": 3}"#),
        responses: [
            .success(
                200, "The stage.", "Stage",
                #"{"like": "stage"}"#),
            .refusal(403, "The caller is neither the host nor on that seat.", ["stage.not_yours"]),
            .refusal(
                404, "There is no such room or seat.", ["room.not_found", "stage.seat_unknown"],
                example: "stage.seat_unknown"),
            .refusal(
                409, "The seat is empty, or the other one is taken or closed.", ["stage.seat_empty", "stage.seat_taken"]),
        ])
}

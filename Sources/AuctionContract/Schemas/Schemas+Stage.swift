extension Schema {
    /// Messages and the stage.
    static let stage: [Schema] = [
        .request("NewMessage", #"{"text": "worded 1...500"}"#),
        .object("Message", #"{"id": "MessageId", "author": "Person", "text": "text 1...500", "at": "Time"}"#),
        .request("NewReport", #"{"reason?": "prose? 1...500: What is wrong with the message."}"#),
        .object(
            "ReportedMessage",
            #"""
            {
              "id": "MessageId", "author": "Person", "text": "text 1...500", "at": "Time",
              "removed": "boolean: Whether the host has removed it."
            }
            """#, "The message of a report."),
        .object(
            "Report",
            #"""
            {
              "id": "ReportId", "message": "ReportedMessage", "reporter": "Person", "reason": "text? 1...500", "at": "Time"
            }
            """#, "A report of a message; visible to the host only."),
        .page("ReportList", #"{"reports": "[Report] ...50"}"#, "Newest first."),
        .request("StageRequest", #"{"role": "SeatRole"}"#),
        .request("StageInvitation", #"{"userId": "UserId", "role": "SeatRole"}"#),
        .request("StageSeating", #"{"userId": "UserId", "role": "SeatRole"}"#),
        .request("MoveSeat", #"{"to": "integer 1...8: The number of the other seat."}"#),
        .request("MuteSeat", #"{"muted?": "boolean = true"}"#),
        .object(
            "Handshake",
            #"""
            {
              "id": "StageId", "role": "SeatRole",
              "state": "one of idle | requested | accepted | invited | agreed | onStage: requested: the host may accept. accepted: the guest is to confirm. invited: the guest may accept. agreed: the host is to confirm. idle: over.",
              "guest": "Person", "origin": "one of request | invitation",
              "expiresAt": "Time?: When the waiting state times out; null where no side is waited for."
            }
            """#,
            """
            A request or an invitation, and how far it has come. Every state but `idle` and `onStage` waits for one side, for \
            30 s.
            """),
        .optional("Handshake", "A request or an invitation, or null for none."),
        .object(
            "SeatOccupant", #"{"user": "Person", "role": "SeatRole", "since": "Time"}"#,
            "Who sits there, or null.", isNullable: true),
        .object("Seat", #"{"seat": "integer 1...8", "occupant": "SeatOccupant", "closed": "boolean", "muted": "boolean"}"#),
        .object(
            "Stage",
            #"""
            {
              "seats": "[Seat]", "queue": "[Handshake]: Requests that wait for the host, oldest first.",
              "handshake": "Handshake?: The handshake in progress that the host takes part in."
            }
            """#),
        .object(
            "VoiceToken",
            #"""
            {
              "provider": {"type": "string", "const": "livekit"}, "url": "text 1...: Of the RTC service: `wss:`, or `ws:` on the server's own machine.",
              "token": "text 1...: For joining the room there.", "expiresAt": "Time",
              "canPublish": "boolean: Whether it lets the caller open a microphone."
            }
            """#),
    ]
}

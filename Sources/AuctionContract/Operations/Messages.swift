extension Operation {
    /// Chat messages.
    static let messages: [Operation] = [sendMessage, removeMessage, reportMessage, listReports]

    /// `POST /v1/rooms/{id}/messages`: send a message to the room.
    package static let sendMessage = Operation(
        "sendMessage", .post, "/v1/rooms/{id}/messages", .required, tag: "messages", "Send a message to the room",
        "By a member who is not muted, or by the host. The message is an event of the room.",
        saysWhatIsLeft: true,
        body: .init("NewMessage", #"{"text": "Is the lid original?"}"#),
        responses: [
            .success(
                201, "The message.", "Message",
                #"""
                {
                  "id": "message_01m7yn51q0zthtweg1a3x7wgpt",
                  "author": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "text": "Is the lid original?",
                  "at": "2026-11-21T08:56:46.572Z"
                }
                """#),
            .refusal(
                403, "The caller is not a member, or is banned or muted.",
                ["message.not_member", "message.muted", "message.banned"]),
            .refusal(
                429, "Too many messages, or the storage limit is reached.",
                ["message.rate", "command.rate", "room.storage_full", "member.storage_full", "address.storage_full"]),
        ])

    /// `DELETE /v1/rooms/{id}/messages/{messageId}`: remove a message.
    package static let removeMessage = Operation(
        "removeMessage", .delete, "/v1/rooms/{id}/messages/{messageId}", .required, tag: "messages", "Remove a message",
        "By the host; one of the latest 256 of the room. Clients no longer show it; the log keeps it.",
        responses: [
            .success(204, "Removed."),
            .refusal(403, "The caller is not the host.", ["message.not_host"]),
            .refusal(
                404, "There is no such room or message.", ["room.not_found", "message.not_found"], example: "message.not_found"),
        ])

    /// `POST /v1/rooms/{id}/messages/{messageId}/report`: report a message to the host.
    package static let reportMessage = Operation(
        "reportMessage", .post, "/v1/rooms/{id}/messages/{messageId}/report", .required, tag: "messages",
        "Report a message to the host",
        """
        By a member, also by one who is muted; one of the latest 256 messages of the room. The host and the operator of the server learn who reported which message,
        and why; for all others `message.reported` has only the number of reports. A repeat by the same member changes nothing.
        """,
        body: .init("NewReport", #"{"reason": "An insult."}"#, isRequired: false, "May be left out, or be `null`."),
        responses: [
            .success(204, "Reported, now or before."),
            .refusal(403, "The caller is not a member, or is banned.", ["report.not_member", "report.banned"]),
            .refusal(
                404, "There is no such room or message.", ["room.not_found", "message.not_found"], example: "message.not_found"),
            .refusal(409, "The message is the caller's own.", ["report.own"]),
            .refusal(
                429, "Too many reports, or the storage limit is reached.",
                ["report.limit", "command.rate", "room.storage_full", "member.storage_full", "address.storage_full"]),
        ])

    /// `GET /v1/rooms/{id}/reports`: list the reports of messages, newest first.
    package static let listReports = Operation(
        "listReports", .get, "/v1/rooms/{id}/reports", .required, tag: "messages",
        "List the reports of messages, newest first",
        "By the host. The latest 256 reports of the room are kept, also those of messages that were removed since.",
        parameters: [
            .query("limit", "The most rows to return.", "integer 1...50 = 20", example: 10),
            .query(
                "cursor", "`nextCursor` of the previous page.", #"{"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}"#,
                example: "17"),
        ],
        responses: [
            .success(
                200, "A page of the reports.", "ReportList",
                #"""
                {
                  "reports": [
                    {
                      "id": "report_01m7yn51q0zthtweg1a3x7wgpt",
                      "message": {
                        "id": "message_01m7yn51q0zthtweg1a3x7wgpt",
                        "author": {"id": "user_01m7yn50kkb5yddpv711bt7xfe", "nickname": "Cy"}, "text": "You fool.",
                        "at": "2026-11-21T08:56:46.572Z", "removed": false
                      },
                      "reporter": {"id": "user_01m7yn50kknr5n15wtee4btqvw", "nickname": "Di"}, "reason": "An insult.",
                      "at": "2026-11-21T08:56:46.591Z"
                    }
                  ],
                  "nextCursor": null
                }
                """#),
            .refusal(403, "The caller is not the host.", ["report.not_host"]),
        ])
}

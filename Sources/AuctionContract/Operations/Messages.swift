extension Operation {
    /// Chat messages.
    static let messages: [Operation] = [sendMessage, removeMessage]

    /// `POST /v1/rooms/{id}/messages`: send a message to the room.
    package static let sendMessage = Operation(
        "sendMessage", .post, "/v1/rooms/{id}/messages", .required, tag: "messages", "Send a message to the room",
        "By a member who is not muted, or by the host. The message is an event of the room.",
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
}

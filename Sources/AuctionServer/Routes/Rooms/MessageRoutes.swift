internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions

// Chat messages of members.
extension Routes {
    static let messages: [Route] = [
        Route(.post, "/v1/rooms/{id}/messages", .required, needsRoom: true) { context throws(Problem) in
            let caller = try context.requiredCaller()
            var fields = try context.bodyFields()
            let text = try fields.wordedText("text", Message.textLimit)
            try fields.end()
            try context.loop.submit(
                .sendMessage(text), of: try context.requiredRoom().id, in: context, by: caller,
                idempotency: try context.idempotencyKey(of: caller))
            return .later
        },
        Route(.delete, "/v1/rooms/{id}/messages/{messageId}", .required, needsRoom: true) { context throws(Problem) in
            let caller = try context.requiredCaller()
            guard let message = MessageID(context.parameters[1]) else { throw messageNotFound }
            try context.loop.submit(
                .removeMessage(message), of: try context.requiredRoom().id, in: context, by: caller,
                idempotency: try context.idempotencyKey(of: caller))
            return .later
        },
    ]

    private static let messageNotFound = Problem(
        .notFound, code: "message.not_found",
        .init("There is no such message, or it is too old to be removed.", "没有该消息,或消息过旧无法移除。"))
}

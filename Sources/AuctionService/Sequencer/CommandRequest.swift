package import AuctionDomain
package import Permissions

/// Where a response goes: an exchange of one event loop.
package struct ReplyAddress: Hashable, Sendable {
    /// Index of the event loop, from 0.
    package let loop: Int
    /// Identifier of the HTTP exchange on that loop.
    package let exchange: UInt64

    package init(loop: Int, exchange: UInt64) { (self.loop, self.exchange) = (loop, exchange) }
}

/// What encoding a response needs of the request beyond its command.
package struct RequestInfo: Hashable, Sendable {
    /// Language of problem texts.
    package let language: Language
    /// The request's path, for a problem's `instance`.
    package let path: String
    /// Request identifier that is repeated in the response and in logs.
    package let requestID: String
    /// When the request was received, in service time.
    package let receivedAt: Timestamp

    package init(language: Language, path: String, requestID: String, receivedAt: Timestamp) {
        (self.language, self.path, self.requestID, self.receivedAt) = (language, path, requestID, receivedAt)
    }
}

/// A command with its caller and the address for its response. A class, because it crosses several queues.
package final class CommandRequest: Sendable {
    /// Identifier of the room; for `openRoom` of the room to create.
    package let room: RoomID
    /// The command to decide.
    package let command: Command
    /// The authenticated user.
    package let caller: Person
    /// Request metadata for the response.
    package let info: RequestInfo
    /// The digested Idempotency-Key; nil without one.
    package let idempotency: IdempotencyKey?
    /// Where the response goes.
    package let reply: ReplyAddress
    /// Random bits drawn by the caller, so that deciding is deterministic.
    package let seed: UInt64
    /// For a draw among equal sealed bids, see `Command.mayNeedTieDraw`; nil otherwise.
    package let drawSeed: DrawSeed?
    /// How often the command was decided on a state that conflicted with the log.
    let conflictRetries: Int

    package init(
        room: RoomID, command: Command, caller: Person, info: RequestInfo, idempotency: IdempotencyKey?,
        reply: ReplyAddress, seed: UInt64, drawSeed: DrawSeed? = nil, conflictRetries: Int = 0
    ) {
        self.room = room
        self.command = command
        self.caller = caller
        self.info = info
        self.idempotency = idempotency
        self.reply = reply
        self.seed = seed
        self.drawSeed = drawSeed
        self.conflictRetries = conflictRetries
    }

    /// The same command after one more conflict.
    func afterConflict() -> CommandRequest {
        CommandRequest(
            room: room, command: command, caller: caller, info: info, idempotency: idempotency, reply: reply, seed: seed,
            drawSeed: drawSeed, conflictRetries: conflictRetries + 1)
    }
}

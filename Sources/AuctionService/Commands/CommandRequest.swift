package import AuctionDomain
package import EventLog
package import Permissions

/// Where a response goes: an exchange of one event loop.
package struct ReplyAddress: Hashable, Sendable {
    /// Index of the event loop, from 0.
    package let loop: Int
    /// Identifier of the HTTP exchange on that loop.
    package let exchange: UInt64

    package init(loop: Int, exchange: UInt64) {
        self.loop = loop
        self.exchange = exchange
    }
}

/// Digests of an Idempotency-Key in its scope and of the request body sent with it.
package struct IdempotencyKey: Hashable, Sendable {
    private let digest: WordPair
    /// Digest of the request body; a reused key must come with the same one.
    package let fingerprint: UInt64

    package init(key: UInt128, fingerprint: UInt64) {
        digest = WordPair(key)
        self.fingerprint = fingerprint
    }

    /// Digest of the key and its scope.
    package var key: UInt128 { digest.number }
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
        self.language = language
        self.path = path
        self.requestID = requestID
        self.receivedAt = receivedAt
    }
}

/// A command with its caller and the address for its response. A class, because it crosses several queues.
package final class CommandRequest: Sendable {
    /// Identifier of the room; for `openRoom` of the room to create.
    package let room: RoomID
    /// What to do.
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

    package convenience init(
        room: RoomID, command: Command, caller: Person, info: RequestInfo, idempotency: IdempotencyKey?,
        reply: ReplyAddress, seed: UInt64, drawSeed: DrawSeed? = nil
    ) {
        self.init(
            room: room, command: command, caller: caller, info: info, idempotency: idempotency, reply: reply, seed: seed,
            drawSeed: drawSeed, conflictRetries: 0)
    }

    private init(
        room: RoomID, command: Command, caller: Person, info: RequestInfo, idempotency: IdempotencyKey?,
        reply: ReplyAddress, seed: UInt64, drawSeed: DrawSeed?, conflictRetries: Int
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

/// An encoded response to a command.
package struct CommandResponse: Hashable, Sendable {
    /// HTTP status code.
    package let status: Int
    /// Headers beyond those that the server adds to every response.
    package let headers: [ResponseHeader]
    /// The body's bytes; may be empty.
    package let body: [UInt8]

    package init(status: Int, headers: [ResponseHeader] = [], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why a command was neither accepted nor refused.
package enum ServiceFailure: Hashable, Sendable {
    /// The append of this command alone failed: a defect of the service that affects no other command.
    case poisoned
    /// The log is unreachable; the command was not appended.
    case logUnavailable
    /// It is unknown whether the command was appended: the client may repeat it with the same key.
    case outcomeUnknown
    /// A queue is full.
    case overloaded
    /// The service is stopping.
    case stopping
    /// The same key was used with another request body.
    case keyReused
    /// The caller has reached the maximum of keyed commands in flight.
    case tooManyKeys
}

/// Encodes responses. Pure: the same arguments produce the same bytes.
package protocol ResponseEncoder: Sendable {
    /// Encodes the response of an accepted command.
    /// - Parameter room: The room after the command.
    func accepted(_ outcome: CommandOutcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> CommandResponse
    /// Encodes a refusal.
    /// - Parameter room: The room that the refusal was decided on; nil if there is none or the caller must not see it.
    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse
    /// Encodes a failure of the service.
    /// - Parameter room: The room, if it is known and the caller may see it; nil otherwise.
    func failed(_ failure: ServiceFailure, of request: CommandRequest, in room: Room?, at now: Timestamp) -> CommandResponse
    /// Encodes a stored response, marked as a replay.
    func replayed(_ record: StoredResponse) -> CommandResponse
}

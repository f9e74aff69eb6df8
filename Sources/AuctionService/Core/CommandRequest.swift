public import AuctionDomain
public import EventLog
public import Permissions

/// Where an answer goes: an exchange of one event loop.
public struct ReplyAddress: Hashable, Sendable {
    public let loop: Int
    public let exchange: UInt64

    public init(loop: Int, exchange: UInt64) {
        self.loop = loop
        self.exchange = exchange
    }
}

/// The digest of an Idempotency-Key in its scope, and of the body that came with it.
public struct IdempotencyKey: Hashable, Sendable {
    public let key: UInt128
    public let fingerprint: UInt64

    public init(key: UInt128, fingerprint: UInt64) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// What an answer needs to know of the request beyond its command.
public struct RequestInfo: Hashable, Sendable {
    public let language: Language
    /// The request's path, for a problem's `instance`.
    public let path: String
    public let requestID: String
    public let receivedAt: Timestamp

    public init(language: Language, path: String, requestID: String, receivedAt: Timestamp) {
        self.language = language
        self.path = path
        self.requestID = requestID
        self.receivedAt = receivedAt
    }
}

/// A command on its way: who wants what of which room, and where the answer goes. A class for the sake of its many stops.
public final class CommandRequest: Sendable {
    public let room: RoomID
    public let command: Command
    public let caller: Person
    public let info: RequestInfo
    public let idempotency: IdempotencyKey?
    public let reply: ReplyAddress
    /// Fresh random bits, so that deciding draws none.
    public let seed: UInt64
    /// The same for a lot: 128 bits where the command may draw one, nil elsewhere.
    public let drawSeed: UInt128?
    /// How often it was decided on a head that turned out not to be the room's.
    let lostRaces: Int

    public convenience init(
        room: RoomID, command: Command, caller: Person, info: RequestInfo, idempotency: IdempotencyKey?,
        reply: ReplyAddress, seed: UInt64, drawSeed: UInt128? = nil
    ) {
        self.init(
            room: room, command: command, caller: caller, info: info, idempotency: idempotency, reply: reply, seed: seed,
            drawSeed: drawSeed, lostRaces: 0)
    }

    private init(
        room: RoomID, command: Command, caller: Person, info: RequestInfo, idempotency: IdempotencyKey?,
        reply: ReplyAddress, seed: UInt64, drawSeed: UInt128?, lostRaces: Int
    ) {
        self.room = room
        self.command = command
        self.caller = caller
        self.info = info
        self.idempotency = idempotency
        self.reply = reply
        self.seed = seed
        self.drawSeed = drawSeed
        self.lostRaces = lostRaces
    }

    /// The same command after one more lost race.
    func afterLostRace() -> CommandRequest {
        CommandRequest(
            room: room, command: command, caller: caller, info: info, idempotency: idempotency, reply: reply, seed: seed,
            drawSeed: drawSeed, lostRaces: lostRaces + 1)
    }
}

/// An answer, encoded at its place in the queue.
public struct Answer: Hashable, Sendable {
    public let status: Int
    public let headers: [AnswerHeader]
    public let body: [UInt8]

    public init(status: Int, headers: [AnswerHeader] = [], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// What a carried-out command did, for whoever writes the answer.
public enum Outcome: Hashable, Sendable {
    case roomOpened
    case roomArchived
    /// Somebody joined, or was there already.
    case joined(isNew: Bool)
    case left
    case memberChanged(UserID)
    /// The item stands in the room.
    case itemUploaded
    case rulesAdjusted
    case ruleConfigured(String)
    /// The room moved on: start, end, pause, resume, cancel, retract.
    case advanced
    /// The bid that the answer shows: a new one, or the leading one whose maximum was raised.
    case bidPlaced(BidID)
    /// The handshake that the step was about.
    case handshake(StageID)
    /// The seats.
    case stageChanged
    case messageSent(Message)
    case messageRemoved
    /// Nothing that anybody is told of.
    case silent
}

/// Why a command could be neither carried out nor refused.
public enum ServiceFailure: Hashable, Sendable {
    /// This command broke the log's rules: a defect of ours that costs nobody else anything.
    case poisoned
    /// The log is out of reach and has not seen the command.
    case logUnavailable
    /// The log may or may not have it: repeat with the same key.
    case outcomeUnknown
    /// Too much is waiting.
    case overloaded
    /// The service is stopping.
    case stopping
    /// The same key came with another body.
    case keyReused
    /// As many keyed commands of the caller are on their way as may be.
    case tooManyKeys
}

/// Writes answers. Pure: the same arguments make the same bytes.
public protocol AnswerEncoder: Sendable {
    /// - Parameter room: as the command left it.
    func accepted(_ outcome: Outcome, of request: CommandRequest, in room: Room, at now: Timestamp) -> Answer
    /// - Parameter room: as the refusal saw it; nil if there is none or the caller must not know.
    func refused(_ refusal: Refusal, of request: CommandRequest, in room: Room?, at now: Timestamp) -> Answer
    func failed(_ failure: ServiceFailure, of request: CommandRequest, at now: Timestamp) -> Answer
    /// The stored answer, marked as a repeat.
    func replayed(_ record: AnswerRecord) -> Answer
}

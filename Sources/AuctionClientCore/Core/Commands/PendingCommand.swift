/// A command with everything that is needed to send it again, also after a restart of the app: it keeps the key under which the service
/// carries it out at most once.
public struct PendingCommand: Hashable, Sendable, Codable, Identifiable {
    /// How long after it was made a command may be sent. The service keeps keys for 24 hours; the hour between is for clocks.
    public static let lifetime: Duration = .seconds(23 * 3600)

    /// The Idempotency-Key.
    public let key: String
    /// What it does.
    public let kind: CommandKind
    /// Identifier of its room; nil for opening one.
    public let room: String?
    /// When it was made, by the server's clock as the client knew it then.
    public let createdAt: ServerTime
    /// The currency of the amounts in the response to a bid; nil if it is not known, then the room is read when the bid is sent again.
    public let currency: Currency?
    /// Who made it, as in `Credential.subject`; nil if the token did not show. It is never sent as another user.
    public let subject: String?
    let method: String
    let target: String
    let body: String?
    /// The media type of the body; nil for JSON.
    var contentType: String?

    /// The `key`, which no other command has.
    public var id: String { key }

    /// Whether it is a bid or an order that names no round, so that in a later one it would count for another item.
    var isForAnyRound: Bool {
        switch kind {
        case .placeBid: round == nil
        case .start, .end, .pause, .resume, .cancel: member("expectedRound")?.integer == nil
        default: false
        }
    }

    /// Number of the round that a bid names; nil if it names none.
    package var round: Int? { member("round")?.integer.flatMap { Int(exactly: $0) } }
    /// Identifier of the item that a bid names; nil if it names none.
    package var item: String? { member("item")?.string }

    private func member(_ name: String) -> JSONValue? {
        do throws(JSONError) { return try JSONParser.parse(body ?? "")[name] } catch { return nil }
    }
}

/// What a command does.
public struct CommandKind: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Open a room.
    public static let openRoom: Self = "openRoom"
    /// Archive the room.
    public static let archiveRoom: Self = "archiveRoom"
    /// Join the room, or change the own role.
    public static let join: Self = "join"
    /// Leave the room.
    public static let leave: Self = "leave"
    /// Change a member.
    public static let changeMember: Self = "changeMember"
    /// Remove a member.
    public static let kick: Self = "kick"
    /// Upload an item.
    public static let uploadItem: Self = "uploadItem"
    /// Change the rules of the item.
    public static let adjustRules: Self = "adjustRules"
    /// Start the auction.
    public static let start: Self = "start"
    /// End the auction.
    public static let end: Self = "end"
    /// Stop the countdown.
    public static let pause: Self = "pause"
    /// Let the countdown run on.
    public static let resume: Self = "resume"
    /// Take the item back.
    public static let cancel: Self = "cancel"
    /// Bid.
    public static let placeBid: Self = "placeBid"
    /// Remove the latest bid.
    public static let retractBid: Self = "retractBid"
    /// Send a message.
    public static let sendMessage: Self = "sendMessage"
    /// Remove a message.
    public static let removeMessage: Self = "removeMessage"
    /// Change a permission rule.
    public static let configureRule: Self = "configureRule"
    /// A step of the handshake for a seat, or something about a seat.
    public static let stage: Self = "stage"
    /// Queue a lot.
    public static let queueLot: Self = "queueLot"
    /// Change or move a lot.
    public static let changeLot: Self = "changeLot"
    /// Take a lot out of the queue.
    public static let withdrawLot: Self = "withdrawLot"
    /// Queue the lots of a file.
    public static let importLots: Self = "importLots"
    /// Configure the sale, or remove its configuration.
    public static let configureSale: Self = "configureSale"
    /// Begin the automatic sale.
    public static let startSale: Self = "startSale"
    /// Stop the sale after the current lot.
    public static let stopSale: Self = "stopSale"
    /// The names that this version of the library knows.
    public static let known: Set<Self> = [
        openRoom, archiveRoom, join, leave, changeMember, kick, uploadItem, adjustRules, start, end, pause, resume, cancel,
        placeBid,
        retractBid, sendMessage, removeMessage, configureRule, stage, queueLot, changeLot, withdrawLot, importLots,
        configureSale, startSale, stopSale,
    ]
}

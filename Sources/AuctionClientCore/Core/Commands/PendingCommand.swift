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
        default: CommandKind.ofRounds.contains(kind) && member("expectedRound")?.integer == nil
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

/// How a client works.
public struct ClientConfiguration: Sendable {
    /// Where tokens come from; without one only public rooms can be read.
    public var tokens: any TokenProvider = FixedToken(nil)
    /// The language of texts for people: `en`, `zh`.
    public var language = "en"
    /// How rooms are followed.
    public var connection = ConnectionSettings()
    /// How long and how often a read is tried.
    public var reads = ExchangeSettings()
    /// How long and how often a command is tried.
    public var commands = ExchangeSettings()
    /// Where commands are kept until their outcome is known; nil: nowhere but in their result.
    public var commandStore: (any CommandStore)?
    /// Takes what the client does, for the app's log.
    public var log: ClientLog?

    /// The defaults.
    public init() {}
}

/// How bids compete and who wins. One file per format; formats hold no data.
public protocol AuctionFormat: Sendable {
    var name: AuctionFormatName { get }

    /// The least amount that a bid by anybody may have now.
    func nextMinimum(in room: Room) -> Money?

    /// What an allowed bid does.
    func placeBid(_ bid: PlaceBid, by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody]

    /// How the round would end now.
    func outcome(in context: DecisionContext) -> RoundResult.Outcome
}

/// The registry of formats: the only list of them.
public struct AuctionFormats: Sendable {
    public let all: [any AuctionFormat]
    private let byName: [AuctionFormatName: any AuctionFormat]

    public init(_ all: [any AuctionFormat]) {
        self.all = all
        byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The formats of the product.
    public static let product: [any AuctionFormat] = [EnglishFormat()]

    public subscript(name: AuctionFormatName) -> (any AuctionFormat)? { byName[name] }
}

/// One accepted offer. A refused one is never a bid.
public struct Bid: Hashable, Sendable, Codable {
    public let id: BidID
    /// The seq of its event: bids are ordered by it, never by time.
    public let seq: Int
    public let at: Timestamp
    public let amount: Money
    public let bidder: Person
    /// Whether it was the highest when it was placed.
    public let leading: Bool
    /// Whether the server placed it on the bidder's behalf.
    public let automatic: Bool
    /// Up to where the server bids for its bidder, as first said; hidden from everybody else. Nil: a plain bid.
    public let maximum: Money?
    /// The maximum of the leader that this bid beat: where a retraction leaves something of it to give back; nil if it beat
    /// no other bidder.
    public let beatenMaximum: Money?

    public init(
        id: BidID, seq: Int, at: Timestamp, amount: Money, bidder: Person, leading: Bool, automatic: Bool,
        maximum: Money? = nil, beatenMaximum: Money? = nil
    ) {
        self.id = id
        self.seq = seq
        self.at = at
        self.amount = amount
        self.bidder = bidder
        self.leading = leading
        self.automatic = automatic
        self.maximum = maximum
        self.beatenMaximum = beatenMaximum
    }
}

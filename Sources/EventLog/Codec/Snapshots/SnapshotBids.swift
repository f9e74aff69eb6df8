internal import AuctionDomain

/// The bids of a snapshot: the bidders, then the bids, each as its difference from the one before. About 20 bytes a bid.
enum SnapshotBids {
    /// What a bid has. Unknown bits are damage.
    private struct Traits: OptionSet {
        let rawValue: UInt8
        static let leading = Traits(rawValue: 1)
        /// The lower bit of its origin.
        static let automatic = Traits(rawValue: 2)
        static let maximum = Traits(rawValue: 4)
        static let beatenMaximum = Traits(rawValue: 8)
        /// Its identifier begins with its instant, as the service makes them.
        static let idOfInstant = Traits(rawValue: 16)
        static let ownAmount = Traits(rawValue: 32)
        /// The higher bit of its origin.
        static let handed = Traits(rawValue: 64)
        static let all: Traits = [.leading, .automatic, .maximum, .beatenMaximum, .idOfInstant, .ownAmount, .handed]

        var origin: BidOrigin {
            contains(.handed) ? contains(.automatic) ? .absentee : .floor : contains(.automatic) ? .automatic : .bidder
        }
    }

    /// A bidder by bytes: strings with different bytes may be equal, and a later nickname must not become an earlier one.
    private struct Bidder: Hashable {
        let id: UserID
        let nickname: [UInt8]

        init(_ person: Person) { (id, nickname) = (person.id, Array(person.nickname.utf8)) }
    }

    private static let randomBytes = 10
    /// Bytes of the shortest bid.
    private static let leastBytes = 6 + randomBytes - 1

    static func write(_ bids: [Bid], to out: inout ByteWriter) {
        var numbers: [Bidder: Int] = [:]
        var people: [Person] = []
        for bid in bids where numbers[Bidder(bid.bidder)] == nil {
            numbers[Bidder(bid.bidder)] = people.count
            people.append(bid.bidder)
        }
        out.add(UInt64(people.count))
        for person in people { out.add(person) }
        out.add(UInt64(bids.count))
        var (seq, at, amount): (Int64, Int64, Int64) = (0, 0, 0)
        for bid in bids {
            let traits = traits(of: bid)
            out.add(plain: CollectionOfOne(traits.rawValue))
            out.add(signed: Int64(bid.seq) &- seq)
            out.add(signed: bid.at.milliseconds &- at)
            out.add(signed: bid.amount.minorUnits &- amount)
            (seq, at, amount) = (Int64(bid.seq), bid.at.milliseconds, bid.amount.minorUnits)
            out.add(UInt64(numbers[Bidder(bid.bidder)] ?? 0))
            out.add(bid.id.bits, bytes: traits.contains(.idOfInstant) ? randomBytes : 16)
            if let maximum = bid.maximum { out.add(signed: maximum.minorUnits &- amount) }
            if let beaten = bid.beatenMaximum { out.add(signed: beaten.minorUnits &- amount) }
            if let own = bid.ownAmount { out.add(signed: own.minorUnits &- amount) }
        }
    }

    static func read(from bytes: inout ByteReader) throws(ByteReader.Damage) -> BidHistory {
        var people: [Person] = []
        for _ in 0..<(try bytes.count(ofBytes: 17)) { people.append(try bytes.person()) }
        let count = try bytes.count(ofBytes: leastBytes)
        var history = BidHistory.Builder(count: count)
        var (seq, at, amount): (Int64, Int64, Int64) = (0, 0, 0)
        for _ in 0..<count {
            let traits = Traits(rawValue: try bytes.byte())
            seq = seq &+ (try bytes.signed())
            at = at &+ (try bytes.signed())
            amount = amount &+ (try bytes.signed())
            let bidder = try bytes.number()
            guard traits.isSubset(of: .all), bidder < UInt64(people.count) else {
                throw ByteReader.Damage(index: bytes.index)
            }
            let id =
                traits.contains(.idOfInstant)
                ? time(of: at) << 80 | (try bytes.wide(bytes: randomBytes)) : try bytes.wide(bytes: 16)
            let maximum = traits.contains(.maximum) ? Money(minorUnits: amount &+ (try bytes.signed())) : nil
            let beaten = traits.contains(.beatenMaximum) ? Money(minorUnits: amount &+ (try bytes.signed())) : nil
            let own = traits.contains(.ownAmount) ? Money(minorUnits: amount &+ (try bytes.signed())) : nil
            history.add(
                Bid(
                    id: BidID(bits: id), seq: Int(seq), at: Timestamp(milliseconds: at), amount: Money(minorUnits: amount),
                    bidder: people[Int(bidder)], leading: traits.contains(.leading), origin: traits.origin,
                    maximum: maximum, beatenMaximum: beaten, ownAmount: own))
        }
        return history.history()
    }

    private static func traits(of bid: Bid) -> Traits {
        var traits: Traits = []
        if bid.leading { traits.insert(.leading) }
        if bid.automatic { traits.insert(.automatic) }
        if [.floor, .absentee].contains(bid.origin) { traits.insert(.handed) }
        if bid.maximum != nil { traits.insert(.maximum) }
        if bid.beatenMaximum != nil { traits.insert(.beatenMaximum) }
        if bid.ownAmount != nil { traits.insert(.ownAmount) }
        if bid.id.bits >> 80 == time(of: bid.at.milliseconds) { traits.insert(.idOfInstant) }
        return traits
    }

    /// The part of an identifier that is its instant.
    private static func time(of milliseconds: Int64) -> UInt128 {
        UInt128(UInt64(bitPattern: milliseconds) & 0xFFFF_FFFF_FFFF)
    }
}

internal import AuctionDomain

/// The absentee bids of a snapshot: the bidders, then the lots with their bids in order, each as its difference from the one before. About
/// 25 bytes a bid; one byte for all if there are none.
enum SnapshotAbsentees {
    private static let causes = AbsenteeBid.VoidCause.allCases
    /// Bytes of the shortest bid: its identifier and six numbers.
    private static let leastBytes = 22
    /// Bytes of the shortest lot: its identifier and four numbers.
    private static let leastLotBytes = 20

    static func write(_ absentees: AbsenteeBids, to out: inout ByteWriter) {
        let lots = absentees.lots
        out.add(UInt64(lots.count))
        guard !lots.isEmpty else { return }
        let people = writeBidders(lots, to: &out)
        for (lot, bids) in lots {
            out.add(lot.bits, bytes: 16)
            out.add(UInt64(bids.openedSeq ?? 0))
            out.add(UInt64(bids.cancelledSeq ?? 0))
            out.add(UInt64(bids.merged))
            let inOrder = bids.inOrder
            out.add(UInt64(inOrder.count))
            var (seq, at): (Int64, Int64) = (0, 0)
            for bid in inOrder {
                out.add(bid.id.bits, bytes: 16)
                out.add(signed: Int64(bid.seq) &- seq)
                out.add(signed: bid.at.milliseconds &- at)
                (seq, at) = (Int64(bid.seq), bid.at.milliseconds)
                out.add(UInt64(people[Bidder(bid.bidder)] ?? 0))
                out.add(signed: bid.maximum.minorUnits)
                out.add(UInt64(bid.voidCause.flatMap(causes.firstIndex).map { $0 + 1 } ?? 0))
                out.add(UInt64(bid.cut.map { $0.amount == nil ? 1 : 2 } ?? 0))
                if let amount = bid.cut?.amount { out.add(signed: amount.minorUnits) }
            }
        }
    }

    /// A bidder by bytes: strings with different bytes may be equal.
    private struct Bidder: Hashable {
        let id: UserID
        let nickname: [UInt8]

        init(_ person: Person) { (id, nickname) = (person.id, Array(person.nickname.utf8)) }
    }

    private static func writeBidders(
        _ lots: [(lot: LotID, bids: AbsenteeBids.OfLot)], to out: inout ByteWriter
    ) -> [Bidder: Int] {
        var (numbers, people): ([Bidder: Int], [Person]) = ([:], [])
        for bid in lots.lazy.flatMap(\.bids.inOrder) where numbers[Bidder(bid.bidder)] == nil {
            numbers[Bidder(bid.bidder)] = people.count
            people.append(bid.bidder)
        }
        out.add(UInt64(people.count))
        for person in people { out.add(person) }
        return numbers
    }

    static func read(from bytes: inout ByteReader) throws(ByteReader.Damage) -> AbsenteeBids {
        let count = try bytes.count(ofBytes: leastLotBytes)
        guard count > 0 else { return AbsenteeBids() }
        var people: [Person] = []
        for _ in 0..<(try bytes.count(ofBytes: 17)) { people.append(try bytes.person()) }
        var lots: [(lot: LotID, bids: AbsenteeBids.OfLot)] = []
        for _ in 0..<count {
            let lot = LotID(bits: try bytes.wide(bytes: 16))
            guard lots.last.map({ $0.lot < lot }) ?? true else { throw ByteReader.Damage(index: bytes.index) }
            let (opened, cancelled, merged) = (try int(from: &bytes), try int(from: &bytes), try int(from: &bytes))
            let bids = try bids(by: people, from: &bytes)
            lots.append(
                (
                    lot,
                    AbsenteeBids.OfLot(
                        bids, openedSeq: opened == 0 ? nil : opened, cancelledSeq: cancelled == 0 ? nil : cancelled,
                        merged: merged)
                ))
        }
        return AbsenteeBids(stored: lots)
    }

    private static func bids(
        by people: [Person], from bytes: inout ByteReader
    ) throws(ByteReader.Damage) -> [AbsenteeBid] {
        var bids: [AbsenteeBid] = []
        var (seq, at): (Int64, Int64) = (0, 0)
        for _ in 0..<(try bytes.count(ofBytes: leastBytes)) {
            let id = BidID(bits: try bytes.wide(bytes: 16))
            seq = seq &+ (try bytes.signed())
            at = at &+ (try bytes.signed())
            let bidder = try bytes.number()
            let maximum = Money(minorUnits: try bytes.signed())
            let cause = try bytes.number()
            let cut = try bytes.number()
            guard bidder < UInt64(people.count), cause <= UInt64(causes.count), cut <= 2 else {
                throw ByteReader.Damage(index: bytes.index)
            }
            let amount = cut == 2 ? Money(minorUnits: try bytes.signed()) : nil
            bids.append(
                AbsenteeBid(
                    id: id, seq: Int(seq), at: Timestamp(milliseconds: at), bidder: people[Int(bidder)], maximum: maximum,
                    voidCause: cause == 0 ? nil : causes[Int(cause) - 1],
                    cut: cut == 0 ? nil : AbsenteeBid.Cut(amount: amount)))
        }
        return bids
    }

    /// Small enough that a few of them may be added.
    private static func int(from bytes: inout ByteReader) throws(ByteReader.Damage) -> Int {
        guard let number = Int32(exactly: try bytes.number()) else { throw ByteReader.Damage(index: bytes.index) }
        return Int(number)
    }
}

internal import AuctionDomain
internal import FoundationEssentials

/// The lots of a snapshot: the owners, the different rules without their prices, then the lots. About 80 bytes a lot besides its texts.
enum SnapshotLots {
    /// What a lot has. Unknown bits are damage.
    private struct Traits: OptionSet {
        let rawValue: UInt16
        static let reference = Traits(rawValue: 1)
        static let round = Traits(rawValue: 2)
        static let moved = Traits(rawValue: 4)
        static let reserve = Traits(rawValue: 8)
        static let buyNow = Traits(rawValue: 16)
        static let floor = Traits(rawValue: 32)
        static let estimate = Traits(rawValue: 64)
        static let condition = Traits(rawValue: 128)
        static let offeredBefore = Traits(rawValue: 256)
        static let all: Traits = [
            .reference, .round, .moved, .reserve, .buyNow, .floor, .estimate, .condition, .offeredBefore,
        ]
    }

    private static let states = Lot.State.allCases
    /// Bytes of the shortest lot: both identifiers and twelve numbers or texts.
    private static let leastBytes = 43

    static func write(_ lots: Lots, to out: inout ByteWriter) throws {
        out.add(UInt64(lots.owners.count))
        for owner in lots.owners { out.add(owner) }
        out.add(UInt64(lots.spreadSeq))
        let all = Array(lots.lots())
        let shapes = try writeShapes(of: all, to: &out)
        out.add(UInt64(all.count))
        var place: UInt64 = 0
        for lot in all {
            write(lot, after: place, shapes[lot.content.upload.rules.withoutPrices] ?? 0, to: &out)
            place = lot.place
        }
    }

    /// Most lots of a room differ in their prices only, so that few rules are written.
    private static func writeShapes(of lots: [Lot], to out: inout ByteWriter) throws -> [AuctionRules: Int] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var (numbers, shapes): ([AuctionRules: Int], [AuctionRules]) = ([:], [])
        for lot in lots {
            let shape = lot.content.upload.rules.withoutPrices
            guard numbers[shape] == nil else { continue }
            numbers[shape] = shapes.count
            shapes.append(shape)
        }
        out.add(UInt64(shapes.count))
        for shape in shapes { out.add(try encoder.encode(shape)) }
        return numbers
    }

    private static func write(_ lot: Lot, after place: UInt64, _ shape: Int, to out: inout ByteWriter) {
        let (content, item, traits) = (lot.content, lot.content.upload, traits(of: lot))
        let bits = traits.rawValue
        out.add(plain: [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8), UInt8(states.firstIndex(of: lot.state) ?? 0)])
        out.add(lot.id.bits, bytes: 16)
        out.add(lot.place &- place)
        out.add(UInt64(lot.number))
        out.add(UInt64(lot.owner))
        if let round = lot.round { out.add(UInt64(round)) }
        if let seq = lot.movedSeq { out.add(UInt64(seq)) }
        out.add(content.item.bits, bytes: 16)
        out.add(Array(item.name.utf8))
        out.add(Array(item.description.utf8))
        out.add(UInt64(item.media.count))
        for address in item.media { out.add(Array(address.utf8)) }
        if let reference = content.reference { out.add(Array(reference.utf8)) }
        let rules = item.rules
        out.add(UInt64(shape))
        out.add(signed: rules.startingPrice.minorUnits)
        for price in [rules.reservePrice, rules.buyNowPrice, rules.floorPrice] {
            if let price { out.add(signed: price.minorUnits) }
        }
        if let estimate = item.estimate {
            out.add(signed: estimate.low.minorUnits)
            out.add(signed: estimate.high.minorUnits)
        }
        if let condition = item.condition { out.add(Array(condition.utf8)) }
        if let old = content.offeredBefore { out.add(old.bits, bytes: 16) }
    }

    private static func traits(of lot: Lot) -> Traits {
        let (item, rules) = (lot.content.upload, lot.content.upload.rules)
        var traits: Traits = []
        if lot.reference != nil { traits.insert(.reference) }
        if lot.round != nil { traits.insert(.round) }
        if lot.movedSeq != nil { traits.insert(.moved) }
        if rules.reservePrice != nil { traits.insert(.reserve) }
        if rules.buyNowPrice != nil { traits.insert(.buyNow) }
        if rules.floorPrice != nil { traits.insert(.floor) }
        if item.estimate != nil { traits.insert(.estimate) }
        if item.condition != nil { traits.insert(.condition) }
        if lot.content.offeredBefore != nil { traits.insert(.offeredBefore) }
        return traits
    }

    // MARK: - Reading

    static func read(from bytes: inout ByteReader) throws -> Lots {
        var owners: [Person] = []
        for _ in 0..<(try bytes.count(ofBytes: 17)) { owners.append(try bytes.person()) }
        let spreadSeq = try int(from: &bytes)
        var shapes: [AuctionRules] = []
        for _ in 0..<(try bytes.count(ofBytes: 2)) {
            shapes.append(try JSONDecoder().decode(AuctionRules.self, from: Data(try bytes.string())))
        }
        var lots: [Lot] = []
        var place: UInt64 = 0
        for _ in 0..<(try bytes.count(ofBytes: leastBytes)) {
            let lot = try lot(after: place, shapes, from: &bytes)
            guard lot.place > place else { throw ByteReader.Damage(index: bytes.index) }
            place = lot.place
            lots.append(lot)
        }
        guard let all = Lots(stored: lots, owners: owners, spreadSeq: spreadSeq) else {
            throw ByteReader.Damage(index: bytes.index)
        }
        return all
    }

    private static func lot(
        after place: UInt64, _ shapes: [AuctionRules], from bytes: inout ByteReader
    ) throws(ByteReader.Damage) -> Lot {
        let bits = (UInt16(try bytes.byte()), UInt16(try bytes.byte()))
        let (traits, state) = (Traits(rawValue: bits.0 | bits.1 << 8), Int(try bytes.byte()))
        guard traits.isSubset(of: .all), states.indices.contains(state) else { throw ByteReader.Damage(index: bytes.index) }
        let id = LotID(bits: try bytes.wide(bytes: 16))
        let own = place &+ (try bytes.number())
        let number = try int(from: &bytes)
        let owner = try int(from: &bytes)
        let round = traits.contains(.round) ? try int(from: &bytes) : nil
        let movedSeq = traits.contains(.moved) ? try int(from: &bytes) : nil
        let item = ItemID(bits: try bytes.wide(bytes: 16))
        let (name, description) = (try bytes.text(), try bytes.text())
        var media: [String] = []
        for _ in 0..<(try bytes.count(ofBytes: 1)) { media.append(try bytes.text()) }
        let reference = traits.contains(.reference) ? try bytes.text() : nil
        let shape = try int(from: &bytes)
        guard shapes.indices.contains(shape) else { throw ByteReader.Damage(index: bytes.index) }
        var rules = shapes[shape]
        rules.startingPrice = Money(minorUnits: try bytes.signed())
        if traits.contains(.reserve) { rules.reservePrice = Money(minorUnits: try bytes.signed()) }
        if traits.contains(.buyNow) { rules.buyNowPrice = Money(minorUnits: try bytes.signed()) }
        if traits.contains(.floor) { rules.floorPrice = Money(minorUnits: try bytes.signed()) }
        let estimate = traits.contains(.estimate) ? try self.estimate(from: &bytes) : nil
        let condition = traits.contains(.condition) ? try bytes.text() : nil
        let offeredBefore = traits.contains(.offeredBefore) ? LotID(bits: try bytes.wide(bytes: 16)) : nil
        return Lot(
            id: id, number: number, place: own, owner: owner,
            content: LotContent(
                item: item,
                upload: UploadItem(
                    name: name, description: description, media: media, estimate: estimate, condition: condition, rules: rules),
                reference: reference, offeredBefore: offeredBefore),
            state: states[state], round: round, movedSeq: movedSeq)
    }

    private static func estimate(from bytes: inout ByteReader) throws(ByteReader.Damage) -> Estimate {
        let (low, high) = (Money(minorUnits: try bytes.signed()), Money(minorUnits: try bytes.signed()))
        guard let estimate = Estimate(low: low, high: high) else { throw ByteReader.Damage(index: bytes.index) }
        return estimate
    }

    private static func int(from bytes: inout ByteReader) throws(ByteReader.Damage) -> Int {
        guard let number = Int(exactly: try bytes.number()) else { throw ByteReader.Damage(index: bytes.index) }
        return number
    }
}

extension AuctionRules {
    fileprivate var withoutPrices: AuctionRules {
        var rules = self
        rules.startingPrice = Money(minorUnits: 0)
        (rules.reservePrice, rules.buyNowPrice, rules.floorPrice) = (nil, nil, nil)
        return rules
    }
}

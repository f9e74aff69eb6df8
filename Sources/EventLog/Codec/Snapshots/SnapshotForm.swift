internal import AuctionDomain
internal import Cryptography
internal import FoundationEssentials

/// The part of a snapshot that is JSON: the whole room except for its bids. Increase the versions whenever the meaning of a field of
/// `Room` changes: snapshots of versions that cannot be read are ignored, and the room is replayed from its events.
struct SnapshotEnvelope: Codable {
    /// The versions that can be read.
    static let readable = 6...8
    let version: Int
    let room: Room

    /// A room with a sale has version 8, one with links of guests 7: a program that has neither would drop the lots, or name the guests as
    /// bidders. Versions before 6 lack bids that were retracted before their round was cancelled.
    init(_ room: Room) { self.init(room, version: room.hasSale ? 8 : room.hasLinks ? 7 : 6) }

    init(_ room: Room, version: Int) { (self.version, self.room) = (version, room) }
}

/// The stored form of snapshots: a mark, the version of the form, the envelope as JSON, the bids (`SnapshotBids`), in version 2 the
/// lots (`SnapshotLots`), and a checksum.
///
/// Programs before this form read a snapshot as JSON only; they find this one damaged, and replay the room from its events.
enum SnapshotForm {
    /// Begins no JSON.
    static let mark: [UInt8] = [0x01] + Array("snapshot".utf8)
    /// Without and with lots.
    static let versions: (UInt8, UInt8) = (1, 2)
    private static let checksumBytes = 8

    static func encode(_ room: Room) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let lots = room.lots
        let isPlain = lots.count == 0
        let rest = isPlain ? room.with(BidHistory()) : room.with(BidHistory()).with(Lots())
        let envelope = try encoder.encode(SnapshotEnvelope(rest))
        var out = ByteWriter(reserving: envelope.count + 24 * room.bids.count + 64)
        out.add(plain: mark)
        out.add(plain: CollectionOfOne(isPlain ? versions.0 : versions.1))
        out.add(envelope)
        SnapshotBids.write(room.bids.all, to: &out)
        if !isPlain { try SnapshotLots.write(lots, to: &out) }
        out.add(plain: checksum(of: out.bytes[...]))
        return out.bytes
    }

    /// The room; nil if the snapshot was made by another version of the program, which this one does not know.
    static func decode(_ bytes: [UInt8]) throws -> Room? {
        guard bytes.starts(with: mark) else {
            // Programs before this form wrote JSON, of a version that is not read any more; all else is damage.
            _ = try JSONDecoder().decode(SnapshotVersion.self, from: Data(bytes))
            return nil
        }
        guard bytes.count > mark.count + checksumBytes else { throw ByteReader.Damage(index: bytes.count) }
        let hasLots = bytes[mark.count] == versions.1
        guard hasLots || bytes[mark.count] == versions.0 else { return nil }
        let end = bytes.count - checksumBytes
        guard checksum(of: bytes[..<end]).elementsEqual(bytes[end...]) else { throw ByteReader.Damage(index: end) }
        var reader = ByteReader(bytes, in: mark.count + 1..<end)
        let json = Data(try reader.string())
        guard try isReadable(json) else { return nil }
        let envelope = try JSONDecoder().decode(SnapshotEnvelope.self, from: json)
        let bids = try SnapshotBids.read(from: &reader)
        let lots = hasLots ? try SnapshotLots.read(from: &reader) : nil
        guard reader.left == 0 else { throw ByteReader.Damage(index: reader.index) }
        let room = bids.isEmpty ? envelope.room : envelope.room.with(bids)
        return lots.map(room.with) ?? room
    }

    private static func isReadable(_ json: Data) throws -> Bool {
        SnapshotEnvelope.readable.contains(try JSONDecoder().decode(SnapshotVersion.self, from: json).version)
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> some Collection<UInt8> {
        SHA256.hash(data: bytes.span).prefix(checksumBytes)
    }
}

private struct SnapshotVersion: Codable {
    let version: Int
}

internal import AuctionDomain
internal import Cryptography
internal import FoundationEssentials

/// The stored form of snapshots: a mark, the version of the form, the room without them as JSON, the bids
/// (`SnapshotBids`), the lots (`SnapshotLots`), the absentee bids (`SnapshotAbsentees`), and a checksum.
///
/// Increase the version whenever the form or the meaning of a field of `Room` changes: snapshots of other versions are ignored, and
/// the room is replayed from its events. Not even an earlier form can be read: beside new nodes an old one may have made it of events whose
/// new fields it does not know.
enum SnapshotForm {
    static let mark: [UInt8] = [0x01] + Array("snapshot".utf8)
    static let version: UInt8 = 12
    private static let checksumBytes = 8

    static func encode(_ room: Room) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let rest = try encoder.encode(room.with(BidHistory()))
        var out = ByteWriter(reserving: rest.count + 24 * room.bids.count + 64)
        out.add(plain: mark)
        out.add(plain: CollectionOfOne(version))
        out.add(rest)
        SnapshotBids.write(room.bids.all, to: &out)
        try SnapshotLots.write(room.lots, to: &out)
        SnapshotAbsentees.write(room.absentees ?? AbsenteeBids(), to: &out)
        out.add(plain: checksum(of: out.bytes[...]))
        return out.bytes
    }

    /// The room; nil if the snapshot has another version.
    static func decode(_ bytes: [UInt8]) throws -> Room? {
        guard bytes.starts(with: mark), bytes.count > mark.count + checksumBytes else {
            throw ByteReader.Damage(index: bytes.count)
        }
        guard bytes[mark.count] == version else { return nil }
        let end = bytes.count - checksumBytes
        guard checksum(of: bytes[..<end]).elementsEqual(bytes[end...]) else { throw ByteReader.Damage(index: end) }
        var reader = ByteReader(bytes, in: mark.count + 1..<end)
        let rest = try JSONDecoder().decode(Room.self, from: Data(try reader.string()))
        let bids = try SnapshotBids.read(from: &reader)
        let lots = try SnapshotLots.read(from: &reader)
        let absentees = try SnapshotAbsentees.read(from: &reader)
        guard reader.left == 0 else { throw ByteReader.Damage(index: reader.index) }
        var room = rest.with(bids)
        if lots.count > 0 { room = room.with(lots) }
        return absentees.isEmpty ? room : room.with(absentees)
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> some Collection<UInt8> {
        SHA256.hash(data: bytes.span).prefix(checksumBytes)
    }
}

internal import AuctionDomain
internal import ExactJSON
internal import Foundation

/// The stored form of a snapshot. Increase the versions whenever the meaning of a field of `Room` changes: older snapshots are then
/// ignored, and the room is replayed from its events.
struct SnapshotEnvelope: Codable {
    /// The versions that can be read.
    static let readable = 3...4
    let version: Int
    let room: Room

    /// A room with links of guests has version 4: a node that knows 3 only would drop them, and name the guests as bidders. All other
    /// snapshots are what such a node writes and reads.
    init(_ room: Room) { self.init(room, version: room.hasLinks ? 4 : 3) }

    init(_ room: Room, version: Int) { (self.version, self.room) = (version, room) }
}

/// Encodes snapshots as `JSONEncoder` with sorted keys does, except for the bids, which are nearly all of a long round: their bytes are
/// the same, but for slashes in names without a backslash, at a fraction of its cost.
enum SnapshotEncoder {
    /// The beginning of the member with the bids. Inside of strings quotes are escaped, so only a member has these bytes.
    static let bidsMember = Array("\"bids\":[".utf8)

    static func encode(_ room: Room) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let frame = [UInt8](try encoder.encode(SnapshotEnvelope(room.with(BidHistory()))))
        let gap = bidsMember + Array("]".utf8)
        guard !room.bids.isEmpty else { return frame }
        guard let place = position(of: gap, in: frame) else { return [UInt8](try encoder.encode(SnapshotEnvelope(room))) }
        var json = JSONWriter(reserving: frame.count + 256 * room.bids.count)
        json.array { for bid in room.bids.all { write(bid, to: &$0) } }
        return frame[..<(place + gap.count - 2)] + json.bytes + frame[(place + gap.count)...]
    }

    private static func write(_ bid: Bid, to json: inout JSONWriter) {
        json.beginObject()
        json.member("amount", Int(bid.amount.minorUnits))
        json.member("at", Int(bid.at.milliseconds))
        json.member("automatic", bid.automatic)
        if let beaten = bid.beatenMaximum { json.member("beatenMaximum", Int(beaten.minorUnits)) }
        json.member("bidder", bid.bidder)
        json.member("id", bid.id)
        json.member("leading", bid.leading)
        if let maximum = bid.maximum { json.member("maximum", Int(maximum.minorUnits)) }
        json.member("seq", bid.seq)
        json.endObject()
    }

    /// Where `pattern` begins; nil unless it is there exactly once.
    static func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        var found: Int?
        var start = 0
        while let quote = bytes[start...].firstIndex(of: pattern[0]) {
            if bytes[quote...].starts(with: pattern) {
                guard found == nil else { return nil }
                found = quote
            }
            start = quote + 1
        }
        return found
    }
}

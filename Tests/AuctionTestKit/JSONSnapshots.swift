package import AuctionDomain
package import EventLog
internal import Foundation

/// Snapshots as programs of before the present form wrote them.
package enum JSONSnapshots {
    private struct Envelope: Codable {
        let version: Int
        let room: Room
    }

    /// The snapshot of a room as one JSON object with sorted members.
    /// - Parameters:
    ///   - version: Without links of guests 3, with them 4.
    ///   - formatting: Another form of the same values.
    package static func snapshot(
        of room: Room, version: Int = 3, formatting: [String] = ["sorted"]
    ) throws -> RoomSnapshot {
        let encoder = JSONEncoder()
        encoder.outputFormatting = []
        if formatting.contains("sorted") { encoder.outputFormatting.insert(.sortedKeys) }
        if formatting.contains("pretty") { encoder.outputFormatting.insert(.prettyPrinted) }
        let bytes = [UInt8](try encoder.encode(Envelope(version: version, room: room)))
        return RoomSnapshot(room: room.id, seq: room.seq, bytes: bytes)
    }
}

/// Up to where rooms have been pruned: some of the feed's events before it are gone, so that no reader may go on from there that began before
/// they were pruned.
///
/// It is in a record, which is written in the transaction that deletes the room.
package struct FeedHorizon: Sendable {
    /// Identifier of the record, whose kind is `InternalRecords.feed`.
    package static let recordID = "pruned"

    /// The position after the last event of the feed that was pruned.
    package let position: FeedPosition
    /// Identifies the latest pruning, which may have deleted earlier events only. Random: a log restored from a backup has other prunings.
    package let pruning: UInt64

    /// The horizon after a pruning.
    /// - Parameters:
    ///   - end: The position after the last event that it deletes.
    ///   - known: The horizon before; nil if nothing was pruned.
    ///   - pruning: A random number from 1.
    package init(pruning: UInt64, through end: FeedPosition, after known: FeedHorizon?) {
        self.pruning = pruning
        if let known, known.position.number > end.number { position = known.position } else { position = end }
    }

    /// Nil if the record's content cannot be read.
    package init?(content: [UInt8]) {
        let words = String(decoding: content, as: UTF8.self).split(separator: " ")
        guard words.count == 3, let number = Int64(words[0]), let hash = UInt64(words[1], radix: 16),
            let pruning = UInt64(words[2], radix: 16)
        else { return nil }
        (position, self.pruning) = (FeedPosition(number: number, hash: hash), pruning)
    }

    /// The record's content.
    package var content: [UInt8] {
        Array("\(position.number) \(position.hash.hexadecimal) \(pruning.hexadecimal)".utf8)
    }

    /// Whether a reader may go on from a position, as far as prunings decide it.
    /// - Parameter overPruned: Whether the reader passes over events that were pruned.
    /// - Returns: Nil if it may, provided that the event before the position is still the one that it was.
    package func admits(_ reader: FeedPosition, overPruned: Bool) -> Bool? {
        guard reader.number <= position.number else { return nil }
        // The event at the horizon is gone, and the reader has got it.
        if overPruned || reader == position { return true }
        return reader.pruning == pruning ? nil : false
    }
}

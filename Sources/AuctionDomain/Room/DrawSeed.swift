/// Seed of a tie draw among equal sealed bids; secret until the round ends.
package struct DrawSeed: Hashable, Sendable {
    private let words: WordPair

    package init(bits: UInt128) { words = WordPair(bits) }

    /// 128 random bits.
    package var bits: UInt128 { words.number }
}

// The number alone, as snapshots have it.
extension DrawSeed: Codable {
    /// Decodes the number; throws if there is none.
    package init(from decoder: any Decoder) throws {
        self.init(bits: try decoder.singleValueContainer().decode(UInt128.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bits)
    }
}

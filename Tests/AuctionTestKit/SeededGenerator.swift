package import AuctionDomain

/// Random choices of a test: the seed determines the whole sequence.
package struct SeededGenerator: Sendable {
    private var words: SplitMix64

    package init(seed: UInt64) { words = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15) }

    /// The next 64 bits.
    package mutating func word() -> UInt64 { words.next() }

    /// 128 bits determined by the seed.
    package static func wide(_ seed: UInt64) -> UInt128 {
        var generator = SeededGenerator(seed: ~seed)
        return UInt128(generator.word()) << 64 | UInt128(generator.word())
    }

    /// A number in the range.
    package mutating func roll(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + words.number(below: range.upperBound - range.lowerBound + 1)
    }

    /// Like `roll`, for amounts in minor units or milliseconds.
    package mutating func amount(_ range: ClosedRange<Int>) -> Int64 { Int64(roll(range)) }

    /// True with probability 1/`times`.
    package mutating func once(in times: Int) -> Bool { roll(1...times) == 1 }

    /// One of the elements; they must not be empty.
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(0...(elements.count - 1))] }
}

extension SplitMix64 {
    /// A number from 0 to less than `bound`, which is positive; with the negligible bias of a modulo.
    package mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// SplitMix64 (Steele, Lea and Flood 2014) as a value: the seed determines the whole sequence.
public struct SeededGenerator: Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    /// The next 64 bits.
    public mutating func word() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// 128 bits determined by the seed.
    public static func wide(_ seed: UInt64) -> UInt128 {
        var generator = SeededGenerator(seed: ~seed)
        return UInt128(generator.word()) << 64 | UInt128(generator.word())
    }

    /// A number in the range, with the negligible bias of a modulo.
    public mutating func roll(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(word() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// Like `roll`, for amounts in minor units or milliseconds.
    public mutating func amount(_ range: ClosedRange<Int>) -> Int64 { Int64(roll(range)) }

    /// True with probability 1/`times`.
    public mutating func once(in times: Int) -> Bool { roll(1...times) == 1 }

    /// One of the elements; they must not be empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(0...(elements.count - 1))] }
}

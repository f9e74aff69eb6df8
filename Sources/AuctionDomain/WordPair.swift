/// A 128-bit number in two words.
///
/// A `UInt128` would align every value that has one to 16 bytes: that pads it, and the runtime allocates its boxes and arrays, and objects
/// that have it, by `posix_memalign`, which takes several times as long as `malloc`.
package struct WordPair: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    package init(_ number: UInt128) {
        high = UInt64(truncatingIfNeeded: number >> 64)
        low = UInt64(truncatingIfNeeded: number)
    }

    /// Hashes by one multiplication with secrets of the process, where `Hasher` takes twenty times as many instructions. Who does not know the
    /// secrets cannot choose numbers whose hashes collide. Sets and dictionaries call it; without it they would use `Hasher`.
    package func _rawHashValue(seed: Int) -> Int {
        let (left, right) = (high ^ Self.secrets.0, low ^ Self.secrets.1 ^ UInt64(truncatingIfNeeded: seed))
        let product = left.multipliedFullWidth(by: right)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }

    /// Derived from the seed that the standard library gives each process.
    private static let secrets = (UInt64(truncatingIfNeeded: 1.hashValue), UInt64(truncatingIfNeeded: 2.hashValue))

    /// The two words as one number.
    package var number: UInt128 { UInt128(high) << 64 | UInt128(low) }
}

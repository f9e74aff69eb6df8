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

    /// The two words as one number.
    package var number: UInt128 { UInt128(high) << 64 | UInt128(low) }
}

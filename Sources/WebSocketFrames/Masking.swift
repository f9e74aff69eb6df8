extension [UInt8] {
    /// Unmasks a payload's bytes and appends them.
    ///
    /// - Parameter key: the mask, rotated so that its lowest byte applies to the first byte.
    mutating func append(unmasking bytes: Span<UInt8>, key: UInt32) {
        let start = count
        append(contentsOf: repeatElement(0, count: bytes.count))
        var target = mutableSpan
        var index = 0
        let (key0, key1) = (UInt8(truncatingIfNeeded: key), UInt8(truncatingIfNeeded: key >> 8))
        let (key2, key3) = (UInt8(truncatingIfNeeded: key >> 16), UInt8(truncatingIfNeeded: key >> 24))
        // Four bytes per iteration, which the compiler vectorises.
        while index &+ 4 <= bytes.count {
            target[start &+ index] = bytes[index] ^ key0
            target[start &+ index &+ 1] = bytes[index &+ 1] ^ key1
            target[start &+ index &+ 2] = bytes[index &+ 2] ^ key2
            target[start &+ index &+ 3] = bytes[index &+ 3] ^ key3
            index &+= 4
        }
        var rest = key
        while index < bytes.count {
            target[start &+ index] = bytes[index] ^ UInt8(truncatingIfNeeded: rest)
            rest >>= 8
            index &+= 1
        }
    }
}

/// The mask rotated for the position after `count` more bytes.
func rotated(_ key: UInt32, by count: Int) -> UInt32 {
    let bits = UInt32(count & 3) * 8
    return key >> bits | key << ((32 - bits) & 31)
}

/// Validates UTF-8 incrementally, by Unicode's table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF. Fails at the
/// first byte that cannot continue any valid text.
struct UTF8Validator {
    /// Continuation bytes missing from the current character.
    private var missing: UInt8 = 0
    // The range of the next continuation byte: narrower than 80…BF only for some second bytes.
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// Whether the text ends with a complete character.
    var isComplete: Bool { missing == 0 }

    /// Validates the next bytes. Once it has returned false, it must not be called again.
    mutating func accept(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            if missing == 0 {
                guard byte < 0x80 || begin(byte) else { return false }
            } else {
                guard byte >= low, byte <= high else { return false }
                missing -= 1
                (low, high) = (0x80, 0xBF)
            }
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF: missing = 2
        case 0xF0...0xF4: missing = 3
        default: return false
        }
        switch byte {
        case 0xE0: low = 0xA0
        case 0xED: high = 0x9F
        case 0xF0: low = 0x90
        case 0xF4: high = 0x8F
        default: break
        }
        return true
    }
}

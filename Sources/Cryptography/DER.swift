/// The parts of DER (X.690) that public keys and signatures of ECDSA consist of.
enum DER {
    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, Array(elements.joined())) }

    /// - Parameter bytes: of a number without a sign, most significant first.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        // A first bit that is set would make it negative.
        return element(0x02, (digits.first.map { $0 < 0x80 } ?? false ? [] : [0]) + digits)
    }

    /// Whole bytes as a string of bits.
    static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// - Parameter bytes: the encoded object identifier.
    static func identifier(_ bytes: [UInt8]) -> [UInt8] { element(0x06, bytes) }

    static let null: [UInt8] = element(0x05, [])

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
        return [tag, 0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + content
    }
}

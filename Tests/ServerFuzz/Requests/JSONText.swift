import AuctionTestKit
import ExactJSON

/// Serializes values in valid, unusual and damaged JSON.
struct JSONText {
    private var escapes: Bool
    private var space: String
    private(set) var bytes: [UInt8] = []

    /// The value as compact JSON, as the product writes it.
    static func plain(_ value: JSONValue) -> [UInt8] {
        var text = JSONText(escapes: false, space: "")
        text.write(value)
        return text.bytes
    }

    /// The value as JSON with random escapes and white space; sometimes damaged.
    static func odd(_ value: JSONValue, _ generator: inout SeededGenerator) -> [UInt8] {
        var text = JSONText(
            escapes: generator.once(in: 6), space: generator.once(in: 6) ? generator.pick([" ", "\n\t ", "\r\n"]) : "")
        text.write(value)
        return generator.once(in: 8) ? damaged(text.bytes, &generator) : text.bytes
    }

    /// Truncates the text, or changes or inserts a byte.
    static func damaged(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else { return [UInt8(generator.roll(0...255))] }
        let place = generator.roll(0...(bytes.count - 1))
        switch generator.roll(0...5) {
        case 0: bytes.removeLast(bytes.count - place)
        case 1: bytes[place] = UInt8(generator.roll(0...255))
        case 2: bytes.insert(generator.pick([0, 0x22, 0x5C, 0x7B, 0x7D, 0x80, 0xC0, 0xED, 0xF5, 0xFF]), at: place)
        case 3: bytes += Array(generator.pick(["}", " {}", "\u{0}", "null", ","]).utf8)
        case 4: bytes.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0)
        default: bytes.remove(at: place)
        }
        return bytes
    }

    private mutating func write(_ value: JSONValue) {
        switch value {
        case .null: put("null")
        case .bool(let value): put(value ? "true" : "false")
        case .number(let literal): put(literal)
        case .string(let text): quote(text)
        case .array(let elements):
            put("[" + space)
            for (index, element) in elements.enumerated() {
                if index > 0 { put("," + space) }
                write(element)
            }
            put(space + "]")
        case .object(let members):
            put("{" + space)
            for (index, member) in members.enumerated() {
                if index > 0 { put("," + space) }
                quote(member.name)
                put(":" + space)
                write(member.value)
            }
            put(space + "}")
        }
    }

    private mutating func put(_ text: String) { bytes += text.utf8 }

    private mutating func quote(_ text: String) {
        put("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{F8FE}": put("\\ud800")
            case "\u{F8FF}": bytes.append(0xFF)
            case "\"", "\\": put("\\\(Character(scalar))")
            case _ where escapes || scalar.value < 0x20:
                for unit in String(Character(scalar)).utf16 {
                    let digits = String(unit, radix: 16)
                    put("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
                }
            default: bytes += String(Character(scalar)).utf8
            }
        }
        put("\"")
    }
}

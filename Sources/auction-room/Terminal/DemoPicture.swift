/// A picture for an item of the demo, made by the program: a pot before a wall, in colours that follow from a number.
enum DemoPicture {
    private static let (width, height) = (160, 120)

    /// A PNG of indexed colours, whose data are not compressed.
    static func png(_ number: Int) -> [UInt8] {
        let hue = UInt8(truncatingIfNeeded: 40 + 53 * number)
        let palette: [UInt8] = [
            236, 230, 218, 176, 160, 140, hue, 120, 255 - hue, hue / 2, 60, (255 - hue) / 2, 255, 255, 255,
        ]
        let header = big(width) + big(height) + [8, 3, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("PLTE", palette)
            + chunk("IDAT", stored((0..<height).flatMap { row in [0] + (0..<width).map { color(column: $0, row: row) } }))
            + chunk("IEND", [])
    }

    /// The number of a pixel's colour.
    private static func color(column: Int, row: Int) -> UInt8 {
        let (x, y) = (column - width / 2, row - 68)
        if x * x * 9 + y * y * 16 < 14_000 { return x * x + y * y < 90 + 2 * x * y ? 4 : x > 12 ? 3 : 2 }
        let isNeck = abs(x) < 14 && (24..<48).contains(row) || abs(x) < 20 && (20..<25).contains(row)
        return isNeck ? 3 : row > 98 ? 1 : 0
    }

    /// Bytes in the form of zlib, in one block that is stored as it is; at most 65,535.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(truncatingIfNeeded: bytes.count)
        var (first, second): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            first = (first + UInt32(byte)) % 65521
            second = (second + first) % 65521
        }
        let length = [UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
        return [0x78, 0x01, 1] + length + length.map(~) + bytes + big(Int(second << 16 | first))
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
        }
        return big(data.count) + content + big(Int(~sum))
    }

    /// Four bytes, the most significant first.
    private static func big(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

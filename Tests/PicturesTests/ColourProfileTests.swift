import Pictures
import Testing

/// Colour profiles in pictures: what names a device goes, what colours are computed from stays.
struct ColourProfileTests {
    /// Tags that are kept, with data that no other tag has.
    private static let colours = ["wtpt", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "chad", "A2B0"]
    private static let secrets = ["Canon", "EOS 5D", "CANO", "C\u{0}a\u{0}n\u{0}o\u{0}n", "secret"]

    /// A camera's profile: texts in three forms, and numbers.
    private static func profile() -> [UInt8] {
        func text(_ value: String) -> [UInt8] { Array("text\0\0\0\0\(value)\0".utf8) }
        func unicode(_ value: String) -> [UInt8] {
            Array("mluc\0\0\0\0".utf8) + number(1, 4) + number(12, 4) + Array("enUS".utf8) + number(2 * value.utf8.count, 4)
                + number(28, 4)
                + value.utf8.flatMap { [0, $0] }
        }
        func described(_ value: String) -> [UInt8] {
            Array("desc\0\0\0\0".utf8) + number(value.utf8.count + 1, 4) + value.utf8 + number(0, 79)
        }
        var tags = [
            ("desc", unicode("Canon EOS 5D")), ("cprt", text("secret of Canon")), ("dmnd", described("Canon")),
            ("dmdd", described("EOS 5D")), ("targ", text("secret")), ("mmod", text("EOS 5D secret")),
        ]
        for (index, name) in colours.enumerated() {
            tags.insert((name, number(0x7061_7261, 4) + number(index, 4) + number(index + 7, 5)), at: 2 * index % 6)
        }
        var (table, data) = (number(tags.count, 4), [UInt8]())
        for (name, content) in tags {
            table += name.utf8 + number(132 + 12 * tags.count + data.count, 4) + number(content.count, 4)
            data += content
        }
        var header = number(132 + 12 * tags.count + data.count, 4) + Array("CANO\u{4}\0\0\0scnrRGB XYZ ".utf8) + number(0, 12)
        header += Array("acsp".utf8) + number(0, 8) + Array("CANOEOS5".utf8)
        header += [UInt8](repeating: 0, count: 80 - header.count) + Array("CANOsecretsecret".utf8)
        header += Array("secret".utf8)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + table + data
    }

    /// The tags of a profile with their data.
    private static func tags(of profile: [UInt8]) -> [String: [UInt8]] {
        func read(_ position: Int) -> Int { profile[position..<position + 4].reduce(0) { $0 << 8 | Int($1) } }
        let entries = (0..<read(128)).map { 132 + 12 * $0 }
        return Dictionary(
            uniqueKeysWithValues: entries.map { entry in
                let start = read(entry + 4)
                return (
                    String(decoding: profile[entry..<entry + 4], as: UTF8.self), Array(profile[start..<start + read(entry + 8)])
                )
            })
    }

    private static func check(_ cleaned: [UInt8], of file: [UInt8]) throws {
        let profile = Self.profile()
        for secret in secrets { #expect(!cleaned.contains(secret), "\(secret) is still there") }
        let start = try #require(cleaned.indices.first { cleaned[$0...].starts(with: "acsp".utf8) }) - 36
        let kept = tags(of: Array(cleaned[start..<start + profile.count]))
        let before = tags(of: profile)
        #expect(kept.keys.sorted() == (colours + ["desc", "cprt"]).sorted())
        for name in colours { #expect(kept[name] == before[name], "\(name)") }
        #expect(kept["desc"]?.starts(with: "mluc\0\0\0\0\0\0\0\0\0\0\0\u{c}".utf8) == true, "no texts")
        #expect(cleaned[start + 12..<start + 24].elementsEqual("scnrRGB XYZ ".utf8))
        #expect(try Picture(cleaning: cleaned).bytes == cleaned)
    }

    @Test func `a JPEG's profile, in segments of any order, keeps its colours and loses its texts`() throws {
        let (file, profile) = (try Samples.bytes("progressive.jpg"), Self.profile())
        for sizes in [[profile.count], [200, profile.count - 200]] {
            var (segments, rest) = ([[UInt8]](), profile[...])
            for (index, size) in sizes.enumerated() {
                let content = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(sizes.count)] + rest.prefix(size)
                segments.append([0xFF, 0xE2] + Self.number(content.count + 2, 2) + content)
                rest = rest.dropFirst(size)
            }
            for ordered in [segments, segments.reversed()] {
                let picture = try Picture(cleaning: Array(file.prefix(2)) + ordered.joined() + file[2...])
                for secret in Self.secrets { #expect(!picture.bytes.contains(secret), "\(secret) is still there") }
                if sizes.count == 1 { try Self.check(picture.bytes, of: file) }
                #expect(try Picture(cleaning: picture.bytes) == picture)
                #expect(picture.bytes.contains("A2B0"))
            }
        }
    }

    @Test func `an AVIF's and a WebP's profile keep their colours and lose their texts`() throws {
        var avif = AVIFFile(width: 64, height: 48, AVIFFile.sequenceHeader(64, 48))
        avif.profile = Self.profile()
        try Self.check(try Picture(cleaning: avif.bytes).bytes, of: avif.bytes)
        var webp = try Samples.bytes("lossy.webp")
        let length = webp[34..<38].reversed().reduce(0) { $0 << 8 | Int($1) }
        let profile = Self.profile() + [UInt8](repeating: 0, count: Self.profile().count % 2)
        webp.replaceSubrange(34..<38 + length + length % 2, with: Self.number(profile.count, 4).reversed() + profile)
        webp.replaceSubrange(4..<8, with: Self.number(webp.count - 8, 4).reversed())
        try Self.check(try Picture(cleaning: webp).bytes, of: webp)
    }

    @Test func `what is no profile is overwritten`() throws {
        for bytes in [Array("secret".utf8), [UInt8](repeating: 0x41, count: 400), Array(Self.profile().dropLast(60))] {
            var avif = AVIFFile(width: 64, height: 48, AVIFFile.sequenceHeader(64, 48))
            avif.profile = bytes
            let cleaned = try Picture(cleaning: avif.bytes).bytes
            for secret in Self.secrets + ["AAAA"] { #expect(!cleaned.contains(secret)) }
        }
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] { AVIFFile.number(value, count) }
}

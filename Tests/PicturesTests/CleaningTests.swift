import Pictures
import Testing

struct CleaningTests {
    @Test(arguments: Samples.still)
    func `a picture that was cleaned stays as it is`(name: String) throws {
        let picture = try Picture(cleaning: try Samples.bytes(name))
        #expect(try Picture(cleaning: picture.bytes) == picture)
    }

    @Test(arguments: ["photo.jpg", "photo.png", "palette.png", "lossy.webp", "photo.avif"])
    func `Exif, XMP and comments are removed`(name: String) throws {
        let secrets = [
            "Jane Doe", "Canon", "EOS 5D", "1234567", "48.2", "shot at home", "GPS", "xmpmeta", "XMP ", "adobe:ns", "tEXt",
            "iTXt",
        ]
        let file = try Samples.bytes(name)
        #expect(secrets.contains { file.contains($0) }, "the sample has nothing to remove")
        let picture = try Picture(cleaning: file)
        for secret in secrets { #expect(!picture.bytes.contains(secret), "\(secret) is still there") }
    }

    @Test(arguments: [
        ("photo.jpg", PictureFormat.jpeg, 16, 24), ("progressive.jpg", .jpeg, 24, 16), ("cmyk.jpg", .jpeg, 24, 16),
        ("photo.png", .png, 16, 24), ("palette.png", .png, 24, 16), ("lossy.webp", .webp, 24, 16),
        ("lossless.webp", .webp, 24, 16), ("simple.webp", .webp, 24, 16), ("alpha.webp", .webp, 24, 16),
        ("photo.avif", .avif, 24, 16), ("turned.avif", .avif, 16, 24), ("grid.avif", .avif, 128, 64),
        ("sequence.avif", .avif, 64, 64),
    ])
    func `format and size are those of the picture as it is shown`(
        name: String, format: PictureFormat, width: Int, height: Int
    ) throws {
        let picture = try Picture(cleaning: try Samples.bytes(name))
        #expect(picture.format == format)
        #expect([picture.width, picture.height] == [width, height])
    }

    @Test(arguments: ["photo.jpg", "photo.png", "lossy.webp"])
    func `how it is rotated stays, and the colour profile`(name: String) throws {
        let picture = try Picture(cleaning: try Samples.bytes(name))
        // The tag of the orientation, of one short number.
        #expect(picture.bytes.indices.contains { picture.bytes[$0...].starts(with: [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]) })
        #expect(picture.bytes.contains("ICC_PROFILE") || picture.bytes.contains("iCCP") || picture.bytes.contains("ICCP"))
    }

    @Test func `thumbnails and second pictures are removed`() throws {
        let file = try Samples.bytes("photo.jpg")
        let frames = { (bytes: [UInt8]) in bytes.indices.count { bytes[$0...].starts(with: [0xFF, 0xC0, 0, 17]) } }
        #expect(frames(file) == 3, "the sample has a thumbnail in its Exif, and a second picture after its end")
        #expect(frames(try Picture(cleaning: file).bytes) == 1)
    }

    @Test(arguments: ["photo.jpg", "progressive.jpg", "cmyk.jpg"])
    func `bytes between the segments of a JPEG are removed, where decoders skip them`(name: String) throws {
        let picture = try Picture(cleaning: try Samples.bytes(name))
        for stray: [UInt8] in [[0], Array("hidden".utf8), [0xFF, 0, 7], [0xFF, 0x01], [0xFF, 0xD3], [0xFF, 0xFF, 0xFF]] {
            var file = Array(picture.bytes.prefix(2))
            var position = 2
            // Up to the first scan.
            while picture.bytes[position + 1] != 0xDA {
                let length = Int(picture.bytes[position + 2]) << 8 | Int(picture.bytes[position + 3])
                file += picture.bytes[position..<position + 2 + length] + stray
                position += 2 + length
            }
            file += picture.bytes[position...]
            #expect(file.count > picture.bytes.count)
            #expect(try Picture(cleaning: file) == picture, "\(stray)")
        }
    }

    @Test(arguments: ["photo.jpg", "cmyk.jpg"])
    func `a JPEG without its end gets one, as decoders show it`(name: String) throws {
        let file = try Picture(cleaning: try Samples.bytes(name)).bytes
        for missing in [1, 2] { #expect(try Picture(cleaning: file.dropLast(missing)).bytes == file) }
        // Of a transfer that broke off, decoders show what there is.
        for count in file.imageStart + 2..<file.count - 2 {
            let kept = try Picture(cleaning: Array(file.prefix(count))).bytes.dropLast(2)
            #expect(file.starts(with: kept) && kept.count >= count - 1)
        }
    }

    @Test func `Adobe's segment keeps how colours are coded, and nothing else`() throws {
        let file = try Picture(cleaning: try Samples.bytes("cmyk.jpg")).bytes
        let segment = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xEE, 0, 14]) })
        var longer = file
        longer.insert(contentsOf: "secret".utf8, at: segment + 16)
        longer[segment + 3] = 20
        #expect(try Picture(cleaning: longer).bytes == file)
        // Decoders have decided when the first scan begins.
        var late = file
        late.insert(contentsOf: [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0], at: file.count - 2)
        #expect(try Picture(cleaning: late).bytes == file)
    }

    @Test func `the image itself is not touched`() throws {
        let file = try Samples.bytes("progressive.jpg")
        let scan = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xDA]) })
        let picture = try Picture(cleaning: file)
        #expect(picture.bytes.suffix(file.count - scan) == file[scan...])
    }

    @Test func `an AVIF keeps its layout, and what is overwritten are zeros and types of items and boxes`() throws {
        let file = try Samples.bytes("photo.avif")
        let picture = try Picture(cleaning: file)
        #expect(picture.bytes.count == file.count)
        let changed = zip(picture.bytes, file).filter { $0 != $1 }.map(\.0)
        #expect(changed.contains(0))
        #expect(changed.allSatisfy { $0 == 0 || "free".utf8.contains($0) })
    }

    @Test func `bytes of AVIF boxes beyond their fields are zeroed, and a box that occurs twice is refused`() throws {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] { AVIFFile.box(type, content) }
        func file(_ others: [UInt8]) -> [UInt8] {
            var file = AVIFFile(width: 64, height: 48, AVIFFile.sequenceHeader(64, 48))
            file.others = others
            return file.bytes
        }
        let secret = Array("secret".utf8)
        let alternatives = AVIFFile.number(0, 4) + AVIFFile.number(7, 4) + AVIFFile.number(1, 4) + AVIFFile.number(1, 4)
        let groups = box("grpl", box("altr", alternatives + secret) + box("ster", secret))
        let others = [
            groups, box("dinf", box("dref", secret)), box("iref", AVIFFile.number(0, 4) + box("dimg", [0, 2, 0, 0] + secret)),
        ]
        let cleaned = try Picture(cleaning: file(others.reduce([], +))).bytes
        #expect(!cleaned.contains("secret"))
        #expect(cleaned.contains("altr") && !cleaned.contains("ster"))
        #expect(try Picture(cleaning: cleaned).bytes == cleaned)
        let empty: [(String, [UInt8])] = [
            ("idat", secret), ("iinf", AVIFFile.number(0, 6)), ("iloc", [1, 0, 0, 0, 0x44, 0, 0, 0]),
        ]
        for (type, content) in empty {
            #expect(throws: PictureError.malformed("the AVIF has more than one box \"\(type)\"")) {
                try Picture(cleaning: file(box(type, content)))
            }
        }
    }

    @Test func `an AVIF has no Exif item any more, which some decoders would refuse for its zeros`() throws {
        let file = try Samples.bytes("photo.avif")
        #expect(file.contains("Exif"))
        #expect(!(try Picture(cleaning: file)).bytes.contains("Exif"))
    }

    @Test func `a JPEG without an orientation gets no Exif`() throws {
        let picture = try Picture(cleaning: try Samples.bytes("progressive.jpg"))
        #expect(!picture.bytes.contains("Exif"))
    }
}

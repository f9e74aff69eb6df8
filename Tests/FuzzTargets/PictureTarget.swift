import Pictures

/// The whole input is a picture.
enum PictureTarget {
    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        guard let picture = try? Picture(cleaning: input) else { return }
        // A minimal Exif part with its framing is all that may be added.
        try require(picture.bytes.count <= input.count + 64, "it grew from \(input.count) to \(picture.bytes.count) bytes")
        try require(picture.width > 0 && picture.height > 0, "it has no size")
        try require(picture.width <= Picture.pixelLimit / picture.height, "it has too many pixels")
        let again = try? Picture(cleaning: picture.bytes)
        try require(again == picture, "what remains is not the same picture")
    }
}

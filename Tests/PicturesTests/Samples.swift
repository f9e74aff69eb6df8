import Foundation
import Pictures
import Testing

/// Real pictures of 24 by 16 pixels (the grid of 128 by 64, the one with a sequence header of videos of 64 by 64), which the fuzzer also starts from. Those named "photo", and "lossy.webp", have
/// what a camera writes into them: place, owner, model, thumbnail.
enum Samples {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Corpora/picture")
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static let still = [
        "photo.jpg", "progressive.jpg", "cmyk.jpg", "photo.png", "palette.png", "lossy.webp", "lossless.webp", "simple.webp",
        "alpha.webp", "photo.avif", "alpha.avif", "turned.avif", "grid.avif",
        "sequence.avif",
    ]
    static let animated = ["animated.png", "animated.webp"]
}

extension [UInt8] {
    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: wanted) }
    }

    /// Where the codes of a JPEG's first scan begin.
    var imageStart: Int {
        var position = 2
        while true {
            let length = 2 + (Int(self[position + 2]) << 8 | Int(self[position + 3]))
            if self[position + 1] == 0xDA { return position + length }
            position += length
        }
    }
}

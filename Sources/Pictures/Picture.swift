/// A picture whose container was checked and from which metadata was removed.
///
/// Only the container is read and written: which parts a file has, and its size in pixels. The compressed image data is copied as it is
/// and never decoded: this server runs no decoder on untrusted bytes.
package struct Picture: Hashable, Sendable {
    /// Most pixels of a picture.
    package static let pixelLimit = 40_000_000

    /// What the first bytes say, not the name or the declared type.
    package let format: PictureFormat
    /// In pixels, as displayed: after the rotation that the file asks for.
    package let width: Int
    /// In pixels, as displayed.
    package let height: Int
    /// The whole file, without metadata. Cleaning it again gives the same bytes.
    package let bytes: [UInt8]

    /// Checks a file and removes metadata: everything but the image, its colours, and how it is to be rotated. Takes time linear in the bytes.
    /// - Throws: `PictureError` if it is none of the formats, animated, too large, truncated or malformed.
    package init(cleaning file: [UInt8]) throws(PictureError) {
        guard let format = PictureFormat(of: file) else { throw .unknownFormat }
        switch format {
        case .jpeg: self = try JPEG.clean(file)
        case .png: self = try PNG.clean(file)
        case .webp: self = try WebP.clean(file)
        case .avif: self = try AVIF.clean(file)
        }
    }

    /// - Parameters:
    ///   - size: in pixels, as stored.
    ///   - isTurned: whether the picture is displayed with width and height exchanged.
    init(_ format: PictureFormat, _ size: PixelSize, isTurned: Bool, _ bytes: [UInt8]) {
        self.format = format
        (width, height) = isTurned ? (size.height, size.width) : (size.width, size.height)
        self.bytes = bytes
    }
}

/// The formats of pictures; the raw value is the media type.
package enum PictureFormat: String, CaseIterable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case avif = "image/avif"

    /// The format by the first bytes of a file; nil if it is another.
    init?(of file: [UInt8]) {
        if file.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if file.starts(with: PNG.signature) {
            self = .png
        } else if file.starts(with: "RIFF".utf8), file.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if file.dropFirst(4).starts(with: "ftyp".utf8), AVIF.isNamed(in: file) {
            self = .avif
        } else {
            return nil
        }
    }
}

/// Why a file is not accepted as a picture.
package enum PictureError: Error, Hashable, Sendable {
    /// None of `PictureFormat`.
    case unknownFormat
    /// An animation or a sequence, of which a picture would show only a part.
    case animated
    /// More than `Picture.pixelLimit`.
    case tooManyPixels
    /// Truncated, or against the format's specification; the text says where.
    case malformed(String)
}

/// Width and height in pixels, both over 0 and together within `Picture.pixelLimit`.
struct PixelSize: Hashable {
    let width: Int
    let height: Int

    init(_ width: Int, _ height: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw .malformed("width or height is 0") }
        guard width <= Picture.pixelLimit / height else { throw .tooManyPixels }
        (self.width, self.height) = (width, height)
    }
}

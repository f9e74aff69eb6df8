/// A picture that the service keeps.
public struct UploadedPicture: Hashable, Sendable {
    /// Its address below that of the service, `/v1/media/…`, which `media` of items and lots takes as it is. Every client that has it
    /// can read the picture, also of a private room. With `?preview` at its end it is that of the preview, for lists.
    public let url: String
    /// Its media type, such as `image/jpeg`.
    public let type: String
    /// In pixels, as displayed.
    public let width: Int
    /// In pixels, as displayed.
    public let height: Int
    /// Bytes of the stored picture, which has lost its metadata.
    public let byteCount: Int

    init(_ json: JSONValue) throws(MalformedJSON) {
        let fields = try JSONFields(json)
        url = try fields.string("url")
        type = try fields.string("type")
        width = try fields.count("width")
        height = try fields.count("height")
        byteCount = try fields.count("bytes")
    }
}

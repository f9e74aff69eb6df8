package import EventLog

/// Which pictures items may have, and how many are stored.
package struct MediaOptions: Sendable {
    /// Where the pictures of items may be.
    package enum Sources: String, CaseIterable, Sendable {
        /// On other servers only; uploads are refused.
        case external
        /// On this one only.
        case own
        /// Anywhere.
        case both
    }

    /// Where the pictures of items may be.
    package var sources = Sources.both
    /// Bounds on what is stored.
    package var limits = PictureLimits()
    /// Bytes of pictures that one address may upload within a day at one node, as users may make themselves guests; 0: no limit.
    package var bytesPerAddress = 256 << 20
    /// The largest preview: lists load many.
    package var previewBytes = 64 << 10
    /// The longest side of a preview in pixels.
    package var previewSide = 1024

    package init() {}

    /// Why an item may not have a picture at this address; nil if it may.
    func problem(with address: String) -> Problem? {
        switch (sources, PictureID(path: address)) {
        case (.external, .some):
            .malformed(
                "\"media\" must be https:// addresses: this server stores no pictures.", "media 须为 https:// 地址:本服务器不保存图片。",
                field: "media")
        case (.own, nil):
            .malformed(
                "\"media\" must be addresses that POST /v1/rooms/{id}/media returned: this server allows no others.",
                "media 须为 POST /v1/rooms/{id}/media 返回的地址:本服务器不允许其他地址。", field: "media")
        default: nil
        }
    }
}

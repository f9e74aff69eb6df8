internal import AuctionService
internal import EventLog
internal import Permissions
internal import Pictures

// Why a picture is not taken, or not served.
extension Problem {
    static let pictureNotFound = Problem(
        .notFound, code: "media.not_found", LocalizedText("There is no such picture.", "没有这张图片。"))

    static let storesNoPictures = Problem(
        .notFound, code: "media.external_only",
        LocalizedText(
            "This server stores no pictures: give items https:// addresses in \"media\".",
            "本服务器不保存图片:请在物品的 media 中填写 https:// 地址。"))

    /// For an item or lot that names pictures of this server.
    static let pictureUnknown = Problem(
        .malformedRequest, code: "media.unknown",
        LocalizedText(
            "\"media\" names a picture that is not stored here: upload it first; one that no item uses is deleted after a day.",
            "media 中的图片不存在:请先上传;未被使用的图片会在一天后删除。"), field: "media")

    /// For a body that is declared to be something else, or none of the formats.
    static let notAPicture = Problem(
        .unsupportedMediaType, code: "media.unsupported",
        LocalizedText(
            "Send a JPEG, PNG, WebP or AVIF picture as the body, with Content-Type: image/*.",
            "请求体须为 JPEG、PNG、WebP 或 AVIF 图片,Content-Type 须为 image/*。"))

    static let rangeNotSatisfiable = Problem(
        .rangeNotSatisfiable, code: "media.range",
        LocalizedText("The range begins after the end of the picture.", "请求的范围超出图片末尾。"))

    init(_ error: PictureError) {
        switch error {
        case .unknownFormat: self = .notAPicture
        case .animated:
            self.init(
                .unsupportedMediaType, code: "media.unsupported",
                LocalizedText("Animations and sequences of pictures are not taken; send one picture.", "不支持动画或图片序列,请上传单张图片。"))
        case .tooManyPixels:
            self.init(
                .tooLarge, code: "media.too_large",
                LocalizedText(
                    "The picture has more than \(Picture.pixelLimit / 1_000_000) million pixels.",
                    "图片超过 \(Picture.pixelLimit / 10_000) 万像素。"))
        case .malformed(let reason):
            self.init(
                .malformedRequest, code: "media.malformed",
                LocalizedText("The picture cannot be read: \(reason).", "图片文件不完整或已损坏。"))
        }
    }

    init(_ quota: PictureQuota, _ limits: PictureLimits) {
        let (bytes, english, chinese) =
            switch quota {
            case .room: (limits.roomBytes, "This room", "该房间")
            case .user: (limits.userBytes, "You", "您")
            case .total: (limits.totalBytes, "This server", "本服务器")
            }
        self.init(
            .tooManyRequests, code: "media.quota",
            LocalizedText(
                "\(english) would have more than \(bytes) bytes of pictures; those that no item uses are deleted after a day.",
                "\(chinese)的图片总量将超过 \(bytes) 字节;未被使用的图片会在一天后删除。"),
            retryAfterSeconds: 3600)
    }
}

extension ProblemType {
    static let rangeNotSatisfiable = ProblemType(
        slug: "range-not-satisfiable", title: "Range not satisfiable", status: 416,
        explanation: LocalizedText(
            "The \"Range\" begins after the end; \"Content-Range\" says how many bytes there are.",
            "请求的 Range 超出范围,总字节数见 Content-Range。"))
}

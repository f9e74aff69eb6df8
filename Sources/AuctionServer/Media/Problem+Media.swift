internal import AuctionService
internal import EventLog
internal import MicroHTTP
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

    static let pictureRemoved = Problem(
        .malformedRequest, code: "media.removed",
        LocalizedText("The operator of this server has removed this picture; it is not taken again.", "该图片已被本服务器的运营者移除,不能再次上传。")
    )

    static let notYourPicture = Problem(
        .permissionDenied, code: "media.not_yours",
        LocalizedText(
            "Only the one user who uploaded a picture can give it a preview: you did not upload it to this room, or another user uploaded it too.",
            "您未在该房间上传此图片,或其他人也上传过它,因此不能为其提供预览图。"))

    static func previewTooLarge(_ options: MediaOptions) -> Problem {
        Problem(
            .tooLarge, code: "media.too_large",
            LocalizedText(
                "A preview has at most \(options.previewBytes) bytes, and no side longer than \(options.previewSide) pixels.",
                "预览图最多 \(options.previewBytes) 字节,边长不得超过 \(options.previewSide) 像素。"))
    }

    /// For a body in none of the formats.
    static let notAPicture = Problem(
        .unsupportedMediaType, code: "media.unsupported",
        LocalizedText(
            "Send a JPEG, PNG, WebP or AVIF picture as the body.", "请求体须为 JPEG、PNG、WebP 或 AVIF 图片。"))

    static let rangeNotSatisfiable = Problem(
        .rangeNotSatisfiable, code: "media.range",
        LocalizedText("The range begins after the end of the picture.", "请求的范围超出图片末尾。"))

    static let pictureDiskFull = Problem(
        .unavailable, code: "media.disk_full",
        LocalizedText(
            "The server's disk has no space for pictures, so this one was not stored; auctions go on without it.",
            "服务器磁盘空间不足,图片未保存;竞拍不受影响。"), retryAfterSeconds: 60)

    static let tooManyUploads = Problem(
        .unavailable, code: "media.too_many_uploads",
        LocalizedText(
            "Too many pictures, of yours or in all, wait to be stored; send this one again in a moment.",
            "等待保存的图片过多,请稍后重新上传。"))

    static let picturesUnavailable = Problem(
        .unavailable, code: "media.unavailable",
        LocalizedText(
            "The pictures of this server cannot be read or stored right now; nothing was changed. The request id helps to find out why.",
            "暂时无法读取或保存图片,未做任何更改;可凭请求编号查询原因。"))

    /// Converts a failure of the store of pictures, which with SQLite is no failure of the log.
    init(pictures error: EventLogError) {
        switch error.code {
        case .full: self = .pictureDiskFull
        case .busy: self = .tooManyReads
        default: self = .picturesUnavailable
        }
    }

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

extension Problem {
    static func tooManyPictures(
        _ limiter: RateLimiter<ClientNetwork>, _ verdict: RateLimiter<ClientNetwork>.Verdict
    ) -> Problem {
        var problem = Problem(
            .tooManyRequests, code: "media.quota",
            LocalizedText(
                "Your network address uploaded more than \(limiter.count) bytes of pictures within a day.",
                "您的网络地址一天内上传的图片已超过 \(limiter.count) 字节。"),
            retryAfterSeconds: verdict.retryAfterSeconds)
        problem.headers += limiter.headers(verdict).map { ResponseHeader(name: $0.name, value: $0.value) }
        return problem
    }
}

internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions
internal import Pictures

// Pictures of items: uploaded to a room, read by everyone who has the address.
extension Routes {
    static let media: [Route] = [
        Route(
            .uploadPicture, largestBody: { $0.pictureBytes }, .callerInRoom(uploadPicture)),
        Route(
            .readPicture,
            .anonymous { context throws(Problem) in try readPicture(context) }),
    ]

    /// A picture; with `?previewOf=` the preview of one that the caller uploaded to the room before.
    ///
    /// Without an Idempotency-Key, whose responses are stored with a room's events: a repeat stores the same picture, at the same address.
    private static func uploadPicture(
        _ context: RequestContext, by caller: Caller, in room: VisibleRoom
    ) throws(Problem) -> Reply {
        let must = LocalizedText("must be the last part of a picture's address.", "须为图片地址的最后一部分。")
        let original = try context.query("previewOf").value("previewOf", must) { PictureID($0) }
        let (loop, options) = (context.loop, context.loop.shared.options.media)
        guard options.sources != .external else { throw .storesNoPictures }
        let manager = RoomManager(rulebook: context.rulebook)
        if let refusal = manager.refusalOfPictures(by: caller.id, in: room.state, at: context.now.wall) {
            guard loop.shared.service.isShared, !context.isFresh else {
                throw Problem(
                    refusal,
                    allowed: context.rulebook.allowedActions(of: caller.id, in: room.state, at: context.now.wall))
            }
            // Another node may have changed the caller's role a moment ago.
            try loop.refresh(room.id, context)
            return .later
        }
        try loop.takeCommand(of: caller.person, in: context)
        let body = context.exchange.body
        if original != nil, body.count > options.previewBytes { throw .previewTooLarge(options) }
        try takePictureBytes(body.count + PictureUpload.overheadBytes, context)
        let upload = PictureUpload(room: room.id, user: caller.id, at: context.now.wall)
        let problemContext = context.problemContext
        let (shared, now) = (loop.shared, context.now.monotonic)
        return loop.offload(context, for: caller, on: .pictures, isTimeless: true, failing: Problem.init(pictures:)) {
            log throws(EventLogError) in
            switch Result(catching: { () throws(PictureError) in try Picture(cleaning: body) }) {
            case .failure(let error):
                shared.limits.countMalformed(by: .user(upload.user), bytes: body.count, at: now)
                return Problem(error).response(problemContext)
            case .success(let cleaned):
                let picture = StoredPicture(
                    type: cleaned.format.rawValue, width: cleaned.width, height: cleaned.height, bytes: cleaned.bytes)
                if original != nil, max(picture.width, picture.height) > options.previewSide {
                    return Problem.previewTooLarge(options).response(problemContext)
                }
                let (pictures, limits) = (log.pictures, options.limits)
                let verdict =
                    if let original {
                        try pictures.store(preview: picture, of: original, by: upload, limits: limits)
                    } else {
                        try pictures.store(picture, by: upload, limits: limits)
                    }
                switch verdict {
                case .removed: return Problem.pictureRemoved.response(problemContext)
                case .unknownOriginal: return Problem.pictureNotFound.response(problemContext)
                case .notUploader: return Problem.notYourPicture.response(problemContext)
                case .overQuota(let quota): return Problem(quota, limits).response(problemContext)
                // A repeat too, as it would otherwise tell what others have stored.
                case .stored:
                    if let original { shared.responses.pictures.forgetPreview(of: original) }
                    return uploaded(picture, at: original.map { $0.path + "?preview" } ?? picture.id.path)
                }
            }
        }
    }

    /// Counts an upload against the limit of its address, also if it is refused later. The last one may go beyond the limit, and is waited
    /// for the longer.
    private static func takePictureBytes(_ count: Int, _ context: RequestContext) throws(Problem) {
        let limiter = context.loop.shared.limits.pictureBytes
        guard !limiter.isOff else { return }
        let network = context.loop.shared.origins.network(of: context.exchange)
        let verdict = limiter.take(network, tokens: count, at: context.now.monotonic)
        guard verdict.isAllowed else { throw .tooManyPictures(limiter, verdict) }
    }

    private static func uploaded(_ picture: StoredPicture, at address: String) -> Response {
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("url", address)
            json.member("type", picture.type)
            json.member("width", picture.width)
            json.member("height", picture.height)
            json.member("bytes", picture.bytes.count)
        }
        var response = Response.json(json.bytes, status: 201)
        response.headers.append(("Location", address))
        return response
    }

    /// `?preview`: the preview, or the picture itself where there is none.
    private static func readPicture(_ context: RequestContext) throws(Problem) -> Reply {
        guard let id = PictureID(context.parameters[0]) else { throw .pictureNotFound }
        let query = try context.query("preview")
        let isPreview = try query["preview"] == "" ? true : query.flag("preview")
        let wish = PictureWish(context.exchange)
        let problemContext = context.problemContext
        let pictures = context.loop.shared.responses.pictures
        let now = context.now.monotonic
        if let picture = pictures.known(id, isPreview: isPreview, at: now) {
            return .now(response(picture, of: id, isPreview: isPreview, wish, problemContext))
        }
        return context.loop.offload(context, for: nil, isTimeless: true, failing: Problem.init(pictures:)) {
            log throws(EventLogError) in
            // Confirmed only if the picture is still there: an operator may have removed it.
            if !isPreview, wish.isKnown(id) {
                let isStored = try log.pictures.unknown(among: [id]).isEmpty
                return isStored
                    ? Response(status: 304, headers: cacheHeaders(id, .forever))
                    : Problem.pictureNotFound.response(problemContext)
            }
            // Whole also for a part of it: a client that reads in parts gets the next ones from memory, and SQLite would follow the pages of the
            // whole picture for any part.
            guard let picture = try pictures.picture(id, isPreview: isPreview, in: log.pictures, at: now) else {
                return Problem.pictureNotFound.response(problemContext)
            }
            return response(picture, of: id, isPreview: isPreview, wish, problemContext)
        }
    }

    private static func response(
        _ picture: SharedPictures.Loaded, of id: PictureID, isPreview: Bool, _ wish: PictureWish,
        _ problemContext: ProblemContext
    ) -> Response {
        let caching = cacheHeaders(picture.id, isPreview ? picture.id == id ? .aMinute : .aDay : .forever)
        if wish.isKnown(picture.id) { return Response(status: 304, headers: caching) }
        let headers = [("Content-Type", picture.type)] + pictureHeaders + caching
        guard let range = wish.range(of: picture.id) else {
            var response = Response(status: 200, headers: headers)
            response.prefix = picture.bytes
            return response
        }
        let count = picture.bytes.count
        guard let part = range.part(of: count) else {
            var response = Problem.rangeNotSatisfiable.response(problemContext)
            response.headers.append(("Content-Range", "bytes */\(count)"))
            return response
        }
        let place = ("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)")
        return Response(status: 206, headers: headers + [place], body: picture.bytes.bytes(in: part))
    }

    /// How long a client need not ask again.
    private enum Caching: String {
        /// A picture: its address is its digest.
        case forever = "public, max-age=31536000, immutable"
        /// A preview, which its uploader may replace.
        case aDay = "public, max-age=86400"
        /// A picture without a preview, which may follow.
        case aMinute = "public, max-age=60"
    }

    private static func cacheHeaders(_ id: PictureID, _ caching: Caching) -> [(name: String, value: String)] {
        [("ETag", id.tag), ("Cache-Control", caching.rawValue)]
    }

    /// A browser must take the bytes for nothing but a picture, and run nothing in it if it is opened by itself. Pages of any origin may
    /// show it.
    private static let pictureHeaders: [(name: String, value: String)] = [
        ("Accept-Ranges", "bytes"), ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; sandbox"), ("Content-Disposition", "inline"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
}

/// What a client has of a picture already, and which part it wants.
private struct PictureWish: Sendable {
    private let known: String?
    private let ifRange: String?
    private let part: ByteRange?

    init(_ exchange: Exchange) {
        known = exchange.list("If-None-Match")
        ifRange = exchange.header("If-Range")
        part = exchange.method == .get ? exchange.header("Range").flatMap(ByteRange.init) : nil
    }

    /// Whether the client has the bytes with this digest.
    func isKnown(_ id: PictureID) -> Bool { known?.namesTag(id.tag) ?? false }

    /// Nil: all of them.
    func range(of id: PictureID) -> ByteRange? { ifRange.map { $0 == id.tag } ?? true ? part : nil }
}

extension PictureID {
    /// The entity tag of the bytes with this digest.
    fileprivate var tag: String { "\"\(self)\"" }
}

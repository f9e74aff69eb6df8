internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Pictures

// Pictures of items: uploaded to a room, read by everyone who has the address.
extension Routes {
    static let media: [Route] = [
        Route(
            .post, "/v1/rooms/{id}/media", keepsResponse: false, largestBody: { $0.pictureBytes }, .callerInRoom(uploadPicture)),
        Route(
            .get, "/v1/media/{sha256}", mediaTypes: PictureFormat.allCases.map(\.rawValue),
            .anonymous { context throws(Problem) in try readPicture(context) }),
    ]

    /// Without an Idempotency-Key, whose responses are stored with a room's events: a repeat stores the same picture, at the same address.
    private static func uploadPicture(
        _ context: RequestContext, by caller: Caller, in room: VisibleRoom
    ) throws(Problem) -> Reply {
        _ = try context.query()
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
        try takePictureBytes(body.count + PictureUpload.overheadBytes, context)
        let upload = PictureUpload(room: room.id, user: caller.id, at: context.now.wall)
        let problemContext = context.problemContext
        let (shared, now) = (loop.shared, context.now.monotonic)
        return loop.offload(context, for: caller, on: .pictures, isTimeless: true, failing: Problem.init(pictures:)) {
            log throws(EventLogError) in
            switch Result(catching: { () throws(PictureError) in try Picture(cleaning: body) }) {
            case .failure(let error):
                shared.countMalformed(by: .user(upload.user), bytes: body.count, at: now)
                return Problem(error).response(problemContext)
            case .success(let cleaned):
                let picture = StoredPicture(
                    type: cleaned.format.rawValue, width: cleaned.width, height: cleaned.height, bytes: cleaned.bytes)
                switch try log.pictures.store(picture, by: upload, limits: options.limits) {
                case .removed: return Problem.pictureRemoved.response(problemContext)
                case .overQuota(let quota): return Problem(quota, options.limits).response(problemContext)
                // A repeat too, as it would otherwise tell what others have stored.
                case .stored: return uploaded(picture)
                }
            }
        }
    }

    /// Counts an upload against the limit of its address, also if it is refused later. The last one may go beyond the limit, and is waited
    /// for the longer.
    private static func takePictureBytes(_ count: Int, _ context: RequestContext) throws(Problem) {
        let limiter = context.loop.shared.pictureLimiter
        guard !limiter.isOff else { return }
        let network = context.exchange.clientNetwork(context.loop.shared)
        let verdict = limiter.take(network, tokens: count, at: context.now.monotonic)
        guard verdict.isAllowed else { throw .tooManyPictures(limiter, verdict) }
    }

    private static func uploaded(_ picture: StoredPicture) -> Response {
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("url", picture.id.path)
            json.member("type", picture.type)
            json.member("width", picture.width)
            json.member("height", picture.height)
            json.member("bytes", picture.bytes.count)
        }
        var response = Response.json(json.bytes, status: 201)
        response.headers.append(("Location", picture.id.path))
        return response
    }

    private static func readPicture(_ context: RequestContext) throws(Problem) -> Reply {
        guard let id = PictureID(context.parameters[0]) else { throw .pictureNotFound }
        _ = try context.query()
        let tag = "\"\(id)\""
        let exchange = context.exchange
        let (known, unchanged) = (exchange.list("If-None-Match"), Response(status: 304, headers: cacheHeaders(tag)))
        // Confirmed only if the picture is still there: an operator may have removed it.
        let isKnown = known?.namesTag(tag) ?? false
        let isWhole = exchange.method != .get || exchange.header("If-Range").map { $0 != tag } ?? false
        let range = isWhole ? nil : exchange.header("Range").flatMap(ByteRange.init)
        let problemContext = context.problemContext
        let pictures = context.loop.shared.pictures
        let now = context.now.monotonic
        if let picture = pictures.known(id, at: now) {
            return .now(isKnown ? unchanged : response(picture, tag, range, problemContext))
        }
        return context.loop.offload(context, for: nil, isTimeless: true, failing: Problem.init(pictures:)) {
            log throws(EventLogError) in
            if isKnown {
                let isStored = try log.pictures.unknown(among: [id]).isEmpty
                return isStored ? unchanged : Problem.pictureNotFound.response(problemContext)
            }
            // Whole also for a part of it: a client that reads in parts gets the next ones from memory, and SQLite would follow the pages of the
            // whole picture for any part.
            guard let picture = try pictures.picture(id, in: log.pictures, at: now) else {
                return Problem.pictureNotFound.response(problemContext)
            }
            return response(picture, tag, range, problemContext)
        }
    }

    private static func response(
        _ picture: SharedPictures.Loaded, _ tag: String, _ range: ByteRange?, _ problemContext: ProblemContext
    ) -> Response {
        let headers = [("Content-Type", picture.type)] + pictureHeaders + cacheHeaders(tag)
        guard let range else {
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

    private static func cacheHeaders(_ tag: String) -> [(name: String, value: String)] {
        [("ETag", tag), ("Cache-Control", "public, max-age=31536000, immutable")]
    }

    /// A browser must take the bytes for nothing but a picture, and run nothing in it if it is opened by itself. Pages of any origin may
    /// show it.
    private static let pictureHeaders: [(name: String, value: String)] = [
        ("Accept-Ranges", "bytes"), ("X-Content-Type-Options", "nosniff"),
        ("Content-Security-Policy", "default-src 'none'; sandbox"), ("Content-Disposition", "inline"),
        ("Cross-Origin-Resource-Policy", "cross-origin"),
    ]
}

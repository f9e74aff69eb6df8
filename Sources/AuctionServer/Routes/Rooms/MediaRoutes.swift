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
        Route(.post, "/v1/rooms/{id}/media", largestBody: { $0.pictureBytes }, .callerInRoom(uploadPicture)),
        Route(
            .get, "/v1/media/{sha256}", mediaTypes: PictureFormat.allCases.map(\.rawValue),
            .anybody { context throws(Problem) in try readPicture(context) }),
    ]

    /// Without an Idempotency-Key: a repeat stores the same picture, at the same address.
    private static func uploadPicture(
        _ context: RequestContext, by caller: Caller, in room: VisibleRoom
    ) throws(Problem) -> Reply {
        _ = try context.query()
        let (loop, options) = (context.loop, context.loop.shared.options.media)
        guard options.sources != .external else { throw .storesNoPictures }
        // Pictures are for lots and items, so who may queue a lot may upload them; that the room has no place for a lot is no reason.
        let question = RuleContext(room: room.state, rulebook: context.rulebook, caller: caller.id, at: context.now.wall)
        if let denial = context.rulebook.denial(of: .queueLot, in: question), denial.category != .limit {
            guard loop.shared.service.isShared, !context.isFresh else {
                throw Problem(
                    Refusal(denial),
                    allowed: context.rulebook.allowedActions(of: caller.id, in: room.state, at: context.now.wall))
            }
            // Another node may have changed the caller's role a moment ago.
            try loop.refresh(room.id, context)
            return .later
        }
        guard context.exchange.header("Content-Type")?.lowercased().hasPrefix("image/") == true else { throw .notAPicture }
        try loop.takeCommand(of: caller.person, in: context)
        let body = context.exchange.body
        let upload = PictureUpload(room: room.id, user: caller.id, at: context.now.wall)
        let problemContext = ProblemContext(
            language: context.language, instance: context.exchange.path, requestID: context.requestID)
        return loop.offload(context, for: caller, storesPicture: true) { log throws(EventLogError) in
            switch Result(catching: { () throws(PictureError) in try Picture(cleaning: body) }) {
            case .failure(let error): return Problem(error).response(problemContext)
            case .success(let cleaned):
                let picture = StoredPicture(
                    type: cleaned.format.rawValue, width: cleaned.width, height: cleaned.height, bytes: cleaned.bytes)
                switch try log.pictures.store(picture, by: upload, limits: options.limits) {
                case .overQuota(let quota): return Problem(quota, options.limits).response(problemContext)
                // A repeat too, as it would otherwise tell what others have stored.
                case .stored, .known: return uploaded(picture, status: 201)
                }
            }
        }
    }

    private static func uploaded(_ picture: StoredPicture, status: Int) -> Response {
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("url", picture.id.path)
            json.member("type", picture.type)
            json.member("width", picture.width)
            json.member("height", picture.height)
            json.member("bytes", picture.bytes.count)
        }
        var response = Response.json(json.bytes, status: status)
        response.headers.append(("Location", picture.id.path))
        return response
    }

    private static func readPicture(_ context: RequestContext) throws(Problem) -> Reply {
        guard let id = PictureID(context.parameters[0]) else { throw .pictureNotFound }
        _ = try context.query()
        let tag = "\"\(id)\""
        let exchange = context.exchange
        // The address is the digest of the content, so a client that has the tag has the picture.
        if let known = exchange.header("If-None-Match"), known != "*", matches(known, tag) {
            return .now(Response(status: 304, headers: cacheHeaders(tag)))
        }
        let isWhole = exchange.header("If-Range").map { $0 != tag } ?? false
        let range = isWhole ? nil : exchange.header("Range").flatMap(ByteRange.init)
        let problemContext = ProblemContext(
            language: context.language, instance: exchange.path, requestID: context.requestID)
        let pictures = context.loop.shared.pictures
        if let picture = pictures.known(id) { return .now(response(picture, tag, range, problemContext)) }
        return context.loop.offload(context, for: nil) { log throws(EventLogError) in
            guard let picture = try pictures.picture(id, in: log.pictures) else {
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
        return Response(status: 206, headers: headers + [place], body: Array(picture.bytes.bytes[part]))
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

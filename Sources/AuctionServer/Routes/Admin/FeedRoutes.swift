internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// The events of all rooms.
extension Routes {
    static let feed: [Route] = [Route(.readFeed, .service(readFeed))]

    /// Most events of a response, and how many there are unless the reader says.
    static let feedLimit = (most: 1000, usual: 100)

    private static func readFeed(_ context: RequestContext, by token: ServiceToken) throws(Problem) -> Reply {
        let isStream = EventStream.isPreferred(context.exchange.list("Accept"))
        let items = try context.query("after", "wait", "limit", "types", "rooms", "lastEventId")
        let wait = try items.int("wait", in: 0...60, default: 0)
        let limit = try items.int("limit", in: 1...feedLimit.most, default: feedLimit.usual)
        let filter = FeedFilter(types: try items.names("types"), rooms: try items.names("rooms"))
        let lastEventID = isStream ? context.exchange.header("Last-Event-ID") ?? items["lastEventId"] : nil
        let start = try FeedStart(lastEventID ?? items["after"])
        let feed = FeedRequest(context, by: token, limit: limit, filter: filter)
        if isStream { return try FeedStream.open(context, feed, from: start) }
        return try feed.page(from: start, waitSeconds: wait)
    }
}

/// Where a reader of the feed begins.
enum FeedStart: Sendable {
    case beginning
    case latest
    case after(FeedCursor)

    /// - Parameter text: The query's `after`.
    init(_ text: String?) throws(Problem) {
        switch text {
        case nil: self = .beginning
        case "latest": self = .latest
        case let text?:
            guard let cursor = FeedCursor(text) else {
                throw .malformed(
                    "\"after\" must be \"latest\" or a cursor of this feed.", "\"after\" 须为 \"latest\" 或本订阅源的游标。",
                    field: "after")
            }
            self = .after(cursor)
        }
    }
}

/// A request for events of the feed.
struct FeedRequest {
    let context: RequestContext
    let token: ServiceToken
    let limit: Int
    let filter: FeedFilter

    init(_ context: RequestContext, by token: ServiceToken, limit: Int, filter: FeedFilter) {
        (self.context, self.token, self.limit, self.filter) = (context, token, limit, filter)
    }

    /// Whether its token is still accepted: it may have been revoked while the reader waited.
    var isStillAllowed: Bool {
        context.loop.shared.operators.tokens.accepts(token, at: context.loop.shared.clock.now().wall)
    }

    /// What is there, with the number of the feed.
    typealias Found = Result<(feed: UInt64, batch: FeedBatch), FeedError>

    /// Responds with a page, once there is an event or the time is over.
    func page(from start: FeedStart, waitSeconds: Int) throws(Problem) -> Reply {
        let context = context
        try read(from: start) { found in
            context.loop.proceed(context) { () throws(Problem) in
                let (feed, batch) = try found.getPage()
                guard batch.isEmpty, !batch.more, waitSeconds > 0 else { return respond(batch, feed) }
                try wait(after: batch.end(in: feed), milliseconds: 1000 * waitSeconds) { outcome in
                    context.loop.proceed(context) { () throws(Problem) in
                        // As a stranger's.
                        guard isStillAllowed else { throw .routeNotFound }
                        respond(try outcome.map { (feed: feed, batch: $0) }.getPage().batch, feed)
                    }
                }
            }
        }
        return .later
    }

    /// Reads from the log what follows a position.
    func read(from start: FeedStart, then proceed: @escaping (Found) -> Void) throws(Problem) {
        let (limit, filter) = (limit, filter)
        let service = context.loop.shared.service
        try context.loop.wait(context) { (finish: @escaping @Sendable (Found) -> Void) throws(Problem) in
            let isTaken = service.read(
                for: "feed", { log in Self.found(in: log, from: start, limit: limit, filter) }, then: finish)
            guard isTaken else { throw .tooManyReads }
        } then: { (found: Found) in
            report(found)
            proceed(found)
        }
    }

    private static func found(in log: any EventLog, from start: FeedStart, limit: Int, _ filter: FeedFilter) -> Found {
        do throws(FeedError) {
            let feed: UInt64
            var (position, notice) = (FeedPosition.beginning, NoticePosition.beginning)
            do throws(EventLogError) {
                feed = try log.feedID()
                switch start {
                case .beginning: if filter.takesNotices { notice = try log.noticeStart() }
                case .latest: (position, notice) = (try log.feedEnd(), try log.noticeEnd())
                case .after: break
                }
            } catch { throw .log(error) }
            if case .after(let cursor) = start {
                guard cursor.feed == feed else { throw .gone }
                (position, notice) = (cursor.position, cursor.notice)
            }
            return .success((feed, try log.batch(after: position, notice, limit: limit, filter)))
        } catch { return .failure(error) }
    }

    /// Waits for what follows a cursor.
    /// - Parameter isStream: Whether `FeedWatch.enterStream` has taken its place.
    func wait(
        after cursor: FeedCursor, milliseconds: Int, isStream: Bool = false, then proceed: @escaping (FeedWatch.Outcome) -> Void
    ) throws(Problem) {
        let (watch, limit, filter) = (context.loop.shared.operators.feed, limit, filter)
        try context.loop.wait(context) { (finish: @escaping @Sendable (FeedWatch.Outcome) -> Void) throws(Problem) in
            let isTaken = watch.wait(
                after: cursor.position, cursor.notice, limit: limit, filter, milliseconds: milliseconds, isStream: isStream,
                finish)
            guard isTaken else { throw .tooManyFeedReaders }
        } then: { (outcome: FeedWatch.Outcome) in
            report(outcome)
            proceed(outcome)
        }
    }

    private func report<Value>(_ outcome: Result<Value, FeedError>) {
        if case .failure(.log(let error)) = outcome { context.loop.shared.log.report(error, of: context.requestID) }
    }

    private func respond(_ batch: FeedBatch, _ feed: UInt64) {
        var response = Response.object(reserving: batch.events.reduce(128) { $0 + $1.event.publicBytes.count + 128 }) { json in
            json.name("events")
            json.array { json in
                for event in batch.events { json.object { $0.members(of: event, at: batch.cursor(of: event, in: feed)) } }
                for notice in batch.notices { json.object { $0.members(of: notice, at: batch.cursor(of: notice, in: feed)) } }
            }
            json.member("next", batch.end(in: feed).text)
            json.member("more", batch.more)
        }
        response.headers.append(("X-Request-Id", context.requestID))
        context.exchange.respond(response)
    }
}

extension JSONWriter {
    /// An event of the feed, with the bytes that the room's subscribers get.
    mutating func members(of event: FeedEvent, at cursor: FeedCursor) {
        member("cursor", cursor.text)
        member("room", event.room)
        name("event")
        raw(event.event.publicBytes)
    }

    /// What is no room's event.
    mutating func members(of notice: FeedNotice, at cursor: FeedCursor) {
        member("cursor", cursor.text)
        member("room", String?.none)
        name("event")
        raw(notice.event)
    }
}

extension Result where Failure == FeedError {
    /// What was found, or why not as a problem.
    func getPage() throws(Problem) -> Success {
        switch self {
        case .success(let page): return page
        case .failure(.gone): throw .cursorGone
        case .failure(.log(let error)): throw Problem(reading: error)
        }
    }
}

extension QueryItems {
    /// Names separated by commas; empty if the parameter is absent.
    fileprivate func names(_ parameter: String) throws(Problem) -> Set<String> {
        guard let text = self[parameter] else { return [] }
        let names = Set(text.split(separator: ",").map(String.init))
        guard (1...FeedFilter.limit).contains(names.count) else {
            throw .malformed(
                "\"\(parameter)\" must have 1 to \(FeedFilter.limit) names, separated by commas.",
                "\"\(parameter)\" 须为 1 至 \(FeedFilter.limit) 个以逗号分隔的名称。", field: parameter)
        }
        return names
    }
}

extension Problem {
    static let cursorGone = Problem(
        .gone, code: "feed.cursor_gone",
        LocalizedText(
            "This cursor is of another log, or events before it have been removed: begin anew, without \"after\" or with \"latest\".",
            "该游标属于另一日志,或其之前的事件已被移除:请去掉 \"after\" 或使用 \"latest\" 重新开始。"))
    static let tooManyFeedReaders = Problem(
        .tooManyRequests, code: "feed.too_many_readers",
        LocalizedText(
            "\(FeedWatch.readerLimit) readers of the feed wait here already.", "此处已有 \(FeedWatch.readerLimit) 个订阅源读取者在等待。"),
        retryAfterSeconds: 1)
}

internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import OutboundHTTP
internal import Permissions

// Endpoints that events are sent to. What is sent, and by which node, is in `WebhookRunner`.
extension Routes {
    static let webhooks: [Route] = [
        Route(.listWebhooks, .service(listWebhooks)),
        Route(.createWebhook, .service(createWebhook)),
        Route(.changeWebhook, .service(changeWebhook)),
        Route(.deleteWebhook, .service(deleteWebhook)),
        Route(.pauseWebhook, .service(pauseWebhook)),
        Route(.resumeWebhook, .service(resumeWebhook)),
        Route(.rotateWebhookSecret, .service(rotateWebhookSecret)),
        Route(.listDeliveries, .service(listDeliveries)),
        Route(.resendDeliveries, .service(resendDeliveries)),
        Route(.testWebhook, .service(testWebhook)),
        Route(.replayWebhook, .service(replayWebhook)),
    ]

    private static func listWebhooks(_ context: RequestContext, by _: ServiceToken) throws(Problem) -> Reply {
        try context.endQuery()
        return context.loop.offload(context, for: nil) { log throws(EventLogError) in
            let found = try log.records(RecordQuery(kind: Webhook.recordKind, limit: Webhook.readLimit))
            let progress = Dictionary(
                try log.records(RecordQuery(kind: WebhookProgress.recordKind, limit: Webhook.readLimit)).map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first })
            let webhooks = found.compactMap { record in
                StoredWebhook(record, progress[record.id])
            }
            return .object(reserving: 512 * webhooks.count + 64) { json in
                json.member("webhooks", each: webhooks) { webhook, json in json.object { $0.members(of: webhook) } }
            }
        }
    }

    private static func createWebhook(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        var fields = try context.bodyFields()
        let webhooks = context.loop.shared.operators.webhooks
        let url = try fields.taking { fields throws(JSONError) in try fields.string("url") }
        let (types, rooms) = (try fields.eventTypes("types"), try fields.roomIDs("rooms"))
        let description = try fields.optionalLine("description", Webhook.descriptionLimit)
        let start = try fields.feedStart(isRequired: false)
        try fields.end()
        try context.endQuery()
        try webhooks.check(url)
        let webhook = Webhook(
            id: Webhook.prefix + context.loop.nextWideSeed().hexadecimal, url: url,
            filter: FeedFilter(types: types ?? [], rooms: rooms ?? []), description: description, createdAt: context.now.wall,
            secrets: WebhookSecrets(context.loop.nextKey()), pause: nil)
        let entry = context.auditEntry(webhook.id, by: `operator`)
        let problemContext = context.problemContext
        return context.loop.offload(context, for: nil, isTimeless: true) { log throws(EventLogError) in
            guard let cursor = try log.cursor(at: start) else { return Problem.cursorGone.response(problemContext) }
            let progress = WebhookProgress(cursor: cursor)
            switch try log.create(webhook, progress, atMost: webhooks.limit, entry) {
            case .tooMany: return Problem.tooManyWebhooks(webhooks.limit).response(problemContext)
            case .busy: return Problem.unavailable.response(problemContext)
            case .created: webhooks.outlet.poke()
            }
            return .object(reserving: 1024, status: 201) { json in
                json.members(of: StoredWebhook(webhook: webhook, version: 1, progress: progress, progressVersion: 1))
                json.member("secret", webhook.secrets.text)
            }
        }
    }

    private static func changeWebhook(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        var fields = try context.bodyFields()
        let url = try fields.taking { fields throws(JSONError) in try fields.optionalString("url") }
        let (types, rooms) = (try fields.eventTypes("types"), try fields.roomIDs("rooms"))
        let isUndescribed = try fields.taking { fields throws(JSONError) in try fields.takeEmpty("description") }
        let description = try fields.optionalLine("description", Webhook.descriptionLimit)
        try fields.end()
        try context.endQuery()
        if let url { try context.loop.shared.operators.webhooks.check(url) }
        return change(context, by: `operator`) { stored, _ in
            stored.webhook.url = url ?? stored.webhook.url
            stored.webhook.filter.types = types ?? stored.webhook.filter.types
            stored.webhook.filter.rooms = rooms ?? stored.webhook.filter.rooms
            stored.webhook.description = isUndescribed ? nil : description ?? stored.webhook.description
        }
    }

    private static func pauseWebhook(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        try context.bodyFields().end()
        try context.endQuery()
        return change(context, by: `operator`) { stored, now in
            stored.webhook.pause = stored.webhook.pause ?? WebhookPause(reason: .byOperator, at: now)
        }
    }

    private static func resumeWebhook(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        try context.bodyFields().end()
        try context.endQuery()
        return change(context, by: `operator`, writesProgress: true) { stored, _ in
            stored.webhook.pause = nil
            // It has five days again.
            stored.progress.failingSince = nil
        }
    }

    private static func rotateWebhookSecret(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        try context.bodyFields().end()
        try context.endQuery()
        let key = context.loop.nextKey()
        return change(context, by: `operator`) { stored, now throws(Problem) in
            do throws(WebhookSecrets.TooMany) {
                try stored.webhook.secrets.rotate(to: key, at: now)
            } catch {
                throw .tooManySecrets(until: error.until, at: now)
            }
        } respond: { webhook in
            .object(reserving: 256) { json in
                json.member("secret", webhook.webhook.secrets.text)
                json.member("previousUntil", webhook.webhook.secrets.replaced.first?.until)
            }
        }
    }

    private static func replayWebhook(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        var fields = try context.bodyFields()
        let start = try fields.feedStart(isRequired: true)
        try fields.end()
        try context.endQuery()
        let entry = context.auditEntry(context.parameters[0], by: `operator`)
        let (id, problemContext, now) = (context.parameters[0], context.problemContext, context.now.wall)
        let outlet = context.loop.shared.operators.webhooks.outlet
        return context.loop.offload(context, for: nil, isTimeless: true) { log throws(EventLogError) in
            guard let cursor = try log.cursor(at: start) else { return Problem.cursorGone.response(problemContext) }
            let outcome = try log.changeWebhook(id) { stored in
                stored.progress.cursor = cursor
                return .success([stored.progressChange, entry.change])
            }
            // They are sent again by themselves.
            if case .made(let stored) = outcome, let after = FeedCursor(stored.progress.cursor)?.position {
                try log.deleteFailedDeliveries(of: id, after: after, at: now)
            }
            return outcome.response(problemContext, outlet)
        }
    }

    private static func deleteWebhook(_ context: RequestContext, by operator: ServiceToken) throws(Problem) -> Reply {
        try context.endQuery()
        let (id, problemContext) = (context.parameters[0], context.problemContext)
        let entry = context.auditEntry(id, by: `operator`)
        let outlet = context.loop.shared.operators.webhooks.outlet
        return context.loop.offload(context, for: nil, isTimeless: true) { log throws(EventLogError) in
            guard try log.webhook(id) != nil else { return Problem.webhookNotFound.response(problemContext) }
            // Without its progress no node can write anything of it any more.
            let kinds = [Webhook.recordKind, WebhookProgress.recordKind, DeliveryLog.recordKind]
            guard try log.write(kinds.map { .delete($0, id) } + [entry.change]) else {
                return Problem.unavailable.response(problemContext)
            }
            outlet.poke()
            try log.deleteParkedDeliveries(of: id)
            return Response(status: 204, headers: [("Cache-Control", "no-store")])
        }
    }

    /// Changes a webhook in the log, and responds with it. The feed learns of a new pause.
    /// - Parameter writesProgress: Whether the change concerns its progress too.
    private static func change(
        _ context: RequestContext, by operator: ServiceToken, writesProgress: Bool = false,
        _ change: @escaping @Sendable (inout StoredWebhook, Timestamp) throws(Problem) -> Void,
        respond: @escaping @Sendable (StoredWebhook) -> Response = WebhookChange.shown
    ) -> Reply {
        let (id, problemContext, now) = (context.parameters[0], context.problemContext, context.now.wall)
        let entry = context.auditEntry(id, by: `operator`)
        let outlet = context.loop.shared.operators.webhooks.outlet
        return context.loop.offload(context, for: nil, isTimeless: true) { log throws(EventLogError) in
            let outcome = try log.changeWebhook(id) { stored throws(EventLogError) in
                let wasPaused = stored.webhook.pause != nil
                do throws(Problem) { try change(&stored, now) } catch { return .failure(error) }
                let changes =
                    [stored.webhook.change(if: .version(stored.version)), entry.change]
                    + (writesProgress ? [stored.progressChange] : [])
                guard !wasPaused, let pause = stored.webhook.pause else { return .success(changes) }
                return .success(changes + (try log.changes(noticing: pause, of: id)))
            }
            if case .made = outcome { outlet.onNotice() }
            return outcome.response(problemContext, outlet, respond)
        }
    }
}

/// A webhook as it stands in the log.
struct StoredWebhook: Sendable {
    var webhook: Webhook
    let version: Int64
    var progress: WebhookProgress
    let progressVersion: Int64
}

extension StoredWebhook {
    /// Nil if one of the records is missing, or cannot be read.
    init?(_ record: StoredRecord?, _ progress: StoredRecord?) {
        guard let record, let progress, let webhook = Webhook(record), let read = WebhookProgress(progress) else { return nil }
        self.init(webhook: webhook, version: record.version, progress: read, progressVersion: progress.version)
    }

    /// The change of its progress. The node that sends reads it again, as it is not what that node has written.
    var progressChange: RecordChange { progress.change(of: webhook.id, if: .version(progressVersion)) }
}

/// What has become of the change of a webhook.
enum WebhookChange: Sendable {
    case made(StoredWebhook)
    /// Nothing was changed, as what it is now does not allow it.
    case refused(Problem)
    case notFound
    /// Others have changed it again and again.
    case busy

    /// The webhook itself.
    static let shown: @Sendable (StoredWebhook) -> Response = { webhook in
        .object(reserving: 512) { $0.members(of: webhook) }
    }

    /// The response to whom has asked for the change; the thread that sends learns of it.
    func response(
        _ context: ProblemContext, _ outlet: WebhookOutlet, _ respond: (StoredWebhook) -> Response = shown
    ) -> Response {
        switch self {
        case .made(let webhook):
            outlet.poke()
            return respond(webhook)
        case .refused(let problem): return problem.response(context)
        case .notFound: return Problem.webhookNotFound.response(context)
        case .busy: return Problem.webhookBusy.response(context)
        }
    }
}

/// What has come of a creation.
private enum WebhookCreation {
    case created, tooMany
    /// Others were created at the same time, each time.
    case busy
}

extension EventLog {
    /// How often a change is tried that meets one of the node that sends.
    private static var changeAttempts: Int { 8 }
    /// How often the creation of a webhook is tried that meets another one.
    private var creationAttempts: Int { 3 }

    /// Changes the records of a webhook, from what they are now.
    /// - Parameter change: Returns what is written if they still are so then, or why nothing is.
    func changeWebhook(
        _ id: String, _ change: (inout StoredWebhook) throws(EventLogError) -> Result<[RecordChange], Problem>
    ) throws(EventLogError) -> WebhookChange {
        for _ in 0..<Self.changeAttempts {
            guard var stored = try webhook(id) else { return .notFound }
            switch try change(&stored) {
            case .success(let changes): if try write(changes) { return .made(stored) }
            case .failure(let problem): return .refused(problem)
            }
        }
        return .busy
    }

    /// Writes the records of a new webhook, if there are fewer than the limit. Every creation writes the marker, whose version it has read
    /// before the count: of two at the same time one counts again. A deletion need not, as there are fewer then.
    fileprivate func create(
        _ webhook: Webhook, _ progress: WebhookProgress, atMost limit: Int, _ entry: AuditEntry
    ) throws(EventLogError) -> WebhookCreation {
        for _ in 0..<creationAttempts {
            let version = try record(Webhook.creations.kind, Webhook.creations.id)?.version
            let query = RecordQuery(kind: Webhook.recordKind, limit: Webhook.readLimit)
            guard try records(query).count < limit else { return .tooMany }
            let marker = RecordChange.put(
                Webhook.creations.kind, Webhook.creations.id, [], if: version.map { .version($0) } ?? .none)
            let changes = [
                webhook.change(if: .none), progress.change(of: webhook.id, if: .none), marker, entry.change,
            ]
            if try write(changes) { return .created }
        }
        return .busy
    }

    /// Nil if there is none with this id.
    func webhook(_ id: String) throws(EventLogError) -> StoredWebhook? {
        guard (1...RecordLimits.nameBytes).contains(id.utf8.count) else { return nil }
        return StoredWebhook(try record(Webhook.recordKind, id), try record(WebhookProgress.recordKind, id))
    }

    /// The cursor of a position to begin at; nil if it is not in this log.
    fileprivate func cursor(at start: FeedStart) throws(EventLogError) -> String? {
        let feed = try feedID()
        switch start {
        case .beginning: return FeedCursor(feed: feed, position: .beginning).text
        case .latest: return FeedCursor(feed: feed, position: try feedEnd()).text
        case .after(let cursor):
            guard cursor.feed == feed, case .events = try self.feed(after: cursor.position, limit: 1) else { return nil }
            return cursor.text
        }
    }

    /// Those that the call leaves, after an error, are found by no other webhook; they are some bytes.
    fileprivate func deleteParkedDeliveries(of webhook: String) throws(EventLogError) {
        while true {
            let query = RecordQuery(
                kind: ParkedDelivery.recordKind, prefix: ParkedDelivery.prefix(of: webhook), limit: RecordLimits.changes)
            let page = try records(query)
            guard !page.isEmpty else { return }
            _ = try write(page.map { .delete($0.kind, $0.id) })
        }
    }
}

extension JSONWriter {
    /// A webhook as the contract shows it.
    mutating func members(of stored: StoredWebhook) {
        let webhook = stored.webhook
        member("id", webhook.id)
        member("url", webhook.url)
        member("types", strings: webhook.filter.types.sorted())
        member("rooms", strings: webhook.filter.rooms.sorted())
        member("description", webhook.description)
        member("createdAt", webhook.createdAt)
        member("paused", webhook.pause) { pause, json in
            json.object { json in
                json.member("reason", pause.reason.rawValue)
                json.member("at", pause.at)
            }
        }
        member("failingSince", stored.progress.failingSince)
        member("parked", stored.progress.parked)
        member("cursor", stored.progress.cursor)
    }
}

extension LoopHandler {
    /// A key for signatures.
    fileprivate func nextKey() -> [UInt8] {
        (0..<WebhookSecrets.byteCount / 8).flatMap { _ in
            let word = nextSeed()
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
    }
}

extension Webhooks {
    /// Refuses a URL that no message goes to.
    fileprivate func check(_ url: String) throws(Problem) {
        do throws(DestinationRefusal) {
            try policy.check(url)
        } catch {
            let (hint, chineseHint) =
                error.isAllowable
                ? (
                    " The operator can allow hosts and addresses with --webhooks-allow.",
                    "运营者可通过 --webhooks-allow 允许特定主机或地址。"
                ) : ("", "")
            throw Problem(
                .malformedRequest, code: "webhook.url_refused",
                LocalizedText("The URL \(error).\(hint)", "该 URL 不可用:\(error.chinese)。\(chineseHint)"), field: "url")
        }
    }
}

extension JSONFields {
    /// Types of events; nil if absent.
    fileprivate mutating func eventTypes(_ name: String) throws(Problem) -> Set<String>? {
        try names(name, LocalizedText("types of events, such as \"item.sold\"", "事件类型,例如 \"item.sold\"")) { type in
            (1...64).contains(type.utf8.count)
                && type.utf8.allSatisfy {
                    (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
                }
        }
    }

    /// Ids of rooms; nil if absent.
    fileprivate mutating func roomIDs(_ name: String) throws(Problem) -> Set<String>? {
        try names(name, LocalizedText("ids of rooms", "房间编号")) { RoomID($0) != nil }
    }

    private mutating func names(
        _ name: String, _ what: LocalizedText, _ isName: (String) -> Bool
    ) throws(Problem) -> Set<String>? {
        try taking { fields throws(JSONError) -> Set<String>? in
            guard let elements = try fields.optionalArray(name) else { return nil }
            guard elements.count <= FeedFilter.limit else {
                throw fields.invalid(
                    name, "must have at most \(FeedFilter.limit) \(what.english)", "最多 \(FeedFilter.limit) 个\(what.chinese)")
            }
            var names: Set<String> = []
            for element in elements {
                guard case .string(let text) = element, isName(text) else {
                    throw fields.invalid(name, "must have \(what.english) only", "只能有\(what.chinese)")
                }
                names.insert(text)
            }
            return names
        }
    }

    /// The `after` of a body; from now on, if it may be absent.
    fileprivate mutating func feedStart(isRequired: Bool) throws(Problem) -> FeedStart {
        let text = try taking { fields throws(JSONError) in
            isRequired ? try fields.string("after") : try fields.optionalString("after")
        }
        return try FeedStart(text ?? "latest")
    }

    /// Whether a text is there and empty; it is taken then.
    fileprivate mutating func takeEmpty(_ name: String) throws(JSONError) -> Bool {
        guard members.contains(where: { $0.name == name && $0.value == .string("") }) else { return false }
        return try string(name).isEmpty
    }
}

extension Problem {
    static let webhookNotFound = Problem(
        .notFound, code: "webhook.not_found", LocalizedText("There is no webhook with this id.", "没有该编号的 webhook。"))
    static let webhookBusy = Problem(
        .unavailable, code: "service.unavailable",
        LocalizedText(
            "The webhook was changed at the same moment; send the request again.", "该 webhook 正被同时修改,请重新发送请求。"))
    fileprivate static func tooManySecrets(until end: Timestamp, at now: Timestamp) -> Problem {
        let limit = WebhookSecrets.replacedLimit
        return Problem(
            .tooManyRequests, code: "webhook.too_many_secrets",
            LocalizedText(
                "\(limit) replaced secrets still sign messages, as many as may; the oldest ends at \(end).",
                "仍有 \(limit) 个已替换的密钥在签名,已达上限;最早的一个于 \(end) 失效。"),
            retryAfterSeconds: Int((end.milliseconds(since: now) + 999) / 1000))
    }
    fileprivate static func tooManyWebhooks(_ limit: Int) -> Problem {
        Problem(
            .tooManyRequests, code: "webhook.too_many",
            LocalizedText(
                "There are \(limit) webhooks, as many as the operator allows; delete one first.",
                "webhook 已达运营者允许的 \(limit) 个,请先删除一个。"), retryAfterSeconds: 3600)
    }
}

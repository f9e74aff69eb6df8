internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

/// Request-specific parts of an encoded problem: language, path, request id, and the receipt of a bid.
struct ProblemContext {
    var language = Language.english
    var instance: String?
    var requestID: String?
    var receipt: Receipt?

    init(language: Language = .english, instance: String? = nil, requestID: String? = nil, receipt: Receipt? = nil) {
        self.language = language
        // A request target need not be a path: `*` and arbitrary text are possible.
        self.instance = instance.flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        self.requestID = requestID
        self.receipt = receipt
    }
}

/// When a bid was received and the room's state at the response: part of every response to a bid.
struct Receipt {
    let receivedAt: Timestamp
    let serverTime: Timestamp
    let endsAt: Timestamp?
    let seq: Int?

    func write(to json: inout JSONWriter) {
        json.member("receivedAt", receivedAt)
        json.member("serverTime", serverTime)
        json.member("endsAt", endsAt)
        json.member("seq", seq)
    }
}

extension Problem {
    static let contentType = "application/problem+json"
    private static let typeHeader = [ResponseHeader(name: "Content-Type", value: contentType)]

    func json(_ context: ProblemContext) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.object { json in
            json.member("type", type.path)
            json.member("title", type.title)
            json.member("status", status)
            json.member("code", code)
            json.member("detail", detail[context.language])
            if let instance = context.instance { json.member("instance", instance) }
            if let field { json.member("field", field) }
            if !rows.isEmpty { json.member("rows", each: rows) { write($0, context.language, to: &$1) } }
            if let permission {
                json.member("permission", object: { self.write(permission, to: &$0) })
            } else {
                if let required { json.member("required", required) }
                if let actual { json.member("actual", actual) }
            }
            context.receipt?.write(to: &json)
            if let requestID = context.requestID { json.member("requestId", requestID) }
        }
        return json.bytes
    }

    private func write(_ row: RowProblem, _ language: Language, to json: inout JSONWriter) {
        json.object { json in
            json.member("line", row.line)
            json.member("field", row.field)
            json.member("code", row.code)
            json.member("detail", row.text[language])
        }
    }

    private func write(_ permission: PermissionInfo, to json: inout JSONWriter) {
        json.member("action", permission.action.rawValue)
        json.member("rule", permission.rule)
        json.member("category", permission.category.rawValue)
        json.member("priority", permission.priority)
        json.member("required", required)
        json.member("actual", actual)
        json.member("allowedActions", permission.allowedActions)
    }

    func commandResponse(_ context: ProblemContext) -> CommandResponse {
        CommandResponse(
            status: status, headers: headers.isEmpty ? Self.typeHeader : Self.typeHeader + headers,
            body: json(context))
    }
}

extension Problem {
    /// Converts a refusal of the domain.
    /// - Parameter allowed: actions the caller may take now; empty if the room must not be revealed.
    init(_ refusal: Refusal, allowed: RoomActions = RoomActions()) {
        switch refusal.kind {
        case .denied(let denial):
            let isOfMessages = denial.category == .limit && denial.action == .sendMessage
            // Messages are counted by the second; a room's lots never become fewer.
            self.init(
                .permissionDenied, status: denial.category.status, code: refusal.code, refusal.text,
                retryAfterSeconds: denial.category == .limit ? (isOfMessages ? 1 : 3600) : nil)
            if isOfMessages, let limit = refusal.required.flatMap({ Int($0) }) { addRateOfMessages(limit) }
            permission = PermissionInfo(
                action: denial.action, rule: denial.rule, category: denial.category, priority: denial.priority,
                allowedActions: allowed)
        case .notFound: self.init(.notFound, code: refusal.code, refusal.text)
        case .conflict: self.init(.conflict, code: refusal.code, refusal.text)
        case .malformed(let field):
            self.init(.malformedRequest, code: refusal.code, refusal.text, field: field)
        case .rows(let rows):
            self.init(.importRefused, code: refusal.code, refusal.text)
            self.rows = rows
        case .forbidden: self.init(.permissionDenied, code: refusal.code, refusal.text)
        case .storageFull(let seconds):
            self.init(.tooManyRequests, code: refusal.code, refusal.text, retryAfterSeconds: seconds ?? 3600)
        case .unavailable(let seconds):
            self.init(.unavailable, code: refusal.code, refusal.text, retryAfterSeconds: seconds)
        }
        required = refusal.required
        actual = refusal.actual
    }

    /// Adds the headers that every rate limit has, for that of messages, which is a rule of the room. The next message may be
    /// allowed before the second that they name is over.
    private mutating func addRateOfMessages(_ limit: Int) {
        let headers = RateLimit.headers(
            of: "messages", count: limit, periodSeconds: Int(RoomMessages.rateWindow / 1000), remaining: 0, waitSeconds: 1)
        self.headers += headers.map { ResponseHeader(name: $0.name, value: $0.value) }
    }

    /// Converts a JSON error.
    init(_ error: JSONError) {
        let code =
            switch error.code {
            case .unknownField: "request.unknown_field"
            case .malformedMoney: "money.malformed"
            default: "request.malformed"
            }
        self.init(
            .malformedRequest, code: code, LocalizedText { $0 == .english ? error.detail : Self.chinese(error) },
            field: error.field)
    }

    /// What is wrong in Chinese; a reason that has no Chinese text is left in English.
    private static func chinese(_ error: JSONError) -> String {
        let (field, reason) = (error.field ?? "", error.chinese ?? error.detail)
        return switch error.code {
        case .unknownField: "没有字段 \"\(field)\"。"
        case .missingField: "缺少字段 \"\(field)\"。"
        case .duplicateName: "字段重复:\(reason)"
        case .malformedMoney: "金额 \"\(field)\" 无效:\(reason)"
        case .invalidField: field.isEmpty ? "请求体的值无效:\(reason)" : "字段 \"\(field)\" 的值无效:\(reason)"
        case .tooDeep, .tooMany: "JSON 嵌套过深或成员过多:\(reason)"
        default: "请求体不是有效的 JSON:\(reason)"
        }
    }

    /// Converts a failure of the service.
    init(_ failure: ServiceFailure) {
        switch failure {
        case .poisoned: self = .internalError
        case .logUnavailable: self = .unavailable
        case .outcomeUnknown:
            self.init(
                .unavailable, code: "service.outcome_unknown",
                LocalizedText(
                    "Whether this was carried out is not known yet: retry with the same Idempotency-Key.",
                    "尚不确定该命令是否已执行:请使用相同的 Idempotency-Key 重试。"))
        case .overloaded:
            self.init(
                .unavailable, code: "service.overloaded",
                LocalizedText("Too many commands are waiting; try again.", "等待处理的命令过多,请稍后重试。"))
        case .stopping:
            self.init(
                .unavailable, code: "service.stopping",
                LocalizedText("The server is stopping; try again in a moment.", "服务器正在停止,请稍后重试。"))
        case .keyReused:
            self.init(.keyReused, code: "idempotency.key_reused", ProblemType.keyReused.explanation)
        case .tooManyKeys:
            self.init(
                .unavailable, code: "idempotency.too_many_keys",
                LocalizedText(
                    "You have as many commands with an Idempotency-Key on their way in this room as you may; try again.",
                    "您在该房间正在处理的带 Idempotency-Key 的命令已达上限,请稍后重试。"))
        }
    }

    /// Converts a refusal by MicroHTTP.
    init(_ refusal: RequestRefusal) {
        let type =
            ProblemType.all.first { $0.status == refusal.status && $0.slug != ProblemType.permissionDenied.slug }
            ?? .malformedRequest
        self.init(type, status: refusal.status, code: refusal.code, LocalizedText(refusal.detail, refusal.detail))
    }
}

extension PermissionCategory {
    /// The HTTP status of a denial in this category.
    var status: Int {
        switch self {
        case .state: 409
        case .amount: 422
        case .limit: 429
        default: 403
        }
    }
}

extension JSONWriter {
    /// Appends a member with the names of actions.
    mutating func member(_ name: StaticString, _ actions: RoomActions) {
        member(
            name,
            array: { array in
                for place in actionMasks.indices where actions.mask & actionMasks[place] != 0 { array.raw(actionNames[place]) }
            })
    }
}

// Every action as a set, and its name as JSON, in the order in which they are listed.
private let actionMasks = RoomAction.allCases.map { RoomActions([$0]).mask }
private let actionNames = RoomAction.allCases.map { Array("\"\($0.rawValue)\"".utf8) }

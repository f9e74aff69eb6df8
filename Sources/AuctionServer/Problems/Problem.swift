internal import AuctionDomain
internal import EventLog
internal import MicroHTTP
internal import Permissions

/// Why a request was refused, in the form of RFC 9457 (problem details).
struct Problem: Error {
    let type: ProblemType
    let status: Int
    /// Stable code for programs, such as `bid.below_minimum`.
    let code: String
    var detail: LocalizedText
    var required: String?
    var actual: String?
    /// The body member or query parameter that is wrong.
    var field: String?
    var permission: PermissionInfo?
    /// The wrong rows of an import.
    var rows: [RowProblem] = []
    var headers: [ResponseHeader] = []
    /// Receipt of a bid that was refused before it reached its room; otherwise the room's response has it.
    var receipt: Receipt?

    /// The part of a denial that explains the decision.
    struct PermissionInfo {
        let action: RoomAction
        let rule: String
        let category: PermissionCategory
        let priority: Int
        let allowedActions: RoomActions
    }

    init(
        _ type: ProblemType, status: Int? = nil, code: String, _ detail: LocalizedText, field: String? = nil,
        retryAfterSeconds: Int? = nil, headers: [ResponseHeader] = []
    ) {
        self.type = type
        self.status = status ?? type.status
        self.code = code
        self.detail = detail
        self.field = field
        self.headers = headers
        if let seconds = retryAfterSeconds ?? type.retryAfterSeconds {
            self.headers.append(ResponseHeader(name: "Retry-After", value: String(seconds)))
        }
    }
}

// Problems detected before a command reaches its room.
extension Problem {
    static let routeNotFound = Problem(
        .notFound, code: "route.not_found",
        LocalizedText("There is nothing at this path; /openapi.yaml lists what there is.", "该路径不存在,可用路径见 /openapi.yaml。"))

    static let roomNotFound = Problem(.roomNotFound)

    static func methodNotAllowed(_ allow: [HTTPMethod]) -> Problem {
        let methods = allow.map(\.rawValue).joined(separator: ", ")
        return Problem(
            .methodNotAllowed, code: "request.method_not_allowed",
            LocalizedText("This path answers \(methods).", "该路径只支持 \(methods)。"),
            headers: [ResponseHeader(name: "Allow", value: methods)])
    }

    static func malformed(_ english: String, _ chinese: String, field: String? = nil) -> Problem {
        Problem(.malformedRequest, code: "request.malformed", LocalizedText(english, chinese), field: field)
    }

    static func unauthorized(_ code: String, _ english: String, _ chinese: String) -> Problem {
        let challenge = "Bearer realm=\"auction-room\"" + (code == "token.missing" ? "" : ", error=\"invalid_token\"")
        return Problem(
            .unauthorized, code: code, LocalizedText(english, chinese),
            headers: [ResponseHeader(name: "WWW-Authenticate", value: challenge)])
    }

    static let tokenMissing = Problem.unauthorized(
        "token.missing", "Send \"Authorization: Bearer <token>\".", "请携带 Authorization: Bearer <token>。")

    static func tooManyRequests(_ code: String, retryAfterSeconds: Int) -> Problem {
        Problem(
            .tooManyRequests, code: code,
            LocalizedText(
                "Too many requests of this kind; try again in \(retryAfterSeconds) s.",
                "请求过于频繁,请在 \(retryAfterSeconds) 秒后重试。"),
            retryAfterSeconds: retryAfterSeconds)
    }

    static let unavailable = Problem(
        .unavailable, code: "service.unavailable",
        LocalizedText("The event log cannot be reached right now; try again.", "事件日志暂时不可用,请稍后重试。"))

    static let tooManyReads = Problem(
        .unavailable, code: "service.too_many_reads",
        LocalizedText("Too many such reads are waiting; try again.", "等待处理的此类读取过多,请稍后重试。"))

    static let linkInProgress = Problem(
        .unavailable, code: "service.too_many_reads",
        LocalizedText(
            "Another request of yours links a guest right now; send this one again when that has been answered.",
            "您的另一个关联访客的请求正在处理;请在其完成后重新发送此请求。"))

    static func tooManyResponseBytes(_ limit: Int) -> Problem {
        Problem(
            .unavailable, code: "response.too_many_bytes",
            LocalizedText(
                "Answers and streams that wait for slow readers have reached \(limit) bytes (limit-response-bytes); try again in a "
                    + "moment.",
                "等待慢速读者的响应已达 \(limit) 字节上限(limit-response-bytes),请稍后重试。"))
    }

    /// For a command that has no Idempotency-Key, and needs none.
    static let linkOutcomeUnknown = Problem(
        .unavailable, code: "service.outcome_unknown",
        LocalizedText(
            "Whether a room was linked is not known yet: send the same request again; rooms that are linked stay as they are.",
            "尚不确定房间是否已关联:请再次发送同一请求,已关联的房间不受影响。"))

    static let internalError = Problem(
        .internalError, code: "service.internal_error",
        LocalizedText(
            "The server failed to carry this out; nothing was changed. The request id helps to find out why.",
            "服务器处理失败,未做任何更改;可凭请求编号查询原因。"))
}

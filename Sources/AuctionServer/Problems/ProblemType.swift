internal import AuctionContract
internal import Permissions

/// A problem type; its URL, served by this server, documents its meaning and what a client should do.
struct ProblemType: Sendable {
    let kind: ProblemKind
    let title: String
    let path: String
    let status: Int
    /// What it means and what a client should do about it.
    let explanation: LocalizedText
    /// What `Retry-After` says unless the problem knows better; nil: nothing.
    let retryAfterSeconds: Int?

    init(_ kind: ProblemKind, explanation: LocalizedText, retryAfterSeconds: Int? = nil) {
        self.kind = kind
        title = kind.title
        path = kind.path
        status = kind.status
        self.explanation = explanation
        self.retryAfterSeconds = retryAfterSeconds
    }

    var slug: String { kind.slug }

    static let all: [ProblemType] = [
        permissionDenied, malformedRequest, unauthorized, notFound, methodNotAllowed, notAcceptable, timeout, conflict, gone,
        lengthRequired, tooLarge, uriTooLong, unsupportedMediaType, keyReused, importRefused, tooManyRequests, headerTooLarge,
        internalError, unavailable, originNotAllowed, upgradeRequired, notImplemented, rangeNotSatisfiable,
    ]

    static let permissionDenied = ProblemType(
        .permissionDenied,
        explanation: LocalizedText(
            """
            A permission rule refused the action. "permission.rule" names the rule, "category" its kind: identity and role \
            answer 403, state 409, amount 422, limit 429. "required" and "actual" say what would have been right and what was \
            found, "allowedActions" what you may do now. GET /v1/rooms/{id}/permissions?action=…&explain=true shows every \
            rule with its verdict.
            """,
            "权限规则拒绝了该操作。permission.rule 为规则编号,required 与 actual 说明要求与实际情况,allowedActions 列出当前可执行的操作。"))
    static let malformedRequest = ProblemType(
        .malformedRequest,
        explanation: LocalizedText(
            """
            The request cannot be understood: its JSON is invalid, a field is missing, unknown, named twice or out of range, \
            or an amount is not one of the currency. "field" names the member. Sending it again unchanged will not help.
            """, "请求格式有误:JSON 无效,或字段缺失、未知、重复、超出范围。field 指出具体字段。"))
    static let unauthorized = ProblemType(
        .unauthorized,
        explanation: LocalizedText(
            """
            Send "Authorization: Bearer <token>". POST /v1/guests makes a guest and gives a token; POST /v1/tokens/renew \
            renews one before it expires.
            """, "需要身份验证:请携带 Authorization: Bearer <token>。"))
    static let notFound = ProblemType(
        .notFound,
        explanation: LocalizedText(
            "The path, or what it names, does not exist, or you may not know of it.", "路径或其指向的对象不存在,或您无权得知。"))
    static let methodNotAllowed = ProblemType(
        .methodNotAllowed,
        explanation: LocalizedText("The path exists for other methods; \"Allow\" lists them.", "该路径不支持此方法,可用方法见 Allow。"))
    static let notAcceptable = ProblemType(
        .notAcceptable,
        explanation: LocalizedText("Accept application/json.", "请接受 application/json。"))
    static let timeout = ProblemType(
        .timeout,
        explanation: LocalizedText("The request did not arrive in time; send it again.", "请求未及时送达,请重新发送。"))
    static let conflict = ProblemType(
        .conflict,
        explanation: LocalizedText(
            "The room is not as the request expects. Read it again, then decide anew.", "房间状态与请求预期不符,请重新读取后再决定。"))
    static let gone = ProblemType(
        .gone,
        explanation: LocalizedText(
            "What the request names was here once, and is not any more; begin anew.", "请求所指的内容曾经存在,现已不在,请重新开始。"))
    static let lengthRequired = ProblemType(
        .lengthRequired,
        explanation: LocalizedText("Send Content-Length or a chunked body.", "请发送 Content-Length 或分块请求体。"))
    static let tooLarge = ProblemType(
        .tooLarge,
        explanation: LocalizedText("The body, or the picture in it, is larger than the server takes.", "请求体或其中的图片过大。"))
    static let uriTooLong = ProblemType(
        .uriTooLong,
        explanation: LocalizedText("The request's target is longer than the server takes.", "请求地址过长。"))
    static let unsupportedMediaType = ProblemType(
        .unsupportedMediaType,
        explanation: LocalizedText(
            "Send Content-Type: application/json; a picture in a format that is taken.",
            "请使用 Content-Type: application/json;图片须为支持的格式。"))
    static let keyReused = ProblemType(
        .keyReused,
        explanation: LocalizedText(
            "The key was used with another body in the last 24 hours. Use a new key for a new command.",
            "该 Idempotency-Key 在 24 小时内已用于其他请求体,新命令请使用新的键。"))
    static let importRefused = ProblemType(
        .importRefused,
        explanation: LocalizedText(
            "Rows of the file are wrong; \"rows\" names each with its line and field. Nothing was imported: put them right and send the whole file again.",
            "文件中有错误的行,rows 列出其行号与字段;未导入任何内容,请更正后重新发送整个文件。"))
    static let tooManyRequests = ProblemType(
        .tooManyRequests,
        explanation: LocalizedText(
            "A rate limit was reached; wait as long as \"Retry-After\" says.", "触发频率限制,请按 Retry-After 等待。"))
    static let headerTooLarge = ProblemType(
        .headerTooLarge,
        explanation: LocalizedText("The request line and headers are larger than the server takes.", "请求头过大。"))
    static let internalError = ProblemType(
        .internalError,
        explanation: LocalizedText(
            "The server failed to carry this command out; nothing was changed.", "服务器处理该命令失败,未做任何更改。"))
    static let unavailable = ProblemType(
        .unavailable,
        explanation: LocalizedText(
            """
            The server cannot take this now. Wait as "Retry-After" says and repeat it; a command with an Idempotency-Key is \
            carried out once however often it is repeated.
            """, "服务暂时不可用,请按 Retry-After 等待后重试;带 Idempotency-Key 的命令只会执行一次。"),
        retryAfterSeconds: 1)
    static let originNotAllowed = ProblemType(
        .originNotAllowed,
        explanation: LocalizedText(
            """
            A web page of another origin called this server or opened a WebSocket. The operator may allow the origin with \
            --allowed-origins; `*` there allows reading without a token.
            """, "其他来源的网页调用了本服务器或请求了 WebSocket;运营者可通过 --allowed-origins 允许该来源,`*` 仅允许不带令牌的读取。"))
    static let notImplemented = ProblemType(
        .notImplemented,
        explanation: LocalizedText(
            """
            The server does not do this the way it is run. WebSockets need plain HTTP: the operator puts a proxy in front that ends \
            TLS. Server-sent events and long-polls work with and without.
            """, "服务器当前的运行方式不支持该功能。WebSocket 需由前置代理终止 TLS;SSE 与长轮询不受影响。"))
    static let upgradeRequired = ProblemType(
        .upgradeRequired,
        explanation: LocalizedText(
            "This path speaks WebSocket only: version 13, over HTTP/1.1.", "该路径仅支持 WebSocket(HTTP/1.1,版本 13)。"))
    static let rangeNotSatisfiable = ProblemType(
        .rangeNotSatisfiable,
        explanation: LocalizedText(
            "The \"Range\" begins after the end; \"Content-Range\" says how many bytes there are.",
            "请求的 Range 超出范围,总字节数见 Content-Range。"))
}

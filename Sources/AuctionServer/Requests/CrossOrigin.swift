internal import AuctionService
internal import MicroHTTP
internal import Permissions

/// Which web pages of other origins may call this server (CORS, Fetch standard, section 3.2), and the headers that tell browsers.
///
/// Pages of listed origins may make every call; with `*` in the list any page may read without a token. There are no cookies, so
/// credentials are never allowed.
struct CrossOrigin: Sendable {
    /// Anonymous reads are allowed to every page.
    static let wildcard = "*"
    private static let exposed = [
        "Accept-Ranges", "Age", "Allow", "Content-Disposition", "Content-Range", "Deprecation", "ETag", "Idempotency-Replayed",
        "Link", "Location", "RateLimit", "RateLimit-Policy",
        "Retry-After", "Sunset", "WWW-Authenticate", "X-Request-Id",
    ].joined(separator: ", ")
    private static let methods = "GET, POST, PUT, PATCH, DELETE"
    /// From the second line on: what monitoring libraries and frameworks add to every call. The server ignores them. Those that are asked for are
    /// not simply repeated: a proxy's own, such as X-Forwarded-For, are not for pages to set.
    private static let readHeaders =
        "Accept-Language, If-None-Match, If-Range, Last-Event-ID, Range, X-Request-Id, "
        + "Baggage, Sentry-Trace, Traceparent, Tracestate, X-Requested-With, Cache-Control, Pragma, "
        + "B3, X-B3-TraceId, X-B3-SpanId, X-B3-ParentSpanId, X-B3-Sampled, X-B3-Flags, "
        + "X-Datadog-Trace-Id, X-Datadog-Parent-Id, X-Datadog-Origin, X-Datadog-Sampling-Priority, X-Datadog-Tags, "
        + "Newrelic, Elastic-Apm-Traceparent, Request-Id, Request-Context, Uber-Trace-Id, X-Amzn-Trace-Id, X-Cloud-Trace-Context"
    private static let headers = "Authorization, Content-Type, Idempotency-Key, " + readHeaders
    /// Two hours: browsers keep a preflight no longer.
    private static let maxAge = "7200"

    /// Headers of responses to pages of a listed origin.
    private let listed: [String: SharedHeaders]
    /// Headers of anonymous reads by other pages; nil without `*`.
    private let anonymousRead: SharedHeaders?
    /// Headers of all other responses; nil if no origin is listed.
    private let other: SharedHeaders?

    init(_ allowed: [String]) {
        let origins = Set(allowed).subtracting([Self.wildcard])
        // A cache must not give the response for one origin to another.
        let vary = origins.isEmpty ? [] : [(name: "Vary", value: "Origin")]
        func headers(_ origin: String) -> SharedHeaders {
            SharedHeaders([("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", Self.exposed)] + vary)
        }
        listed = Dictionary(uniqueKeysWithValues: origins.map { ($0, headers($0)) })
        anonymousRead = allowed.contains(Self.wildcard) ? headers(Self.wildcard) : nil
        other = vary.isEmpty ? nil : SharedHeaders(vary)
    }

    /// The headers that the response to a request has besides its own; nil for none.
    func headers(for exchange: Exchange) -> SharedHeaders? {
        guard !listed.isEmpty || anonymousRead != nil, !Self.isExcluded(exchange.path) else { return nil }
        if let origin = exchange.header("Origin"), let headers = listed[origin] { return headers }
        return isAnonymousRead(exchange) ? anonymousRead ?? other : other
    }

    /// Whether a page of this origin may open a WebSocket; with `*` every page may without a ticket, which only reads.
    func allowsSocket(of origin: String, _ exchange: Exchange) -> Bool {
        listed[origin] != nil || anonymousRead != nil && isAnonymousRead(exchange)
    }

    /// The response to a preflight, by which a browser asks whether a page may make a call; nil if the request is none.
    /// - Throws: if pages of the origin may not make the call.
    func preflight(_ exchange: Exchange) throws(Problem) -> Response? {
        guard exchange.method == .options, let origin = exchange.header("Origin"),
            let method = exchange.header("Access-Control-Request-Method")
        else {
            return nil
        }
        let isListed = listed[origin] != nil
        guard isListed || anonymousRead != nil && (method == "GET" || method == "HEAD") else { throw .originNotAllowed(origin) }
        return Response(
            status: 204,
            headers: [
                ("Access-Control-Allow-Methods", isListed ? Self.methods : "GET"),
                ("Access-Control-Allow-Headers", isListed ? Self.headers : Self.readHeaders),
                ("Access-Control-Max-Age", Self.maxAge), ("Cache-Control", "no-store"),
            ])
    }

    /// The JavaScript client has headers of its own for every origin, and a second value would make browsers refuse it. Metrics are for the
    /// operator: without a token the browser on the server's own machine could read them for any page.
    private static func isExcluded(_ path: String) -> Bool { path == "/metrics" || path.hasPrefix(PageFile.publicPath) }

    /// A preflight of a read counts as one: it never has the token itself.
    private func isAnonymousRead(_ exchange: Exchange) -> Bool {
        let method =
            exchange.method == .options ? exchange.header("Access-Control-Request-Method") : exchange.method.rawValue
        guard method == "GET" || method == "HEAD" else { return false }
        return exchange.header("Authorization") == nil && QueryItems(exchange.query)["ticket"] == nil
    }
}

extension Problem {
    fileprivate static func originNotAllowed(_ origin: String) -> Problem {
        Problem(
            .originNotAllowed, code: "request.origin_not_allowed",
            LocalizedText(
                "Pages of \(origin.prefix(200)) may not make this call: the operator allows origins with --allowed-origins.",
                "不允许该来源(Origin)的页面发起此请求:运营者可通过 --allowed-origins 允许。"))
    }

    static func socketOriginNotAllowed(_ origin: String) -> Problem {
        Problem(
            .originNotAllowed, code: "request.origin_not_allowed",
            LocalizedText(
                "Pages of \(origin.prefix(200)) may not open WebSockets here.", "不允许该来源(Origin)的页面建立 WebSocket 连接。"))
    }
}

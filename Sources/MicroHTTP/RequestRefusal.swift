/// An error that the server finds before, or instead of, the handler.
public struct RequestRefusal: Sendable, Hashable {
    /// The HTTP status that fits.
    public let status: Int
    /// Stable, for programs: `request.malformed`, `request.too_large`, …
    public let code: String
    /// For a person: what was wrong and what would be right.
    public let detail: String
    /// Whether the connection ends with the answer.
    public let closes: Bool

    /// A refusal of one's own, for handlers that render their errors the same way.
    public init(status: Int, code: String, detail: String, closes: Bool = false) {
        self.status = status
        self.code = code
        self.detail = detail
        self.closes = closes
    }

    /// 400: the request can be read in more than one way, or in none.
    static func malformed(_ detail: String) -> RequestRefusal {
        RequestRefusal(status: 400, code: "request.malformed", detail: detail, closes: true)
    }

    /// 413.
    static func bodyTooLarge(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 413, code: "request.too_large", detail: "The body may have at most \(limit) bytes.", closes: true)
    }

    /// 414.
    static func targetTooLong(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 414, code: "request.target_too_long",
            detail: "The request's target with the rest of the head may have at most \(limit) bytes.", closes: true)
    }

    /// 414.
    static func tooManyParameters(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 414, code: "request.target_too_long", detail: "The query may have at most \(limit) parameters.",
            closes: true)
    }

    /// 431.
    static func headTooLarge(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 431, code: "request.header_too_large",
            detail: "The request line and the headers together may have at most \(limit) bytes.", closes: true)
    }

    /// 408: the body did not come in time.
    static func bodyLate(seconds: Double) -> RequestRefusal {
        RequestRefusal(
            status: 408, code: "request.timeout", detail: "The body must arrive within \(seconds) seconds.", closes: true)
    }

    /// 503: more connections than the server takes.
    static func tooManyConnections(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 503, code: "server.busy",
            detail: "The server has its \(limit) connections (limit-connections). Try again in a few seconds.", closes: true)
    }

    /// 503: more connections of one address than it may have.
    static func tooManyOfAddress(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 503, code: "connection.too_many",
            detail:
                "Your address has its \(limit) connections (limit-connections-per-address). Close some, or try again later.",
            closes: true)
    }

    /// 503: what is left of all connections is kept for short requests.
    static func crowded(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 503, code: "server.busy",
            detail: "A tenth of the server's \(limit) connections (limit-connections) is kept for short requests: poll without "
                + "waiting, or try again later.")
    }

    /// 503: what is left of the address' connections is kept for short requests.
    static func crowdedAddress(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 503, code: "connection.too_many",
            detail:
                "A tenth of your address' \(limit) connections (limit-connections-per-address) is kept for short requests: poll "
                + "without waiting, or try again later.")
    }

    /// 503: the server ends before the answer was there.
    public static let shuttingDown = RequestRefusal(
        status: 503, code: "server.stopping", detail: "The server is stopping. Send the request again to another or later.",
        closes: true)
}

/// An error that the server detects before, or instead of, calling the handler.
package struct RequestRefusal: Sendable, Hashable {
    /// The HTTP status of the response.
    package let status: Int
    /// Stable machine-readable code: `request.malformed`, `request.too_large`, …
    package let code: String
    /// Human-readable: what is wrong and how to correct it.
    package let detail: String
    /// Whether the connection closes after the response.
    package let closes: Bool

    /// 400: the request is ambiguous or malformed.
    static func malformed(_ detail: String) -> RequestRefusal {
        RequestRefusal(status: 400, code: "request.malformed", detail: detail, closes: true)
    }

    /// 413.
    static func bodyTooLarge(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 413, code: "request.too_large", detail: "The body may have at most \(limit) bytes.", closes: true)
    }

    /// 503: as many large bodies are in reception as may be.
    static let tooManyLargeBodies = RequestRefusal(
        status: 503, code: "server.busy",
        detail: "Too many large bodies are being received (limit-large-bodies-bytes; a quarter per user and per address). "
            + "Try again in a few seconds.", closes: true)

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

    /// 431: within the limit of bytes, but libmicrohttpd's records of it leave too little memory for the response.
    static let tooManyFields = RequestRefusal(
        status: 431, code: "request.header_too_large",
        detail: "The request has too many headers and parameters for its size.", closes: true)

    /// 408: the body was not received in time.
    static func bodyTimeout(seconds: Double) -> RequestRefusal {
        RequestRefusal(
            status: 408, code: "request.timeout", detail: "The body must arrive within \(seconds) seconds.", closes: true)
    }

    /// 503: the limit of connections is reached.
    static func tooManyConnections(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 503, code: "server.busy",
            detail: "The server has its \(limit) connections (limit-connections). Try again in a few seconds.", closes: true)
    }

    /// 503: the limit of connections per address is reached.
    static func tooManyOfAddress(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 503, code: "connection.too_many",
            detail:
                "Your address has its \(limit) connections (limit-connections-per-address). Close some, or try again later.",
            closes: true)
    }

    /// 503: the remaining connections are reserved for short requests.
    static func nearlyFull(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 503, code: "server.busy",
            detail: "A tenth of the server's \(limit) connections (limit-connections) is kept for short requests: poll without "
                + "waiting, or try again later.", closes: false)
    }

    /// 503: the address' remaining connections are reserved for short requests.
    static func addressNearlyFull(limit: Int) -> RequestRefusal {
        RequestRefusal(
            status: 503, code: "connection.too_many",
            detail:
                "A tenth of your address' \(limit) connections (limit-connections-per-address) is kept for short requests: poll "
                + "without waiting, or try again later.", closes: false)
    }

    /// 503: the server stops before the handler responded.
    package static let shuttingDown = RequestRefusal(
        status: 503, code: "server.stopping", detail: "The server is stopping. Send the request again to another or later.",
        closes: true)
}

extension Problem {
    /// The problem that a response describes. One without such a body, from a proxy for example, becomes a problem without a code.
    ///
    /// Firewalls describe problems in this form too, with codes of their own; the service's types are paths of its own.
    init(_ response: HTTPResponse) {
        status = response.head.status
        let isProblem = response.head.mediaType == "application/problem+json"
        let body = isProblem ? Self.parsed(response.body) : .null
        code = ProblemCode(rawValue: body["code"]?.string ?? "")
        isFromService = !code.rawValue.isEmpty && body["type"]?.string?.hasPrefix("/problems/") == true
        title = body["title"]?.string ?? "HTTP \(response.head.status)"
        detail = body["detail"]?.string ?? title
        field = body["field"]?.string
        requestId = body["requestId"]?.string ?? response.head.header("X-Request-Id")
        retryAfter = RetryAfter.duration(in: response.head)
        permission = body["permission"].flatMap(Denial.init(json:))
        receipt = Receipt(json: body)
        rows = (body["rows"]?.elements ?? []).compactMap(RowProblem.init(json:))
    }

    private static func parsed(_ body: [UInt8]) -> JSONValue {
        do throws(JSONError) { return try JSONParser.parse(body) } catch { return .null }
    }
}

extension Denial {
    init?(json: JSONValue) {
        guard let action = json["action"]?.string, let rule = json["rule"]?.string else { return nil }
        self.action = RoomAction(rawValue: action)
        self.rule = rule
        category = RuleCategory(rawValue: json["category"]?.string ?? "")
        required = json["required"]?.string
        actual = json["actual"]?.string
        allowedActions = (json["allowedActions"]?.elements ?? []).compactMap { $0.string.map(RoomAction.init(rawValue:)) }
    }
}

extension Receipt {
    init?(json: JSONValue) {
        guard let receivedAt = json["receivedAt"]?.string.flatMap(ServerTime.init(rfc3339:)),
            let serverTime = json["serverTime"]?.string.flatMap(ServerTime.init(rfc3339:))
        else { return nil }
        self.receivedAt = receivedAt
        self.serverTime = serverTime
        endsAt = json["endsAt"]?.string.flatMap(ServerTime.init(rfc3339:))
        seq = json["seq"]?.integer
    }
}

/// The header `Retry-After`: seconds, or a date, which is compared with the response's own `Date` and so with no clock of the device.
enum RetryAfter {
    /// The longest time that is waited because a response says so.
    static let maximum: Duration = .seconds(3600)

    static func duration(in head: HTTPHead) -> Duration? {
        guard let text = head.header("Retry-After") else { return nil }
        if let seconds = Int64(text) { return seconds < 0 ? nil : min(.seconds(min(seconds, 3600)), maximum) }
        guard let until = time(text), let now = head.header("Date").flatMap(time) else { return nil }
        return min(max(.zero, until.duration(since: now)), maximum)
    }

    /// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func time(_ text: String) -> ServerTime? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, let month = months.firstIndex(of: String(parts[2])) else { return nil }
        let clock = parts[4].split(separator: ":").map { ServerTime.number(Array($0.utf8)[...]) }
        guard let day = ServerTime.number(Array(parts[1].utf8)[...]), let year = ServerTime.number(Array(parts[3].utf8)[...]),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], day < 32, year < 10_000
        else { return nil }
        let days = ServerTime.days(year, Int64(month) + 1, day)
        return ServerTime(milliseconds: (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

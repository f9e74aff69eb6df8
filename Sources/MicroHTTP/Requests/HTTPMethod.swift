/// A request's method, case-sensitive, as in the request line.
public struct HTTPMethod: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    // Computed: strings this short are stored inline, so there is nothing to share and no lock on first use.
    /// GET (RFC 9110, section 9.3.1).
    public static var get: HTTPMethod { HTTPMethod(rawValue: "GET") }
    /// HEAD (RFC 9110, section 9.3.2); a router falls back to the GET route.
    public static var head: HTTPMethod { HTTPMethod(rawValue: "HEAD") }
    /// POST (RFC 9110, section 9.3.3).
    public static var post: HTTPMethod { HTTPMethod(rawValue: "POST") }
    /// PATCH (RFC 5789).
    public static var patch: HTTPMethod { HTTPMethod(rawValue: "PATCH") }
    /// PUT (RFC 9110, section 9.3.4).
    public static var put: HTTPMethod { HTTPMethod(rawValue: "PUT") }
    /// DELETE (RFC 9110, section 9.3.5).
    public static var delete: HTTPMethod { HTTPMethod(rawValue: "DELETE") }
    /// OPTIONS (RFC 9110, section 9.3.7).
    public static var options: HTTPMethod { HTTPMethod(rawValue: "OPTIONS") }
}

/// A request's method, case-sensitive, as in the request line.
package struct HTTPMethod: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package var description: String { rawValue }

    // Computed: strings this short are stored inline, so there is nothing to share and no lock on first use.
    /// GET (RFC 9110, section 9.3.1).
    package static var get: HTTPMethod { HTTPMethod(rawValue: "GET") }
    /// HEAD (RFC 9110, section 9.3.2); a router falls back to the GET route.
    package static var head: HTTPMethod { HTTPMethod(rawValue: "HEAD") }
    /// POST (RFC 9110, section 9.3.3).
    package static var post: HTTPMethod { HTTPMethod(rawValue: "POST") }
    /// PATCH (RFC 5789).
    package static var patch: HTTPMethod { HTTPMethod(rawValue: "PATCH") }
    /// PUT (RFC 9110, section 9.3.4).
    package static var put: HTTPMethod { HTTPMethod(rawValue: "PUT") }
    /// DELETE (RFC 9110, section 9.3.5).
    package static var delete: HTTPMethod { HTTPMethod(rawValue: "DELETE") }
    /// OPTIONS (RFC 9110, section 9.3.7).
    package static var options: HTTPMethod { HTTPMethod(rawValue: "OPTIONS") }
}

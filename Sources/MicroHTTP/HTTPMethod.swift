/// A request's method, in the letters of the request line.
public struct HTTPMethod: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { rawValue }

    // Computed: strings this short live in the value itself, so there is nothing to share and no lock on first use.
    public static var get: HTTPMethod { HTTPMethod(rawValue: "GET") }
    public static var head: HTTPMethod { HTTPMethod(rawValue: "HEAD") }
    public static var post: HTTPMethod { HTTPMethod(rawValue: "POST") }
    public static var patch: HTTPMethod { HTTPMethod(rawValue: "PATCH") }
    public static var put: HTTPMethod { HTTPMethod(rawValue: "PUT") }
    public static var delete: HTTPMethod { HTTPMethod(rawValue: "DELETE") }
    public static var options: HTTPMethod { HTTPMethod(rawValue: "OPTIONS") }
}

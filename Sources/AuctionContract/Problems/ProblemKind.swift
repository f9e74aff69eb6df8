/// A kind of problem, whose path the server explains: `/problems/` and its slug.
package enum ProblemKind: String, CaseIterable, Sendable {
    case permissionDenied = "permission-denied"
    case malformedRequest = "malformed-request"
    case unauthorized = "unauthorized"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case timeout = "request-timeout"
    case conflict = "conflict"
    case gone = "gone"
    case lengthRequired = "length-required"
    case tooLarge = "content-too-large"
    case uriTooLong = "uri-too-long"
    case unsupportedMediaType = "unsupported-media-type"
    case keyReused = "idempotency-key-reused"
    case importRefused = "import-refused"
    case tooManyRequests = "too-many-requests"
    case headerTooLarge = "header-too-large"
    case internalError = "internal-error"
    case unavailable = "unavailable"
    case originNotAllowed = "origin-not-allowed"
    case upgradeRequired = "upgrade-required"
    case notImplemented = "not-implemented"
    case rangeNotSatisfiable = "range-not-satisfiable"

    /// Last segment of the path.
    package var slug: String { rawValue }

    /// The `type` of a problem.
    package var path: String { "/problems/" + slug }

    /// The `title` of a problem.
    package var title: String { facts.title }

    /// The status that a problem has unless the denying rule has another one.
    package var status: Int { facts.status }

    private var facts: (title: String, status: Int) {
        switch self {
        case .permissionDenied: ("Permission denied", 403)
        case .malformedRequest: ("Malformed request", 400)
        case .unauthorized: ("Authentication required", 401)
        case .notFound: ("Not found", 404)
        case .methodNotAllowed: ("Method not allowed", 405)
        case .notAcceptable: ("Not acceptable", 406)
        case .timeout: ("Request timeout", 408)
        case .conflict: ("Conflict", 409)
        case .gone: ("Gone", 410)
        case .lengthRequired: ("Length required", 411)
        case .tooLarge: ("Content too large", 413)
        case .uriTooLong: ("URI too long", 414)
        case .unsupportedMediaType: ("Unsupported media type", 415)
        case .keyReused: ("Idempotency-Key reused", 422)
        case .importRefused: ("Import refused", 422)
        case .tooManyRequests: ("Too many requests", 429)
        case .headerTooLarge: ("Request header fields too large", 431)
        case .internalError: ("Internal error", 500)
        case .unavailable: ("Service unavailable", 503)
        case .originNotAllowed: ("Origin not allowed", 403)
        case .notImplemented: ("Not implemented", 501)
        case .upgradeRequired: ("Upgrade required", 426)
        case .rangeNotSatisfiable: ("Range not satisfiable", 416)
        }
    }
}

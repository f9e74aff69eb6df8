/// The result of routing a method and a path.
package enum RouteMatch: Sendable {
    /// The route's number and the path's parameters.
    case found(Int, PathParameters)
    /// No route has this path.
    case notFound
    /// The path has routes, but only for these methods.
    case methodNotAllowed(allow: [HTTPMethod])
}

extension Router: Sendable where Target: Sendable {}

/// Maps methods and paths to targets; a literal segment takes precedence over a parameter.
///
/// The search is in `RouteTable`, which is not generic, and neither is its result: a generic search would run unspecialised in other
/// modules and take a tenth of a request's time.
package struct Router<Target> {
    private var table = RouteTable()
    private var targets: [Target] = []

    /// A router without routes.
    package init() {}

    /// Adds a route. A pattern starts with `/`; a segment in braces is a parameter: `/v1/books/{id}/pages`.
    package mutating func on(_ method: HTTPMethod, _ pattern: String, _ target: Target) {
        table.add(method, pattern, route: targets.count)
        targets.append(target)
    }

    /// Finds the route of a path as sent (percent-encoded, without the query). HEAD falls back to the GET route.
    package func match(_ method: HTTPMethod, _ path: String) -> RouteMatch { table.find(method, path) }

    /// The target of a route that `match` found; traps for any other number.
    package subscript(route: Int) -> Target { targets[route] }
}

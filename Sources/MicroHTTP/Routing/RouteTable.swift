/// Maps methods and paths to route numbers, as a tree of path segments.
struct RouteTable: Sendable {
    private struct Node {
        var literals: [(segment: [UInt8], node: Int)] = []
        var parameter: Int?
        var routes: [(method: HTTPMethod, route: Int)] = []
    }

    private var nodes = [Node()]

    init() {}

    mutating func add(_ method: HTTPMethod, _ pattern: String, route: Int) {
        precondition(pattern.utf8.first == slash, "a pattern starts with a slash: \(pattern)")  // proven: the program's own
        var node = 0
        let segments = pattern == "/" ? [] : pattern.utf8.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        for segment in segments {
            node = segment.first == UInt8(ascii: "{") ? parameterNode(under: node) : literalNode(Array(segment), under: node)
        }
        let isNew = !nodes[node].routes.contains { $0.method == method }
        precondition(isNew, "two routes for \(method) \(pattern)")  // proven: the program's own
        nodes[node].routes.append((method, route))
    }

    func find(_ method: HTTPMethod, _ path: String) -> RouteMatch {
        let bytes = path.utf8Span.span
        guard bytes.count > 0, bytes[0] == slash else { return .notFound }
        var search = Search()
        let node = bytes.count == 1 ? 0 : find(bytes, from: 1, under: 0, depth: 0, &search)
        guard let node, !nodes[node].routes.isEmpty, !search.isBroken else { return .notFound }
        guard let route = route(of: node, method) else { return .methodNotAllowed(allow: allowed(at: node)) }
        return .found(route, search.parameters)
    }

    private struct Search {
        var parameters: [String] = []
        var isBroken = false
    }

    // Depth first, the literal before the parameter, so that `/a/b/c` matches `/a/{x}/c` although `/a/b/d` exists. Parameters are
    // decoded while returning from the recursion, so a path without a route allocates nothing.
    private func find(
        _ path: Span<UInt8>, from start: Int, under node: Int, depth: Int, _ search: inout Search
    ) -> Int? {
        var end = start
        while end < path.count, path[end] != slash { end += 1 }
        let segment = path.extracting(start..<end)
        for (literal, next) in nodes[node].literals where matches(literal.span, segment) {
            if let found = descend(path, from: end, to: next, depth: depth, &search) { return found }
        }
        // No parameter is empty.
        guard end > start, let next = nodes[node].parameter,
            let found = descend(path, from: end, to: next, depth: depth + 1, &search)
        else { return nil }
        if let parameter = PercentEncoding.decode(segment) {
            search.parameters[depth] = parameter
        } else {
            search.isBroken = true
        }
        return found
    }

    private func descend(
        _ path: Span<UInt8>, from end: Int, to node: Int, depth: Int, _ search: inout Search
    ) -> Int? {
        if end < path.count { return find(path, from: end + 1, under: node, depth: depth, &search) }
        guard !nodes[node].routes.isEmpty else { return nil }
        for _ in 0..<depth { search.parameters.append("") }
        return node
    }

    private func matches(_ literal: Span<UInt8>, _ segment: Span<UInt8>) -> Bool {
        guard literal.count == segment.count else { return false }
        for index in literal.indices where literal[index] != segment[index] { return false }
        return true
    }

    private func route(of node: Int, _ method: HTTPMethod) -> Int? {
        for candidate in nodes[node].routes where candidate.method == method { return candidate.route }
        guard method == .head else { return nil }
        return nodes[node].routes.first { $0.method == .get }?.route
    }

    private func allowed(at node: Int) -> [HTTPMethod] {
        var methods = nodes[node].routes.map(\.method)
        if let get = methods.firstIndex(of: .get), !methods.contains(.head) { methods.insert(.head, at: get + 1) }
        return methods
    }

    private mutating func literalNode(_ segment: [UInt8], under node: Int) -> Int {
        if let known = nodes[node].literals.first(where: { $0.segment == segment }) { return known.node }
        nodes.append(Node())
        nodes[node].literals.append((segment, nodes.count - 1))
        return nodes.count - 1
    }

    private mutating func parameterNode(under node: Int) -> Int {
        if let known = nodes[node].parameter { return known }
        nodes.append(Node())
        nodes[node].parameter = nodes.count - 1
        return nodes.count - 1
    }
}

private let slash = UInt8(ascii: "/")

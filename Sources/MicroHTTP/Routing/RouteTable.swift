/// Maps methods and paths to route numbers, as a tree of path segments.
struct RouteTable: Sendable {
    private struct Node {
        /// The first of the literals below, as an index into `literals`.
        var literal: Int?
        var parameter: Int?
        var routes: [(method: HTTPMethod, route: Int)] = []
    }

    /// A literal segment below a node. Plain numbers: a search counts no references.
    private struct Literal {
        let text: Range<Int>
        let node: Int
        /// The next literal below the same node.
        let next: Int?
    }

    private var nodes = [Node()]
    private var literals: [Literal] = []
    /// The texts of all literals.
    private var texts: [UInt8] = []

    init() {}

    mutating func add(_ method: HTTPMethod, _ pattern: String, route: Int) {
        precondition(pattern.utf8.first == slash, "a pattern starts with a slash: \(pattern)")  // proven: the program's own
        var node = 0
        precondition(pattern.utf8.count { $0 == UInt8(ascii: "{") } <= PathParameters.limit)  // proven: the program's own
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
        var parameters = PathParameters(of: path)
        let node = bytes.count == 1 ? 0 : find(bytes, from: 1, under: 0, &parameters)
        guard let node, !nodes[node].routes.isEmpty, parameters.areDecodable else { return .notFound }
        guard let route = route(of: node, method) else { return .methodNotAllowed(allow: allowed(at: node)) }
        return .found(route, parameters)
    }

    // Depth first, the literal before the parameter, so that `/a/b/c` matches `/a/{x}/c` although `/a/b/d` exists.
    private func find(_ path: Span<UInt8>, from start: Int, under node: Int, _ parameters: inout PathParameters) -> Int? {
        var end = start
        while end < path.count, path[end] != slash { end += 1 }
        let segment = path.extracting(start..<end)
        var next = nodes[node].literal
        while let literal = next.map({ literals[$0] }) {
            if matches(literal, segment), let found = descend(path, from: end, to: literal.node, &parameters) { return found }
            next = literal.next
        }
        // No parameter is empty.
        guard end > start, let next = nodes[node].parameter else { return nil }
        parameters.append(start..<end)
        if let found = descend(path, from: end, to: next, &parameters) { return found }
        parameters.removeLast()
        return nil
    }

    private func descend(_ path: Span<UInt8>, from end: Int, to node: Int, _ parameters: inout PathParameters) -> Int? {
        if end < path.count { return find(path, from: end + 1, under: node, &parameters) }
        return nodes[node].routes.isEmpty ? nil : node
    }

    private func matches(_ literal: Literal, _ segment: Span<UInt8>) -> Bool {
        guard literal.text.count == segment.count else { return false }
        for index in segment.indices where texts[literal.text.lowerBound + index] != segment[index] { return false }
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
        var next = nodes[node].literal
        while let literal = next.map({ literals[$0] }) {
            if matches(literal, segment.span) { return literal.node }
            next = literal.next
        }
        nodes.append(Node())
        let text = texts.count..<texts.count + segment.count
        literals.append(Literal(text: text, node: nodes.count - 1, next: nodes[node].literal))
        texts += segment
        nodes[node].literal = literals.count - 1
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

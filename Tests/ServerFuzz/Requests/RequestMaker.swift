import AuctionTestKit
import ExactJSON
import HTTPContract
import MicroHTTP

/// A request that a client is about to send.
struct FuzzRequest {
    var wire: DetachedLoop.Request
    /// Nil if the contract does not describe the path.
    var operation: Contract.Operation?
    /// Index into `FuzzWorld.users`; nil for a request without a valid token.
    var user: Int?
    var room: Int?

    /// Description of the request, for the trace and for findings.
    var text: String {
        let headers = wire.headers.filter { $0.name != "Authorization" }.map { "\($0.name): \($0.value.debugDescription)" }
        let body = String(decoding: wire.body.prefix(400), as: UTF8.self).debugDescription
        return "\(user.map { "user \($0)" } ?? "a stranger") \(wire.method) \(wire.target.prefix(400))"
            + " [\(headers.joined(separator: ", ").prefix(300))] \(wire.body.count) B \(body)"
    }
}

/// Builds requests from the contract: most of them plausible, the others mutated.
struct RequestMaker {
    let contract: Contract
    let world: FuzzWorld
    /// Maximum size of a body, in bytes.
    let bodyLimit: Int
    /// Whether the request is mutated into one that a correct client would not send.
    let isOdd: Bool

    func request(_ operation: Contract.Operation, by chosen: Int? = nil, _ generator: inout SeededGenerator) -> FuzzRequest {
        let room = world.rooms.isEmpty ? nil : generator.roll(0...(world.rooms.count - 1))
        let user = chosen ?? sender(of: operation.id, room, &generator)
        var method = operation.method
        if method == "GET", generator.once(in: 20) { method = "HEAD" }
        if isOdd, generator.once(in: 60) {
            method = generator.pick(["PUT", "OPTIONS", "TRACE", "get", "PATCH", "DELETE", "POST"])
        }
        let address =
            user.map { world.users[$0].address }
            ?? generator.pick(["192.0.2.7", "192.0.2.8", "2001:db8::7", "2001:db8::8", "fe80::1%eth0"])
        var request = DetachedLoop.Request(method: method, target: target(operation, room, &generator), address: address)
        if let schema = operation.node.at("requestBody.content")?["application/json"]?["schema"] {
            request.body = body(schema, operation, room, &generator)
        } else if isOdd, operation.method == "POST", generator.once(in: 10) {
            request.body = Array(generator.pick(["{}", "{\"a\":1}", "[]", " "]).utf8)
        }
        var type = request.body.isEmpty ? nil : "application/json"
        if operation.id == "importLots" { (request.body, type) = lotFile(room, &generator) }
        request.headers = headers(operation, user, type, &generator)
        return FuzzRequest(wire: request, operation: operation, user: user, room: room)
    }

    /// The serialized body of an operation.
    private func body(_ schema: JSONValue, _ operation: Contract.Operation, _ room: Int?, _ generator: inout SeededGenerator)
        -> [UInt8]
    {
        let value = bodyValue(schema, operation, room, &generator)
        return isOdd ? JSONText.odd(value, &generator) : JSONText.plain(value)
    }

    func bodyValue(_ schema: JSONValue, _ operation: Contract.Operation, _ room: Int?, _ generator: inout SeededGenerator)
        -> JSONValue
    {
        var value = sampler(room).value(schema, &generator)
        let media = operation.node.at("requestBody.content")?["application/json"]
        let examples =
            (media?["examples"]?.members ?? []).compactMap { $0.value["value"] } + [media?["example"]].compactMap(\.self)
        // An example is consistent; members that are sampled independently need not be.
        if !examples.isEmpty, generator.once(in: 2) { value = filled(generator.pick(examples), room, &generator) }
        guard isOdd else { return value }
        for _ in 0..<generator.pick([0, 1, 1, 1, 2, 4]) { value = JSONMutation.mutate(value, bytes: bodyLimit, &generator) }
        return value
    }

    /// The example, with its ids, rounds and amounts replaced by ones of the room.
    private func filled(_ example: JSONValue, _ room: Int?, _ generator: inout SeededGenerator) -> JSONValue {
        guard case .object(let members) = example else { return example }
        var filled: [JSONMember] = []
        for member in members {
            filled.append(JSONMember(name: member.name, value: known(member.name, room, &generator) ?? member.value))
        }
        return .object(filled)
    }

    private func sampler(_ room: Int?) -> JSONSampler {
        JSONSampler(contract: contract) { name, generator in known(name, room, &generator) }
    }

    private func known(_ name: String, _ room: Int?, _ generator: inout SeededGenerator) -> JSONValue? {
        let room = room.map { world.rooms[$0] }
        switch name {
        case "userId": return world.users.isEmpty ? nil : .string(generator.pick(world.users).id)
        case "inviteCode": return room?.inviteCode.map { .string($0) }
        case "round", "expectedRound": return room.map { .number(String($0.round)) }
        case "amount": return generator.once(in: 4) ? nil : room?.nextMinimum.map { .string($0) }
        case "maximum": return generator.once(in: 2) ? nil : .string(generator.pick(["500", "1000", "5000"]))
        // The bounds depend on each other.
        case "estimate": return ["low": "100", "high": .string(generator.pick(["100", "250"]))]
        default: return nil
        }
    }

    private func sender(of operation: String, _ room: Int?, _ generator: inout SeededGenerator) -> Int? {
        guard !world.users.isEmpty, !generator.once(in: 15) else { return nil }
        if let room, Self.hostsOwn.contains(operation), !generator.once(in: 5) { return world.rooms[room].host }
        if Self.owners.contains(operation), world.users.count > 1, !generator.once(in: 5) { return 1 }
        return generator.roll(0...(world.users.count - 1))
    }

    private static let table = Result { try AccessTable.specified() }
    private static let hostsOwn = permitted(to: .host, butNotTo: .auctioneer)
    private static let owners = permitted(to: .auctioneer, butNotTo: .bidder)

    private static func permitted(to kind: AccessTable.CallerKind, butNotTo other: AccessTable.CallerKind) -> Set<String> {
        (try? table.get().operations(of: kind, notOf: other)) ?? []
    }
}

extension RequestMaker {
    private func parameters(of operation: Contract.Operation) -> [JSONValue] {
        let shared = contract.root["paths"]?[operation.path]?["parameters"]?.elements ?? []
        return (shared + (operation.node["parameters"]?.elements ?? [])).compactMap { contract.resolved($0) }
    }

    private func target(_ operation: Contract.Operation, _ room: Int?, _ generator: inout SeededGenerator) -> String {
        let parameters = parameters(of: operation)
        var path = ""
        for segment in operation.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            path += "/"
            guard segment.hasPrefix("{") else {
                path += segment
                continue
            }
            let name = String(segment.dropFirst().dropLast())
            let parameter = parameters.first { $0.text("name") == name }
            path += isOdd && generator.once(in: 12) ? oddSegment(&generator) : segmentValue(name, parameter, room, &generator)
        }
        let query = query(parameters.filter { $0.text("in") == "query" }, room, &generator)
        return query.isEmpty ? path : path + "?" + query
    }

    private func segmentValue(_ name: String, _ parameter: JSONValue?, _ room: Int?, _ generator: inout SeededGenerator)
        -> String
    {
        if name == "id", let room { return world.rooms[room].id }
        if name == "userId", !world.users.isEmpty { return generator.pick(world.users).id }
        let ids = world.knownIDs(name)
        if !ids.isEmpty, !generator.once(in: 10) { return generator.pick(ids) }
        if name == "seat" { return String(generator.roll(0...9)) }
        let example = parameter?["example"] ?? parameter?["schema"]?["examples"]?.elements?.first
        switch example {
        case .string(let text): return text
        case .number(let literal): return literal
        default: return "x"
        }
    }

    private func oddSegment(_ generator: inout SeededGenerator) -> String {
        let others = world.ids.keys.sorted().compactMap { world.ids[$0]?.first }
        let choices =
            OddValues.texts + OddValues.numbers + others + [
                "room_" + String(repeating: "z", count: 26), "%2F", "..", "%ff", "%0",
            ]
        let text = generator.pick(choices)
        return generator.once(in: 3) ? text.filter { $0 > " " && $0 < "\u{7F}" } : Self.escaped(text)
    }

    private func query(_ parameters: [JSONValue], _ room: Int?, _ generator: inout SeededGenerator) -> String {
        var items: [String] = []
        for parameter in parameters {
            guard let name = parameter.text("name"), parameter["required"] == .bool(true) || generator.once(in: 3) else {
                continue
            }
            if name == "ticket", !generator.once(in: 4) { continue }
            items.append("\(name)=\(Self.escaped(queryValue(name, parameter["schema"] ?? .null, room, &generator)))")
            if isOdd, generator.once(in: 20) { items.append(items[0]) }
        }
        if isOdd, generator.once(in: 20) {
            items.append(generator.pick(["&", "=", "a", "=1", "%", "limit=%zz", "q=1", "AFTER=1", "after", "%61fter=1"]))
        }
        return items.joined(separator: "&")
    }

    private func queryValue(_ name: String, _ schema: JSONValue, _ room: Int?, _ generator: inout SeededGenerator) -> String {
        if isOdd, generator.once(in: 3) { return generator.pick(generator.once(in: 2) ? OddValues.numbers : OddValues.texts) }
        if name == "ticket", let ticket = world.tickets.last { return ticket }
        if name == "after", let room { return generator.pick(["latest", "0", String(world.rooms[room].seq)]) }
        switch sampler(room).value(schema, named: name, &generator) {
        case .string(let text): return text
        case .number(let literal): return literal
        case let other: return String(decoding: JSONText.plain(other), as: UTF8.self)
        }
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            let isPlain =
                byte < 0x7F
                && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
                    || "_.-".utf8.contains(byte))
            escaped += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return escaped
    }
}

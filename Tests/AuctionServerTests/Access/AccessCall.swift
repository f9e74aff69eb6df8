import AuctionContract
import ExactJSON
import HTTPContract

/// An operation of the contract as an HTTP request with the body of its example, and as a WebSocket frame where there is such a command.
struct AccessCall {
    let method: String
    let path: String
    let body: JSONValue?
    let headers: [(name: String, value: String)]
    /// Nil if the operation is no WebSocket command.
    let frame: JSONValue?

    /// The operations that are commands over WebSocket too.
    static let frames = Set(Operation.frames.map(\.name))

    /// Values of the parameters of a path, where not those of a room; a file that there is, by operation.
    private static let values = [
        "seat": "1", "round": "1", "offerId": "offer_01m7yn51psh16pxpxz9yp3xz7t", "ruleId": "bid.viewer", "slug": "conflict",
        "sha256": String(repeating: "0", count: 64), "file": "main.js",
    ]
    private static let files = [
        "readPageView": "room.js", "readPageClient": "clock.js", "readClientFile": "clock.js", "readArticle": "ATour.md",
    ]

    /// - Parameters:
    ///   - room: the path of the room that the request names.
    ///   - ids: of the objects in the path and the body, which may be those of another room.
    ///   - body: nil: the first example of the operation, without what it expects of the room.
    ///   - hasReason: whether an operator sends it, who says why.
    init(
        _ operation: Contract.Operation, in room: String, _ ids: [String: String], body chosen: JSONValue? = nil,
        hasReason: Bool = false
    ) {
        var values = Self.values.merging(ids) { $1 }
        values["id"] = String(room.dropFirst("/v1/rooms/".count))
        if let file = Self.files[operation.id] { values["file"] = file }
        method = operation.method
        var path = operation.path
        for (name, value) in values { path = path.replacing("{\(name)}", with: value) }
        let described = hasReason ? Operation.all.first { $0.name == operation.id && $0.takesOperators } : nil
        let isInQuery = operation.id == "retractBid" || described?.saysReasonInQuery == true
        self.path = path + (isInQuery ? "?reason=slip" : "")
        var body = chosen ?? Self.unsuitable(operation.id, ids) ?? Self.example(of: operation)
        if described?.saysReasonInQuery == false {
            let members = body?.members ?? []
            body = .object(members.filter { $0.name != "reason" } + [JSONMember(name: "reason", value: "Asked to.")])
        }
        self.body = body
        // One line of JSON is a file too.
        headers = operation.id == "importLots" ? [("Content-Type", "application/x-ndjson")] : []
        frame = Self.frames.contains(operation.id) ? Self.frame(operation, values, body) : nil
    }

    /// The members of the body, and the parameters of path and query.
    private static func frame(_ operation: Contract.Operation, _ values: [String: String], _ body: JSONValue?) -> JSONValue {
        var members = [JSONMember(name: "id", value: "c1"), JSONMember(name: "type", value: .string(operation.id))]
        members += body?.members ?? []
        for (name, value) in values where name != "id" && operation.path.contains("{\(name)}") {
            members.append(JSONMember(name: name, value: ["seat", "round"].contains(name) ? 1 : .string(value)))
        }
        if operation.id == "retractBid" { members.append(JSONMember(name: "reason", value: "slip")) }
        return .object(members)
    }

    private static func example(of operation: Contract.Operation) -> JSONValue? {
        let media = operation.node.at("requestBody.content")?["application/json"]
        let example = media?["example"] ?? media?["examples"]?.members?.first?.value["value"]
        guard let members = example?.members else { return example }
        return .object(members.filter { !$0.name.hasPrefix("expected") })
    }

    /// The bodies of operations whose examples name what a test's room does not have.
    private static func unsuitable(_ operation: String, _ ids: [String: String]) -> JSONValue? {
        switch operation {
        case "importLots": ["name": "Mine", "rules": ["startingPrice": "1"]]
        case "changeLot": ["name": "Ours"]
        case "configureSale": ["mode": "manual", "pauseSeconds": 20]
        case "seatMember": ["userId": .string(ids["guestId"] ?? ids["userId"] ?? ""), "role": "bidder"]
        case "inviteToStage": ["userId": .string(ids["userId"] ?? ""), "role": "bidder"]
        default: nil
        }
    }
}

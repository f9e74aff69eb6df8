import AuctionContract
import AuctionTestKit
import ExactJSON
import Testing

/// An operation of the contract as an HTTP request, and as a WebSocket frame where there is such a command.
struct AccessCall {
    let method: String
    let path: String
    let body: JSONValue?
    let headers: [(name: String, value: String)]
    /// Nil if the operation is no WebSocket command.
    let frame: String?

    /// The operations that are commands over WebSocket too.
    static let frames = Set(Operation.frames.map(\.name))

    /// A file that there is, by operation; of the others `main.js`.
    private static let files = [
        "readPageView": "room.js", "readPageClient": "clock.js", "readClientFile": "clock.js",
        "readArticle": "ATour.md",
    ]

    /// - Parameters:
    ///   - room: the room that the path names.
    ///   - owner: the room that the item, bid, message and stage ids belong to, which may be another one.
    init(_ operation: Contract.Operation, in room: AccessFixture, of owner: AccessFixture) {
        let values = [
            "id": String(room.path.dropFirst("/v1/rooms/".count)), "userId": owner.targetUser.id, "itemId": owner.item,
            "lotId": owner.lot,
            "bidId": owner.bid, "messageId": owner.message, "stageId": owner.stage, "seat": "1", "ruleId": "bid.viewer",
            "slug": "conflict", "sha256": String(repeating: "0", count: 64), "file": Self.files[operation.id] ?? "main.js",
        ]
        method = operation.method
        var path = operation.path
        for (name, value) in values { path = path.replacing("{\(name)}", with: value) }
        self.path = path + (operation.id == "retractBid" ? "?reason=slip" : "")
        let body = Self.body(of: operation.id, owner)
        self.body = body
        // One line of JSON is a file too.
        headers = operation.id == "importLots" ? [("Content-Type", "application/x-ndjson")] : []
        frame = Self.frames.contains(operation.id) ? Self.frame(operation, values, body) : nil
    }

    /// The members of the body, and the parameters of path and query.
    private static func frame(_ operation: Contract.Operation, _ values: [String: String], _ body: JSONValue?) -> String {
        var members = [JSONMember(name: "id", value: "c1"), JSONMember(name: "type", value: .string(operation.id))]
        members += body?.members ?? []
        for (name, value) in values where name != "id" && operation.path.contains("{\(name)}") {
            members.append(JSONMember(name: name, value: name == "seat" ? 1 : .string(value)))
        }
        if operation.id == "retractBid" { members.append(JSONMember(name: "reason", value: "slip")) }
        return JSONValue.object(members).written
    }

    private static func body(of operation: String, _ owner: AccessFixture) -> JSONValue? {
        switch operation {
        case "createGuest", "changeMe": ["nickname": "Somebody"]
        case "linkGuest": ["guestToken": "eyJ"]
        case "openRoom": ["name": "Room"]
        case "changeMember": ["role": "viewer"]
        case "configurePermissions": ["enabled": false]
        case "uploadItem": ["name": "Mine", "rules": ["startingPrice": "1"]]
        case "queueLot", "importLots": ["name": "Mine", "rules": ["startingPrice": "1"]]
        case "changeLot": ["name": "Ours"]
        case "configureSale": ["mode": "manual", "pauseSeconds": 20]
        case "adjustRules": ["rules": ["biddingSeconds": 20]]
        case "cancel": ["reason": "because"]
        case "placeBid": ["amount": "500"]
        case "sendMessage": ["text": "hello"]
        case "requestStage": ["role": "bidder"]
        case "inviteToStage": ["userId": .string(owner.targetUser.id), "role": "bidder"]
        default: nil
        }
    }
}

import AuctionTestKit
import ExactJSON
import HTTPContract

/// The state of a run's clients, derived only from the responses they received.
struct FuzzWorld {
    struct User {
        let id: String
        let token: String
        let address: String
    }

    struct Room {
        let id: String
        let host: Int
        let inviteCode: String?
        var round = 1
        var seq = 0
        var nextMinimum: String?
    }

    private(set) var users: [User] = []
    private(set) var rooms: [Room] = []
    /// Ids of items, bids, messages and others, by their prefix.
    private(set) var ids: [String: [String]] = [:]
    /// The prefix of the ids that a path parameter or a member of a frame has, by its name.
    static let kinds = [
        "itemId": "item", "bidId": "bid", "lotId": "lot", "messageId": "message", "stageId": "stage", "offerId": "offer",
        "tokenId": "token", "webhookId": "webhook",
    ]
    private(set) var tickets: [String] = []
    /// The user who uploaded each item: only that user may read its reserve price.
    private(set) var owners: [String: Int] = [:]

    /// The ids in responses that a path parameter or a member of a frame with this name may have.
    func knownIDs(_ name: String) -> [String] { Self.kinds[name].flatMap { ids[$0] } ?? [] }

    /// Updates the state with the response to a user's request; `user` is nil for an anonymous one.
    mutating func record(from response: HTTPResponse, to operation: String?, by user: Int?, from address: String) {
        guard response.isJSON, response.body.count < 200_000 else { return }
        let json = response.json
        collectIDs(json, depth: 0)
        guard 200..<300 ~= response.status else { return }
        if let id = json.text("user.id"), let token = json.text("token"), operation == "createGuest" {
            users.append(User(id: id, token: token, address: address))
        }
        if operation == "openRoom", let id = json.text("id"), let user, rooms.count < 8 {
            rooms.append(Room(id: id, host: user, inviteCode: json.text("inviteCode")))
        }
        if operation == "takeTicket", let ticket = json.text("ticket") { tickets.append(ticket) }
        if operation == "uploadItem", let id = json.text("id"), let user { owners[id] = user }
        for room in [json, json["room"] ?? .null] { update(room) }
    }

    private mutating func update(_ room: JSONValue) {
        guard let id = room.text("id"), let index = rooms.firstIndex(where: { $0.id == id }) else { return }
        if let round = room.int("round") { rooms[index].round = round }
        if let seq = room.int("seq") { rooms[index].seq = seq }
        if let minimum = room.text("nextMinimum") { rooms[index].nextMinimum = minimum }
    }

    private mutating func collectIDs(_ json: JSONValue, depth: Int) {
        switch json {
        case .string(let text):
            guard text.utf8.count < 60, let bar = text.firstIndex(of: "_"), text[bar...].utf8.count == 27 else { return }
            let kind = String(text[..<bar])
            guard !(ids[kind] ?? []).contains(text) else { return }
            ids[kind, default: []].append(text)
            if ids[kind]?.count ?? 0 > 24 { ids[kind]?.removeFirst(12) }
        case .array(let elements): for element in elements.prefix(50) { collectIDs(element, depth: depth + 1) }
        case .object(let members): for member in members { collectIDs(member.value, depth: depth + 1) }
        default: break
        }
    }
}

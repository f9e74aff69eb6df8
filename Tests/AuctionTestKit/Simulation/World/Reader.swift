internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON

/// A client that reads one room's events by long-polls or a stream, with the room as it derives it from them.
struct Reader {
    let person: Person
    let room: RoomID
    /// Index of its subscription in the transcript.
    let subscription: Int
    /// Number of the pending poll or open stream; what older ones deliver is ignored.
    var poll: UInt64 = 0
    var isSlow = false
    /// Its token; nil before it has signed in.
    var principal: Principal?
    /// Whether it reads by a stream; otherwise by long-polls.
    var hasStream = false
    var clientView = ClientView()
}

/// A room as one client derives it from public events.
struct ClientView {
    var isOpen = false
    var state = "preparing"
    var round = 1
    var item: ItemID?
    var format = "english"
    var minimum: Int64 = 100
    var endsAt: Timestamp?
    var latestBid: BidID?
    /// Explicit bids of the round, oldest first.
    var bids: [BidID] = []
    var leader: String?
    var stages: [StageID] = []
    var messages: [MessageID] = []
    var lots: [LotID] = []
    /// Offers with the users to whom they were made.
    var offers: [(id: OfferID, to: String)] = []
    var members: Set<String> = []
    var auctioneers: Set<String> = []
    var host = ""

    /// Applies an event as a client does: from its public bytes, ignoring unknown types.
    mutating func read(_ event: StoredEvent) {
        guard event.type != "message.system",
            case .success(let json) = Result(catching: { () throws(JSONError) in
                try JSONReader.read(event.publicBytes)
            }), let data = json["data"]
        else { return }
        if let round = json["round"]?.int { self.round = round }
        switch event.type {
        case "state.changed": stateChanged(data)
        case "item.uploaded":
            item = data["item"]?["id"]?.text.flatMap { ItemID($0) }
            read(rules: data["item"]?["rules"])
        case "rules.adjusted": read(rules: data["rules"])
        case "countdown.started", "countdown.moved": endsAt = data["endsAt"]?.instant
        case "bid.placed":
            if data["automatic"] == .bool(false) {
                latestBid = data["bidId"]?.text.flatMap { BidID($0) }
                if let latestBid { bids.append(latestBid) }
            }
            if let next = data["nextMinimum"]?.units { minimum = next }
            if data["leading"] == .bool(true) { leader = data["bidder"]?["id"]?.text }
            if let end = data["endsAt"]?.instant { endsAt = end }
        case "bid.retracted":
            latestBid = nil
            let gone = data["bidId"]?.text
            bids.removeAll { $0.description == gone }
            leader = data["leader"]?["id"]?.text
            if let next = data["nextMinimum"]?.units { minimum = next }
        case "price.dropped": if let price = data["price"]?.units { minimum = price }
        case "message.sent": if let id = data["messageId"]?.text.flatMap({ MessageID($0) }) { messages.append(id) }
        case "offer.made":
            if let id = data["offerId"]?.text.flatMap({ OfferID($0) }) { offers.append((id, data["to"]?["id"]?.text ?? "")) }
        case "lot.queued": if let id = data["lotId"]?.text.flatMap({ LotID($0) }) { lots.append(id) }
        default: memberEvent(event.type, data)
        }
    }

    private mutating func stateChanged(_ data: JSONValue) {
        state = data["to"]?.text ?? state
        endsAt = nil
        guard state == "preparing" else { return }
        (latestBid, leader, bids) = (nil, nil, [])
        if data["from"]?.text == "closed" { item = nil }
    }

    private mutating func read(rules: JSONValue?) {
        format = rules?["format"]?.text ?? format
        minimum = rules?["startingPrice"]?.units ?? minimum
    }

    private mutating func memberEvent(_ type: String, _ data: JSONValue) {
        let member = data["member"]?["id"]?.text ?? ""
        switch type {
        case "room.opened":
            isOpen = true
            host = data["host"]?["id"]?.text ?? ""
            members.insert(host)
        case "member.joined": members.insert(member)
        case "member.left", "member.kicked":
            members.remove(member)
            auctioneers.remove(member)
        case "member.linked":
            let (guest, user, role) = (data["from"]?["id"]?.text ?? "", data["to"]?["id"]?.text ?? "", data["role"]?.text)
            members.remove(guest)
            auctioneers.remove(guest)
            if role != nil { members.insert(user) }
            if role == "host" { host = user }
            if role == "auctioneer" { auctioneers.insert(user) }
        case "member.roleChanged":
            let role = data["to"]?.text
            if role == "host" { host = member }
            if role == "auctioneer" { auctioneers.insert(member) } else { auctioneers.remove(member) }
        case "stage.requested", "stage.invited":
            if let id = data["stageId"]?.text.flatMap({ StageID($0) }) { stages.append(id) }
        default: break
        }
    }
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var int: Int? { if case .number(let literal) = self { Int(literal) } else { nil } }
    var isTrue: Bool { self == .bool(true) }
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    var instant: Timestamp? { text.flatMap { Timestamp(rfc3339: $0) } }

    /// A decimal amount of a currency with two digits, in its minor unit.
    var units: Int64? {
        guard let parts = text?.split(separator: ".", omittingEmptySubsequences: false), parts.count == 2,
            parts[1].utf8.count == 2, let major = Int64(parts[0]), let minor = Int64(parts[1])
        else { return nil }
        return major * 100 + minor
    }
}

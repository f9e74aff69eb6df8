internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// Events that follow from others, for readers of the feed: who was outbid, and which lot is next. Made of what rooms show, so that nothing
/// hidden is in them, and only for those who read: bids store nothing for it.
///
/// A value for one reading: it keeps who leads in the rooms whose events it has seen in order.
struct FeedDerivation {
    static let outbid = "bid.outbid"
    static let nextLot = "lot.next"
    /// Events that are read at once to find out who led before the first event of a room that was read: few at first, as most bids follow
    /// one another, …
    private static let windows = 2...1024
    /// … and so many times more each time.
    private static let windowGrowth = 8
    private static let windowBytes = 1 << 20

    private let filter: FeedFilter
    private var leads: [RoomID: Lead] = [:]

    /// Who leads in a round.
    private struct Lead {
        let round: Int
        /// `{"id","nickname"}`; nil: no bid leads.
        var bidder: JSONValue?

        /// What a round begins with.
        init(round: Int) { self.round = round }
    }

    init(for filter: FeedFilter) { self.filter = filter }

    /// The types of events that are read for such a reader: those that it wants, and those from which others follow; nil: all types.
    static func types(readFor filter: FeedFilter) -> Set<String>? {
        guard !filter.types.isEmpty else { return nil }
        let forOutbid = filter.takes(type: outbid) ? changing : []
        return filter.types.union(forOutbid).union(filter.takes(type: nextLot) ? ["item.uploaded"] : [])
    }

    /// What follows from an event, as events with its position; those that the reader wants.
    mutating func events(after cause: FeedEvent, from log: any EventLog) throws(EventLogError) -> [FeedEvent] {
        guard filter.takes(room: cause.room) else { return [] }
        switch cause.event.type {
        case "item.uploaded" where filter.takes(type: Self.nextLot): return lotTaken(in: cause)
        case "bid.placed" where filter.takes(type: Self.outbid): return try bidPlaced(in: cause, log)
        // They change who leads, which only matters once it is known.
        case "bid.retracted", "member.linked":
            if let lead = leads[cause.room] { leads[cause.room] = Self.lead(lead, after: cause.event) }
            return []
        default: return []
        }
    }

    private func lotTaken(in cause: FeedEvent) -> [FeedEvent] {
        guard let envelope = Self.envelope(of: cause.event), let data = envelope["data"], let lot = data["lotId"],
            let item = data["item"]
        else { return [] }
        return derived(Self.nextLot, of: cause, envelope) { json in
            json.member("lotId", lot)
            json.member(
                "item",
                object: { json in
                    json.member("id", item["id"])
                    json.member("name", item["name"])
                })
        }
    }

    private mutating func bidPlaced(in cause: FeedEvent, _ log: any EventLog) throws(EventLogError) -> [FeedEvent] {
        // Bids that do not lead displace no bidder: sealed ones are among them.
        guard let envelope = Self.envelope(of: cause.event), envelope["data"]?["leading"] == .bool(true),
            let round = envelope.int("round")
        else { return [] }
        let before: Lead
        if let known = leads[cause.room] {
            before = known.round == round ? known : Lead(round: round)
        } else {
            before = try Self.lead(in: round, of: cause.room, before: cause.event.seq, log)
        }
        leads[cause.room] = Self.lead(before, after: cause.event)
        guard let displaced = before.bidder, displaced["id"] != envelope["data"]?["bidder"]?["id"] else { return [] }
        return derived(Self.outbid, of: cause, envelope) { json in
            json.member("bidder", displaced)
            json.member("price", envelope["data"]?["amount"])
        }
    }

    private func derived(
        _ type: String, of cause: FeedEvent, _ envelope: JSONValue, _ data: (inout JSONWriter) -> Void
    ) -> [FeedEvent] {
        var json = JSONWriter(reserving: 256)
        json.object { json in
            json.member("seq", cause.event.seq)
            json.member("type", type)
            json.member("at", envelope["at"])
            json.member("round", envelope["round"])
            json.member("data", object: data)
        }
        let event = StoredEvent(
            seq: cause.event.seq, at: cause.event.at, type: type, publicBytes: json.bytes, privateBytes: nil,
            hash: cause.event.hash)
        return [
            FeedEvent(room: cause.room, number: cause.position.number, event: event, pruning: cause.position.pruning)
        ]
    }

    // MARK: - Who leads

    /// Who led in a round before an event: from the round's events, the latest first, as far as they are needed. A room has a bounded number.
    private static func lead(
        in round: Int, of room: RoomID, before seq: Int, _ log: any EventLog
    ) throws(EventLogError) -> Lead {
        var (end, size) = (seq - 1, windows.lowerBound)
        // The latest first.
        var later: [StoredEvent] = []
        search: while end > 0 {
            let start = max(0, end - size)
            for event in try events(of: room, after: start, to: end, log).reversed() {
                if changing.contains(event.type) { later.append(event) }
                if decides(event, in: round) { break search }
            }
            (end, size) = (start, min(windowGrowth * size, windows.upperBound))
        }
        return later.reversed().reduce(Lead(round: round)) { lead($0, after: $1) }
    }

    private static func events(
        of room: RoomID, after start: Int, to end: Int, _ log: any EventLog
    ) throws(EventLogError) -> [StoredEvent] {
        var (events, after) = ([StoredEvent](), start)
        while after < end {
            let page = try log.events(of: room, after: after, limit: end - after, bytes: windowBytes)
            guard let last = page.last else { break }
            events += page
            after = last.seq
        }
        return events
    }

    /// Whether who leads after the event does not depend on those before it.
    private static func decides(_ event: StoredEvent, in round: Int) -> Bool {
        guard let envelope = envelope(of: event) else { return false }
        if envelope.int("round") != round { return true }
        return event.type == "bid.retracted" || event.type == "bid.placed" && envelope["data"]?["leading"] == .bool(true)
    }

    /// Types of events that change who leads.
    private static let changing: Set<String> = ["bid.placed", "bid.retracted", "member.linked"]

    private static func lead(_ lead: Lead, after event: StoredEvent) -> Lead {
        guard changing.contains(event.type), let envelope = envelope(of: event),
            envelope.int("round") == lead.round, let data = envelope["data"]
        else { return lead }
        var lead = lead
        switch event.type {
        case "bid.placed" where data["leading"] == .bool(true): lead.bidder = data["bidder"]
        // Sealed bids never lead.
        case "bid.retracted": lead.bidder = data["leader"].flatMap { $0 == .null ? nil : $0 }
        case "member.linked" where lead.bidder != nil && data["from"]?["id"] == lead.bidder?["id"]: lead.bidder = data["to"]
        default: break
        }
        return lead
    }

    private static func envelope(of event: StoredEvent) -> JSONValue? {
        try? JSONReader.read(event.publicBytes, maximumDepth: 64)
    }
}

extension JSONValue {
    fileprivate func int(_ name: String) -> Int? {
        guard case .number(let literal) = self[name] else { return nil }
        return Int(literal)
    }
}

extension JSONWriter {
    /// A value as it was read; null if it is missing.
    fileprivate mutating func member(_ name: StaticString, _ value: JSONValue?) {
        self.name(name)
        self.value(value ?? .null)
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON

/// Checks the service's guarantees against the transcript of a run: requests, responses, delivered events and the final log.
struct Auditor {
    let transcript: Transcript
    let people: [Person]
    /// Processes that are alive at the end of the run.
    let survivors: Set<ProcessName>
    var findings: [SimulationFinding] = []
    var rooms: [RoomID: AuditedRoom] = [:]
    /// Objects that each attempt created, matched by the identifiers that its seed determines.
    var created: [Int: [CreatedObject]] = [:]
    var responses: [Int: JSONValue] = [:]

    struct CreatedObject {
        let room: RoomID
        let seq: Int
        let type: String
        let id: String
    }

    init(_ transcript: Transcript, people: [Person], survivors: Set<ProcessName>) {
        self.transcript = transcript
        self.people = people
        self.survivors = survivors
    }

    mutating func audit() -> [SimulationFinding] {
        for attempt in transcript.attempts {
            if let response = attempt.response { responses[attempt.number] = AuditedEvent.read(response.body) }
        }
        foldRooms()
        findCreated()
        acknowledgements()
        keys()
        acknowledgedEvents()
        order()
        responseSnapshots()
        requiredExtensions()
        sales()
        absences()
        lateDeadlines()
        durations()
        clockJumps()
        streams()
        feeds()
        presence()
        visibility()
        invitations()
        replays()
        return findings
    }

    mutating func report(_ rule: String, _ text: String) { findings.append(SimulationFinding(rule: rule, text: text)) }

    func request(_ attempt: Attempt) -> ClientRequest { transcript.requests[attempt.request] }

    /// Describes an attempt in findings.
    func name(_ attempt: Attempt) -> String {
        let request = request(attempt)
        return "attempt \(attempt.number) of step \(request.step), \(request.caller.nickname)'s \(request.command)"
    }

    private mutating func foldRooms() {
        var requestedBids: [String: PlaceBid] = [:]
        for attempt in transcript.attempts {
            switch request(attempt).command {
            case .placeBid(let bid), .placeFloorBid(let bid, _): requestedBids[Self.draw(attempt.seed)] = bid
            default: break
            }
        }
        for id in transcript.rooms {
            let stored = transcript.log[id] ?? []
            guard !stored.isEmpty else { continue }
            var bids: [String: PlaceBid] = [:]
            for event in stored where event.type == "bid.placed" {
                guard let bid = AuditedEvent(event)?.data["bidId"]?.text, let drawn = Self.drawn(bid) else { continue }
                bids[bid] = requestedBids[drawn]
            }
            let room = AuditedRoom(
                id, userIDs: people.map(\.id.description), requestedBids: bids,
                offerLife: Int64(SimulatedOffers.life.count) * 1000)
            room.fold(stored)
            room.expectRest()
            findings += room.findings
            rooms[id] = room
        }
    }

    /// Random bits of the first identifier that a process generates for an attempt, in hexadecimal.
    private static func draw(_ seed: UInt64) -> String {
        draws(seed, 1)[0]
    }

    /// The same of the first identifiers.
    private static func draws(_ seed: UInt64, _ count: Int) -> [String] {
        var source = IdentifierSource(instant: Timestamp(milliseconds: 0), seed: seed)
        return (0..<count).map { _ in String((source.next(LotKind.self).bits & (1 << 80 - 1)), radix: 16) }
    }

    /// How many objects an attempt can create.
    func mostCreated(by attempt: Attempt) -> Int {
        if case .importLots(let file) = request(attempt).command { file.rows.count } else { 1 }
    }

    private static func drawn(_ id: String) -> String? {
        guard let end = id.lastIndex(of: "_"), let bits = BidID("bid_" + id[id.index(after: end)...])?.bits else { return nil }
        return String(bits & (1 << 80 - 1), radix: 16)
    }

    /// Assigns each object in the log to the attempt that created it.
    private mutating func findCreated() {
        var attempts: [String: Int] = [:]
        for attempt in transcript.attempts {
            for draw in Self.draws(attempt.seed, mostCreated(by: attempt)) { attempts[draw] = attempt.number }
        }
        for id in transcript.rooms {
            for event in rooms[id]?.events ?? [] {
                guard let identity = Self.identity(event) else { continue }
                guard let attempt = Self.drawn(identity).flatMap({ attempts[$0] }) else {
                    report("promise", "\(id) seq \(event.seq): no client requested \(identity)")
                    continue
                }
                created[attempt, default: []].append(CreatedObject(room: id, seq: event.seq, type: event.type, id: identity))
            }
        }
    }

    /// The first identifier generated for an event's request; nil for events that carry none.
    private static func identity(_ event: AuditedEvent) -> String? {
        switch event.type {
        case "bid.placed": event.data["automatic"] == .bool(true) ? nil : event.data["bidId"]?.text
        case "message.sent": event.data["messageId"]?.text
        case "item.uploaded": event.data["lotId"] == nil ? event.data["item"]?["id"]?.text : nil
        case "lot.queued": event.data["lotId"]?.text
        case "lot.bidsChanged": event.secret?["bidId"]?.text
        case "stage.requested", "stage.invited": event.data["stageId"]?.text
        default: nil
        }
    }
}

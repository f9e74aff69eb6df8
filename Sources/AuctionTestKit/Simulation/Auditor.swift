internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON

/// Compares what was promised with what is there. It knows requests, answers, what readers were sent and the final log.
struct Auditor {
    let transcript: Transcript
    let people: [Person]
    /// Processes that live to the end.
    let survivors: Set<ProcessName>
    var findings: [SimulationFinding] = []
    var rooms: [RoomID: AuditedRoom] = [:]
    /// What each attempt made, by the identifiers that it must have drawn.
    var made: [Int: [Made]] = [:]
    var answers: [Int: JSONValue] = [:]

    struct Made {
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
            if let answer = attempt.answer { answers[attempt.number] = AuditedEvent.read(answer.body) }
        }
        foldRooms()
        findMade()
        promises()
        keys()
        claims()
        order()
        pictures()
        disturbances()
        lateEnds()
        durations()
        streams()
        hidden()
        invitations()
        replays()
        return findings
    }

    mutating func find(_ rule: String, _ text: String) { findings.append(SimulationFinding(rule: rule, text: text)) }

    func request(_ attempt: Attempt) -> ClientRequest { transcript.requests[attempt.request] }

    /// For people: which request of whom.
    func name(_ attempt: Attempt) -> String {
        let request = request(attempt)
        return "attempt \(attempt.number) of step \(request.step), \(request.caller.nickname)'s \(request.command)"
    }

    private mutating func foldRooms() {
        var asked: [String: PlaceBid] = [:]
        for attempt in transcript.attempts {
            guard case .placeBid(let bid) = request(attempt).command else { continue }
            asked[Self.draw(attempt.seed)] = bid
        }
        for id in transcript.rooms {
            let stored = transcript.log[id] ?? []
            guard !stored.isEmpty else { continue }
            var bids: [String: PlaceBid] = [:]
            for event in stored where event.type == "bid.placed" {
                guard let bid = AuditedEvent(event)?.data["bidId"]?.text, let drawn = Self.drawn(bid) else { continue }
                bids[bid] = asked[drawn]
            }
            let room = AuditedRoom(id, people: people, asked: bids)
            room.fold(stored)
            room.expectRest()
            findings += room.findings
            rooms[id] = room
        }
    }

    /// The random half of the first identifier that a process draws for an attempt.
    private static func draw(_ seed: UInt64) -> String {
        var source = IdentifierSource(instant: Timestamp(milliseconds: 0), seed: seed)
        return String((source.next(BidKind.self).bits & (1 << 80 - 1)), radix: 16)
    }

    private static func drawn(_ id: String) -> String? {
        guard let end = id.lastIndex(of: "_"), let bits = BidID("bid_" + id[id.index(after: end)...])?.bits else { return nil }
        return String(bits & (1 << 80 - 1), radix: 16)
    }

    /// What the log holds, by the attempt that made it.
    private mutating func findMade() {
        var attempts: [String: Int] = [:]
        for attempt in transcript.attempts { attempts[Self.draw(attempt.seed)] = attempt.number }
        for id in transcript.rooms {
            for event in rooms[id]?.events ?? [] {
                guard let identity = Self.identity(event) else { continue }
                guard let attempt = Self.drawn(identity).flatMap({ attempts[$0] }) else {
                    find("promise", "\(id) seq \(event.seq): nobody asked for \(identity)")
                    continue
                }
                made[attempt, default: []].append(Made(room: id, seq: event.seq, type: event.type, id: identity))
            }
        }
    }

    /// The identifier that an event's request drew first.
    private static func identity(_ event: AuditedEvent) -> String? {
        switch event.type {
        case "bid.placed": event.data["automatic"] == .bool(true) ? nil : event.data["bidId"]?.text
        case "message.sent": event.data["messageId"]?.text
        case "item.uploaded": event.data["item"]?["id"]?.text
        case "stage.requested", "stage.invited": event.data["stageId"]?.text
        default: nil
        }
    }
}

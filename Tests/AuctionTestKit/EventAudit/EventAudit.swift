internal import AuctionDomain
internal import ExactJSON

/// Audits rooms of a real server from outside: their public events, folded by the simulator's auditor, and what clients received.
///
/// Takes one JSON object a line, in any order but that of a room's events:
/// - an event with its room in front, as `auction-room export` prints it: `{"room":…,"seq":…,…}`;
/// - `{"bid":{"room":…,"round":…,"bidder":…,"amount":…,"outcome":…,"sent":…,"received":…,"response":…}}`: a bid that a client sent. Its
///   outcome is "acknowledged", "refused" or "unknown"; its times are of one clock, in any unit; the response is that of an acknowledged one.
///   Without any such line, bids are not compared with what clients sent;
/// - `{"room":…,"shown":…}`: a room as a response showed it;
/// - `{"room":…,"outage":{"after":…,"spawned":…,"ready":…}}`: a server on this log was started after that seq; milliseconds since 1970;
/// - `{"room":…,"lot":…,"reserve":…}`: the reserve price of a lot, which no public event has;
/// - `{"room":…,"absentee":{"lot":…,"bidder":…,"bidId":…,"maximum":…,"seq":…}}`: an absentee bid that was acknowledged, with the seq of its
///   receipt; `{"lot":…,"bidder":…}` alone: one that was taken back. In the order of the acknowledgements, as far as they are of one lot.
///
/// Without any such line of a room its absentee bids are learned from the events that show them: whether those explain each other and the
/// result is audited then, not whether others were higher.
package struct EventAudit {
    struct Line {
        let room: String
        let json: JSONValue
    }

    private(set) var lines: [String: [JSONValue]] = [:]
    private var order: [String] = []
    var bids: [SentBid] = []
    private(set) var left: [LeftBid] = []
    var shown: [Line] = []
    var outages: [Line] = []
    private var reserves: [String: JSONValue] = [:]
    var rooms: [String: AuditedRoom] = [:]
    /// What is wrong, once `finish` was called.
    package internal(set) var findings: [SimulationFinding] = []

    package init() {}

    /// A line that is none of these.
    package struct UnreadableLine: Error, CustomStringConvertible {
        package let description: String
    }

    /// Takes a line of the input.
    package mutating func take(_ line: [UInt8]) throws(UnreadableLine) {
        guard let json = AuditedEvent.read(line) else { throw UnreadableLine(description: "a line is no JSON") }
        if let bid = json["bid"] {
            guard let sent = SentBid(bid) else { throw UnreadableLine(description: "a bid lacks a member") }
            return bids.append(sent)
        }
        guard let room = json["room"]?.text, RoomID(room) != nil else {
            throw UnreadableLine(description: "a line has no room")
        }
        if let absentee = json["absentee"] {
            guard let bid = LeftBid(absentee, in: room) else {
                throw UnreadableLine(description: "an absentee bid lacks a member")
            }
            left.append(bid)
        } else if let response = json["shown"] {
            shown.append(Line(room: room, json: response))
        } else if let outage = json["outage"] {
            outages.append(Line(room: room, json: outage))
        } else if let lot = json["lot"]?.text, let reserve = json["reserve"] {
            reserves[lot] = reserve
        } else if json["seq"]?.int != nil {
            if lines[room] == nil { order.append(room) }
            lines[room, default: []].append(json)
        } else {
            throw UnreadableLine(description: "a line is of no known kind")
        }
    }

    /// Audits all that was taken.
    package mutating func finish() {
        let requests = requestedBids()
        for id in order { fold(id, requests) }
        checkBids()
        for line in shown { check(line.json, in: line.room, "a response") }
        for outage in outages { check(outage) }
    }

    mutating func report(_ rule: String, _ text: String) { findings.append(SimulationFinding(rule: rule, text: text)) }

    private mutating func fold(_ id: String, _ requests: [String: PlaceBid]) {
        guard let room = RoomID(id) else { return }
        let lines = lines[id] ?? []
        var (seeds, people) = ([Int: JSONValue](), Set<String>())
        for line in lines {
            if line["type"]?.text == "draw.revealed", let round = line["round"]?.int { seeds[round] = line["data"]?["seed"] }
            collectPeople(line["data"], into: &people)
        }
        let leftBids = leftBids(in: id)
        let absentees = leftBids.map { absenteeSecrets(lines, $0) } ?? [:]
        let shown = leftBids == nil ? ShownAbsentees(lines, requests) : nil
        var amounts = requests.compactMapValues { $0.amount?.minorUnits }
        for bid in leftBids ?? [] { if let id = bid.bid { amounts[id] = bid.maximum } }
        amounts.merge(shown?.sealed ?? [:]) { $1 }
        let events = lines.map { line in
            AuditedEvent(line, secret: line["seq"]?.int.flatMap { absentees[$0] } ?? secret(of: line, seeds, amounts))
        }
        var requested = requests
        for case let event? in events where event.type == "bid.placed" {
            guard let bid = event.data["bidId"]?.text, let amount = event.data["amount"]?.units, requested[bid] == nil else {
                continue
            }
            requested[bid] = PlaceBid(amount: Money(minorUnits: amount))
        }
        let audited = AuditedRoom(room, userIDs: people.sorted(), requestedBids: requested)
        audited.absentees.shownBids = shown?.entries ?? [:]
        audited.fold(events)
        findings += audited.findings
        rooms[id] = audited
        for event in audited.events { checkExtension(event, audited) }
    }

    /// What the private part of an event says, as far as it is known: the reserve price, the amount of a sealed bid, and the seed of a
    /// draw, which a later event reveals.
    private func secret(of line: JSONValue, _ seeds: [Int: JSONValue], _ amounts: [String: Int64]) -> JSONValue? {
        let data = line["data"]
        var known: JSONMember?
        switch line["type"]?.text {
        case "item.uploaded":
            known = data?["lotId"]?.text.flatMap { reserves[$0] }.map { JSONMember(name: "reservePrice", value: $0) }
        case "bid.placed":
            let amount = data?["bidId"]?.text.flatMap { amounts[$0] }
            known = amount.map { JSONMember(name: "amount", value: .string(Self.decimal(Money(minorUnits: $0)))) }
        case "draw.committed":
            known = line["round"]?.int.flatMap { seeds[$0] }.map { JSONMember(name: "seed", value: $0) }
        default: break
        }
        return known.map { .object([$0]) }
    }

    static func decimal(_ amount: Money) -> String {
        let (major, minor) = amount.minorUnits.quotientAndRemainder(dividingBy: 100)
        return "\(major).\(minor < 10 ? "0" : "")\(minor)"
    }

    private func collectPeople(_ value: JSONValue?, into people: inout Set<String>) {
        switch value {
        case .object(let members):
            for member in members {
                if member.name == "id", let id = member.value.text, UserID(id) != nil { people.insert(id) }
                collectPeople(member.value, into: &people)
            }
        case .array(let elements): for element in elements { collectPeople(element, into: &people) }
        default: break
        }
    }

    /// Checks a room as a response showed it against its events up to the seq that it names.
    mutating func check(_ response: JSONValue, in room: String, _ what: String) {
        guard let seq = response["seq"]?.int, let shown = PublicSnapshot(room: response) else {
            return report("picture", "\(room): \(what) shows no room")
        }
        guard let snapshots = rooms[room]?.snapshots, snapshots.indices.contains(seq) else {
            return report("picture", "\(room): \(what) shows seq \(seq), which there is not")
        }
        var made = snapshots[seq]
        made.reserveMet = nil
        // The short form of a room in a response to a bid has none.
        if response["warning"] == nil { made.warning = 0 }
        if shown != made { report("picture", "\(room): \(what) shows \(shown) at seq \(seq), the events make \(made)") }
    }
}

extension PublicSnapshot {
    /// The room in a response of the real server; nil if it is none. Without `reserveMet`.
    fileprivate init?(room: JSONValue) {
        guard let state = room["state"]?.text, let round = room["round"]?.int else { return nil }
        self.init()
        (self.state, self.round) = (state == "closing" ? "auctioning" : state, round)
        price = room["currentPrice"]?.units
        leader = room["currentBid"]?["bidder"]?["id"]?.text
        minimum = room["nextMinimum"]?.units
        endsAt = room["endsAt"]?.instant?.milliseconds
        warning = room["warning"]?.int ?? 0
    }
}

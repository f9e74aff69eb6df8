internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// Deadlines of sales after outages, and the order of lots that was acknowledged.
extension Auditor {
    mutating func sales() {
        movedLots()
        importedLots()
        for required in transcript.requiredExtensions {
            for id in transcript.rooms {
                guard let seq = required.rooms[id], let room = rooms[id], room.sales.indices.contains(seq) else { continue }
                pause(after: required, at: seq, in: room)
                schedule(after: required, at: seq, in: room)
                offers(after: required, at: seq, in: room)
            }
        }
    }

    /// The next lot begins no earlier than a whole pause after an outage or a clock jump, unless the host begins it.
    private mutating func pause(after required: RequiredExtension, at seq: Int, in room: AuditedRoom) {
        guard room.sales[seq].isRunning, room.snapshots[seq].state == "closed", let end = room.snapshots[seq].endsAt,
            end >= required.since?.milliseconds ?? .min,
            let next = room.events.dropFirst(seq).first(where: { $0.type == "state.changed" || $0.type == "sale.stopped" }),
            next.data["cause"]?.text == "sale", next.person("by") == nil
        else { return }
        // The host may have configured another pause meanwhile.
        let shortest = room.sales[seq..<next.seq].map(\.pause).min() ?? 0
        expect(next, in: room, notBefore: min(shortest, 60_000), after: required, "pause")
    }

    /// A start that was due during an outage or a clock jump happens a minute later.
    private mutating func schedule(after required: RequiredExtension, at seq: Int, in room: AuditedRoom) {
        guard let start = room.sales[seq].startsAt, start >= required.since?.milliseconds ?? .min,
            start < required.at.milliseconds,
            let next = room.events.dropFirst(seq).first(where: { $0.type.hasPrefix("sale.") && $0.type != "sale.starting" }),
            next.type == "sale.postponed" || next.type == "sale.started" && next.person("by") == nil
        else { return }
        expect(next, in: room, notBefore: 60_000, after: required, "schedule")
    }

    /// An offer that was near its end during an outage or a clock jump stands for another minute.
    private mutating func offers(after required: RequiredExtension, at seq: Int, in room: AuditedRoom) {
        for offer in room.sales[seq].offers where offer.expiresAt >= required.since?.milliseconds ?? .min {
            let end = room.events.dropFirst(seq).first { $0.type == "offer.expired" && $0.data["offerId"]?.text == offer.id }
            if let end { expect(end, in: room, notBefore: 60_000, after: required, "offer") }
        }
    }

    mutating func expect(
        _ event: AuditedEvent, in room: AuditedRoom, notBefore delay: Int64, after required: RequiredExtension, _ rule: String
    ) {
        // Processes on a shared log estimate its clock.
        let least = required.at.milliseconds + max(0, delay - (transcript.isSingle ? 0 : 120))
        // An event decided before the outage or jump may be stored after it.
        guard (required.at.milliseconds..<least).contains(event.at) else { return }
        report(rule, "\(room.id) seq \(event.seq): \(event.type) is \(least - event.at) ms too soon after \(required.at)")
    }

    /// After an acknowledged import every row is a lot in the room that the response shows.
    private mutating func importedLots() {
        for attempt in transcript.attempts {
            guard case .importLots(let file) = request(attempt).command, attempt.response?.status == 200, !attempt.isReplay,
                let seq = responses[attempt.number]?["seq"]?.int, let sales = rooms[request(attempt).room]?.sales,
                sales.indices.contains(seq)
            else { continue }
            for row in file.rows {
                let isThere = sales[seq].lots.contains { lot in
                    lot.name == row.lot.item.name && lot.reference == row.lot.reference
                }
                if !isThere { report("import", "\(name(attempt)) was carried out by seq \(seq) without line \(row.line)") }
            }
        }
    }

    /// A lot whose move was acknowledged is where it was moved to in the room that the response shows.
    private mutating func movedLots() {
        for attempt in transcript.attempts {
            guard case .changeLot(let id, let changes) = request(attempt).command, let target = changes.target,
                attempt.response?.status == 200, !attempt.isReplay, let seq = responses[attempt.number]?["seq"]?.int,
                let sales = rooms[request(attempt).room]?.sales, sales.indices.contains(seq)
            else { continue }
            let lots = sales[seq].lots.map(\.id)
            let follower = lots.firstIndex(of: id.description).map { lots.dropFirst($0 + 1).first } ?? nil
            let wanted: String? = if case .before(let next) = target { next.description } else { nil }
            // The prepared lot keeps its turn, and its place among lots that were withdrawn, if none that waits would be before it.
            let keepsTurn = sales[seq].current == id.description && sales[seq].firstQueued == wanted
            // A lot that is moved before itself stays where it is.
            guard follower != wanted, wanted != id.description, !keepsTurn else { continue }
            report("order of lots", "\(name(attempt)) was carried out by seq \(seq); behind the lot is \(follower ?? "none")")
        }
    }
}

internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

/// A page of a room's reports. Their texts, and those of the messages, are read from the log, as memory has neither.
struct ReportPage {
    private struct Row {
        let report: MessageReported
        let reporter: Person
        let at: Timestamp
        let message: Message
        let author: Person
        let sentAt: Timestamp
        let isRemoved: Bool
    }

    private let rows: [Row]
    /// The `before` of the next page; nil on the last one.
    private let next: Int?

    /// At most `limit` reports with a seq below `before`, newest first.
    init(of room: Room, before: Int?, limit: Int, in log: any EventLog) throws(EventLogError) {
        let entries = room.reports.recent.reversed().filter { $0.seq < before ?? .max }
        var rows: [Row] = []
        for entry in entries.prefix(limit) {
            let (reported, sent) = (try event(entry.seq, of: room, in: log), try event(entry.messageSeq, of: room, in: log))
            guard case .messageReported(let report) = reported.body, case .messageSent(let message) = sent.body else {
                throw EventLogError(.corrupt, "\(room.id): no report with seq \(entry.seq)")
            }
            rows.append(
                Row(
                    report: report, reporter: room.owner(ofBidBy: report.reporter, at: entry.seq), at: reported.at,
                    message: message, author: room.owner(ofBidBy: message.author, at: entry.messageSeq), sentAt: sent.at,
                    isRemoved: entry.isRemoved))
        }
        self.rows = rows
        next = entries.count > limit ? entries[limit - 1].seq : nil
    }

    var response: Response {
        .object(reserving: 512 * rows.count + 64) { json in
            json.member("reports", each: rows) { row, json in
                json.object { json in
                    json.member("id", row.report.id)
                    json.member(
                        "message",
                        object: { json in
                            json.member("id", row.message.id)
                            json.member("author", row.author)
                            json.member("text", row.message.text)
                            json.member("at", row.sentAt)
                            json.member("removed", row.isRemoved)
                        })
                    json.member("reporter", row.reporter)
                    json.member("reason", row.report.reason)
                    json.member("at", row.at)
                }
            }
            json.member("nextCursor", next.map(String.init))
        }
    }
}

private func event(_ seq: Int, of room: Room, in log: any EventLog) throws(EventLogError) -> Event {
    guard let stored = try log.events(of: room.id, after: seq - 1, limit: 1).first, stored.seq == seq else {
        throw EventLogError(.corrupt, "\(room.id): no event with seq \(seq)")
    }
    do {
        return try EventCodec.decode(stored, after: room)
    } catch {
        throw EventLogError(.corrupt, "\(room.id): the event with seq \(seq) cannot be read: \(error)")
    }
}

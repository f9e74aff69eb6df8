internal import ArgumentParser
internal import AuctionDomain
internal import EventLog

/// `auction-room export`: writes the public events of rooms, one per line.
struct Export: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case jsonl
        case csv
    }

    static let configuration = CommandConfiguration(
        abstract: "Prints the public events of one room or of all.",
        discussion: """
            jsonl: an envelope a line, as the stream sends it; of all rooms, with "room" in front. csv: one row an event, its
            data as JSON, behind a byte-order mark. What no stream shows (sealed amounts, maxima, reserves, credit limits) is not in it. Reads beside a
            running server. Of a damaged log everything is printed that is intact; then the exit code is 74.
            """)

    @OptionGroup var options: ArchiveOptions

    @Option(help: "Only this room.") var room: String?

    @Option(help: "jsonl or csv.") var format = Format.jsonl

    @Flag(inversion: .prefixedNo, help: "Whether csv begins with a byte-order mark, as some spreadsheets need it.")
    var bom = true

    func run() throws {
        try options.reading { archive in
            let rooms = try rooms(archive)
            var isDamaged = false
            if format == .csv {
                var header: [UInt8] = bom ? CSVRow.mark : []
                CSVRow.append(["room", "seq", "at", "round", "type", "data"], to: &header)
                StandardStreams.output(header)
            }
            for room in rooms {
                var page: [UInt8] = []
                var intact = HashChainVerifier()
                let lastSeq = try archive.record(of: room)?.lastSeq ?? 0
                try LogAudit.forEachEvent(of: room, in: archive, upTo: lastSeq) { event in
                    guard intact.take(event) else { return isDamaged = true }
                    append(event, of: room, to: &page)
                    guard page.count > 1 << 16 else { return }
                    StandardStreams.output(page)
                    page.removeAll(keepingCapacity: true)
                }
                StandardStreams.output(page)
                // SQLite reports no error for rows that were zeroed: they are missing.
                if !intact.isComplete(through: lastSeq) { isDamaged = true }
            }
            guard isDamaged || archive.isDamaged else { return }
            complain("the log is damaged: what is intact is exported; `auction-room verify` says what is missing")
            throw ExitCode.ioError
        }
    }

    private func rooms(_ archive: any LogArchive) throws -> [RoomID] {
        guard let room else { return try archive.allRooms() }
        guard let id = RoomID(room), try archive.record(of: id) != nil else {
            throw ConfigurationError("there is no room \(room) in this log")
        }
        return [id]
    }

    private func append(_ event: StoredEvent, of id: RoomID, to page: inout [UInt8]) {
        switch format {
        case .jsonl where room == nil:
            page.append(contentsOf: "{\"room\":\"\(id)\",".utf8)
            page.append(contentsOf: event.publicBytes.dropFirst())
            page.append(UInt8(ascii: "\n"))
        case .jsonl:
            page.append(contentsOf: event.publicBytes)
            page.append(UInt8(ascii: "\n"))
        case .csv:
            let envelope = Envelope(event)
            CSVRow.append(
                [
                    id.description, String(event.seq), event.at.description, envelope.round, event.type,
                    CSVRow.json(envelope.data),
                ], to: &page)
        }
    }
}

/// The members of an event's JSON that `StoredEvent` does not have.
private struct Envelope {
    let round: String
    let data: String

    /// Splits the JSON by its fixed order, `…,"round":1,"data":{…}}`; no member before `data` contains text of a client.
    init(_ event: StoredEvent) {
        let text = String(decoding: event.publicBytes, as: UTF8.self)
        let parts = text.split(separator: ",\"data\":", maxSplits: 1)
        round = parts[0].split(separator: "\"round\":").last.map { String($0) } ?? ""
        data = parts.count == 2 ? String(parts[1].dropLast()) : ""
    }
}

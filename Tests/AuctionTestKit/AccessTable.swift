/// The specified response to every operation of the contract, by kind of caller, on the caller's own and on other users' objects
/// (broken object-level authorization). Each operation is tried in a room whose state permits it; `PermissionTable` covers states.
package struct AccessTable: Sendable {
    /// What the caller is to the room, or which token they send.
    package enum CallerKind: String, Hashable, Sendable, CaseIterable {
        case host
        /// The auctioneer whose item is on offer.
        case auctioneer
        /// A bidder; also the guest of the stage handshake or seat, where there is one.
        case bidder
        case viewer
        case muted
        case banned
        /// A former member whom the host removed.
        case kicked
        /// Has a token and is a member of no room.
        case stranger
        /// The host of another room.
        case foreign
        /// Sends no token.
        case anonymous
        /// Sends the bidder's token after its expiry.
        case expired
        /// Sends a service token with the scope `AccessTable.scope` only.
        case service
        /// Sends the token of the operator's file, which has every scope.
        case `operator`
    }

    /// The operation's target; the columns of the text.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        /// A public room and its objects.
        case `public`
        /// A private room and its objects.
        case `private`
        /// A public room, with an object id that belongs to another room.
        case there
    }

    /// State that the room must have for the operation to be possible.
    package enum Situation: String, Hashable, Sendable, CaseIterable {
        /// The operation concerns no room.
        case nowhere
        case empty
        case item
        case listing
        case open
        case bids
        case paused
        case closed
        /// The bidder has requested a seat on the stage.
        case asked
        /// The host has accepted the request.
        case accepted
        /// The bidder has the first seat.
        case seated

        package init(_ situation: PermissionTable.Situation) { self = Self(rawValue: situation.rawValue) ?? .nowhere }
    }

    /// The specified response for one combination.
    package struct Cell: Hashable, Sendable {
        /// The `operationId` of the contract.
        package let operation: String
        /// State of the room.
        package let situation: Situation
        /// Who requests it.
        package let callerKind: CallerKind
        /// Target of the operation.
        package let place: Place
        /// HTTP status.
        package let status: Int
        /// Code of the problem; nil if the operation succeeds.
        package let code: String?
    }

    typealias Outcome = (status: Int, code: String?)

    static let withoutToken: Outcome = (401, "token.missing")
    static let withExpiredToken: Outcome = (401, "token.expired")
    static let hidden: Outcome = (404, "room.not_found")

    /// Every specified combination once.
    package let cells: [Cell]

    /// The specification's table.
    /// - Throws: `PermissionTableError` if a text is malformed, or a combination is missing or stated twice.
    package static func specified() throws -> AccessTable {
        let blocks = try [systemText, readingText, memberText, applicationText, messageText, auctionText, stageText].flatMap(
            read)
        let names = blocks.map(\.operation)
        guard Set(names).count == names.count else { throw PermissionTableError(description: "an operation is stated twice") }
        return AccessTable(cells: try blocks.flatMap { try $0.finished() } + derived(except: Set(names)))
    }

    /// The operations in whose cells one kind of caller is not refused for what they are, and another is.
    package func operations(of callerKind: CallerKind, notOf other: CallerKind) -> Set<String> {
        let mine = cells.filter { $0.place == .public && ![401, 403, 404].contains($0.status) }
        let (those, others) = (mine.filter { $0.callerKind == callerKind }, mine.filter { $0.callerKind == other })
        return Set(those.map(\.operation)).subtracting(others.map(\.operation))
    }

    /// The `operationId`s that the table covers.
    package var operations: Set<String> { Set(cells.map(\.operation)) }

    private static func read(_ text: String) throws -> [AccessBlock] {
        var blocks: [AccessBlock] = []
        // The operations of the current headings, which share their lines.
        var (open, isHeading) = ([AccessBlock](), false)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix(" ") {
                for index in open.indices { try open[index].add(words) }
            } else {
                if !isHeading {
                    blocks += open
                    open = []
                }
                open += try AccessBlock.heading(words)
            }
            isHeading = !line.hasPrefix(" ")
        }
        return blocks + open
    }
}

/// The lines about one operation.
private struct AccessBlock {
    typealias Table = AccessTable

    /// Letters that every operation's legend contains.
    private static let common = ["T": Table.withoutToken, "X": Table.withExpiredToken, "-": Table.hidden]

    private let situation: Table.Situation
    private var block: TableBlock<Table.CallerKind, Table.Outcome>

    var operation: String { block.name }

    /// `name… situation letter=status:code…`
    static func heading(_ words: [String]) throws -> [AccessBlock] {
        guard let index = words.firstIndex(where: { Table.Situation(rawValue: $0) != nil }), index > 0,
            let situation = Table.Situation(rawValue: words[index])
        else { throw PermissionTableError(description: "malformed heading: \(words.joined(separator: " "))") }
        return try words[..<index].map { name in
            let block = try TableBlock<Table.CallerKind, Table.Outcome>(
                name, columns: Table.Place.allCases.count, legend: words[(index + 1)...], common: common,
                groups: ["users": Table.CallerKind.allCases.filter { $0.permission != nil }]
            ) { meaning in
                let parts = meaning.split(separator: ":").map(String.init)
                return parts.count == 2 ? Int(parts[0]).map { ($0, parts[1]) } : nil
            }
            return AccessBlock(situation: situation, block: block)
        }
    }

    mutating func add(_ words: [String]) throws {
        try block.add(words) { word in
            if word == "." { return .some(nil) }
            return Int(word).map { ($0, nil) }
        }
    }

    func finished() throws -> [Table.Cell] {
        let places = Table.Place.allCases.indices.map { place in block.lines.values.contains { $0[place] != nil } }
        return try Table.CallerKind.allCases.flatMap { callerKind -> [Table.Cell] in
            let usual = callerKind == .anonymous ? Table.withoutToken : callerKind == .expired ? Table.withExpiredToken : nil
            let program = Table.programOutcome(callerKind, operation)
            let outcomes =
                if program == .asHost {
                    try block.line(of: .host)
                } else if case .always(let status, let code) = program {
                    places.map { $0 ? (status, code) : nil }
                } else if block.lines[callerKind] == nil, let usual { places.map { $0 ? usual : nil } } else {
                    try block.line(of: callerKind)
                }
            return zip(Table.Place.allCases, outcomes).compactMap { place, outcome in
                outcome.map {
                    Table.Cell(
                        operation: operation, situation: situation, callerKind: callerKind, place: place, status: $0.status,
                        code: $0.code)
                }
            }
        }
    }
}

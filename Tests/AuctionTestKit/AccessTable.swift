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
        case open
        case bids
        case paused
        /// The bidder has requested a seat on the stage.
        case asked
        /// The host has accepted the request.
        case accepted
        /// The bidder has the first seat.
        case seated
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

    /// Every specified combination once.
    package let cells: [Cell]

    /// The specification's table.
    /// - Throws: `PermissionTableError` if a text is malformed, or a combination is missing or stated twice.
    package static func specified() throws -> AccessTable {
        let blocks = try [systemText, readingText, memberText, auctionText, stageText].flatMap(read)
        let names = blocks.map(\.operation)
        guard Set(names).count == names.count else { throw PermissionTableError(description: "an operation is stated twice") }
        return AccessTable(cells: try blocks.flatMap { try $0.finished() })
    }

    /// The `operationId`s that the table covers.
    package var operations: Set<String> { Set(cells.map(\.operation)) }

    private static func read(_ text: String) throws -> [AccessBlock] {
        var blocks: [AccessBlock] = []
        // The operations of the current heading, which share their lines.
        var open: [AccessBlock] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix(" ") {
                for index in open.indices { try open[index].add(words) }
            } else {
                blocks += open
                open = try AccessBlock.heading(words)
            }
        }
        return blocks + open
    }
}

/// The lines about one operation.
private struct AccessBlock {
    typealias Table = AccessTable
    typealias Outcome = (status: Int, code: String?)

    /// Letters that every operation's legend contains.
    private static let common: [String: Outcome] = [
        "T": (401, "token.missing"), "X": (401, "token.expired"), "-": (404, "room.not_found"),
    ]

    let operation: String
    private let situation: Table.Situation
    private let legend: [String: Outcome]
    private var lines: [Table.CallerKind: [Outcome?]] = [:]

    /// `name… situation letter=status:code…`
    static func heading(_ words: [String]) throws -> [AccessBlock] {
        guard let index = words.firstIndex(where: { Table.Situation(rawValue: $0) != nil }), index > 0,
            let situation = Table.Situation(rawValue: words[index])
        else { throw PermissionTableError(description: "malformed heading: \(words.joined(separator: " "))") }
        var legend = common
        for word in words[(index + 1)...] {
            let parts = word.split(separator: "=").map(String.init)
            let meaning = parts.last?.split(separator: ":").map(String.init) ?? []
            guard parts.count == 2, meaning.count == 2, let status = Int(meaning[0]), legend[parts[0]] == nil else {
                throw PermissionTableError(description: "\(words[0]): malformed legend entry \(word)")
            }
            legend[parts[0]] = (status, meaning[1])
        }
        return words[..<index].map { AccessBlock(operation: $0, situation: situation, legend: legend) }
    }

    /// Parses `callerKind,callerKind public private there`; `others` stands for all kinds that no line above names.
    mutating func add(_ words: [String]) throws {
        guard words.count == Table.Place.allCases.count + 1 else {
            throw PermissionTableError(description: "\(operation): \(words.joined(separator: " "))")
        }
        let outcomes = try words.dropFirst().map { word -> Outcome? in
            if word == "." { return nil }
            if let status = Int(word) { return (status, nil) }
            guard let outcome = legend[word] else {
                throw PermissionTableError(description: "\(operation): the legend lacks the letter \(word)")
            }
            return outcome
        }
        for callerKind in try callerKinds(words[0]) {
            guard lines.updateValue(outcomes, forKey: callerKind) == nil else {
                throw PermissionTableError(description: "\(operation): \(callerKind) twice")
            }
        }
    }

    private func callerKinds(_ word: String) throws -> [Table.CallerKind] {
        if word == "others" { return Table.CallerKind.allCases.filter { lines[$0] == nil } }
        return try word.split(separator: ",").map { name in
            guard let callerKind = Table.CallerKind(rawValue: String(name)) else {
                throw PermissionTableError(description: "\(operation): unknown kind of caller \(name)")
            }
            return callerKind
        }
    }

    func finished() throws -> [Table.Cell] {
        try Table.CallerKind.allCases.flatMap { callerKind -> [Table.Cell] in
            guard let outcomes = lines[callerKind] else {
                throw PermissionTableError(description: "\(operation): no line for \(callerKind)")
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

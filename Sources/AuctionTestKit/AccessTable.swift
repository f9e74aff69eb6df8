/// Who may do what, over every operation of the contract, on their own and on other people's objects: what attackers try after
/// tokens. How far a round must be for which action is in `PermissionTable`; here every operation meets a room in which it can be done.
public struct AccessTable: Sendable {
    /// Who asks.
    public enum Asker: String, Hashable, Sendable, CaseIterable {
        case host
        /// The auctioneer whose item is up.
        case auctioneer
        /// Bids, and has to do with the stage where there is something on it.
        case bidder
        case viewer
        case muted
        case banned
        /// Was a member, and was removed.
        case kicked
        /// Has a token, and is no member of anything.
        case stranger
        /// The host of another room.
        case foreign
        /// Shows no token.
        case anonymous
        /// Shows the bidder's token, after its time.
        case expired
    }

    /// What the operation is done to; the columns of the text.
    public enum Place: String, Hashable, Sendable, CaseIterable {
        /// A public room, and what is in it.
        case `public`
        /// A private room, and what is in it.
        case `private`
        /// A public room, naming what belongs to another one.
        case there
    }

    /// What the room must be like for the operation to be possible.
    public enum Situation: String, Hashable, Sendable, CaseIterable {
        /// The operation is about no room.
        case nowhere
        case empty
        case item
        case open
        case bids
        case paused
        /// The bidder asks for the stage.
        case asked
        /// The host has accepted that.
        case accepted
        /// The bidder has the first seat.
        case seated
    }

    public struct Cell: Hashable, Sendable {
        /// The `operationId` of the contract.
        public let operation: String
        public let situation: Situation
        public let asker: Asker
        public let place: Place
        public let status: Int
        /// Of the problem; nil: it is done.
        public let code: String?
    }

    public let cells: [Cell]

    /// The specification's table.
    /// - Throws: `PermissionTableError` if a text says something twice, nothing about somebody, or what is no table.
    public static func specified() throws -> AccessTable {
        let blocks = try [systemText, readingText, memberText, auctionText, stageText].flatMap(read)
        let names = blocks.map(\.operation)
        guard Set(names).count == names.count else { throw PermissionTableError(description: "an operation stands twice") }
        return AccessTable(cells: try blocks.flatMap { try $0.finished() })
    }

    public var operations: Set<String> { Set(cells.map(\.operation)) }

    private static func read(_ text: String) throws -> [AccessBlock] {
        var blocks: [AccessBlock] = []
        // Operations that share their lines.
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

    /// What a letter stands for wherever it is not said otherwise.
    private static let common: [String: Outcome] = [
        "T": (401, "token.missing"), "X": (401, "token.expired"), "-": (404, "room.not_found"),
    ]

    let operation: String
    private let situation: Table.Situation
    private let legend: [String: Outcome]
    private var lines: [Table.Asker: [Outcome?]] = [:]

    /// `name… situation letter=status:code…`
    static func heading(_ words: [String]) throws -> [AccessBlock] {
        guard let index = words.firstIndex(where: { Table.Situation(rawValue: $0) != nil }), index > 0,
            let situation = Table.Situation(rawValue: words[index])
        else { throw PermissionTableError(description: "no heading: \(words.joined(separator: " "))") }
        var legend = common
        for word in words[(index + 1)...] {
            let parts = word.split(separator: "=").map(String.init)
            let meaning = parts.last?.split(separator: ":").map(String.init) ?? []
            guard parts.count == 2, meaning.count == 2, let status = Int(meaning[0]), legend[parts[0]] == nil else {
                throw PermissionTableError(description: "\(words[0]): the legend says \(word)")
            }
            legend[parts[0]] = (status, meaning[1])
        }
        return words[..<index].map { AccessBlock(operation: $0, situation: situation, legend: legend) }
    }

    private init(operation: String, situation: Table.Situation, legend: [String: Outcome]) {
        self.operation = operation
        self.situation = situation
        self.legend = legend
    }

    /// `asker,asker public private there`; `others` are all whom no line above names.
    mutating func add(_ words: [String]) throws {
        guard words.count == Table.Place.allCases.count + 1 else {
            throw PermissionTableError(description: "\(operation): \(words.joined(separator: " "))")
        }
        let outcomes = try words.dropFirst().map { word -> Outcome? in
            if word == "." { return nil }
            if let status = Int(word) { return (status, nil) }
            guard let outcome = legend[word] else {
                throw PermissionTableError(description: "\(operation): the letter \(word) stands for nothing")
            }
            return outcome
        }
        for asker in try askers(words[0]) {
            guard lines.updateValue(outcomes, forKey: asker) == nil else {
                throw PermissionTableError(description: "\(operation): \(asker) twice")
            }
        }
    }

    private func askers(_ word: String) throws -> [Table.Asker] {
        if word == "others" { return Table.Asker.allCases.filter { lines[$0] == nil } }
        return try word.split(separator: ",").map { name in
            guard let asker = Table.Asker(rawValue: String(name)) else {
                throw PermissionTableError(description: "\(operation): nobody is called \(name)")
            }
            return asker
        }
    }

    func finished() throws -> [Table.Cell] {
        try Table.Asker.allCases.flatMap { asker -> [Table.Cell] in
            guard let outcomes = lines[asker] else {
                throw PermissionTableError(description: "\(operation): nothing about \(asker)")
            }
            return zip(Table.Place.allCases, outcomes).compactMap { place, outcome in
                outcome.map {
                    Table.Cell(
                        operation: operation, situation: situation, asker: asker, place: place, status: $0.status,
                        code: $0.code)
                }
            }
        }
    }
}

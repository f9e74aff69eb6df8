public import AuctionDomain

/// What the specification says about every action, in every situation, for everybody: the table that decisions of the domain
/// and answers of the server are held against.
public struct PermissionTable: Sendable {
    /// How far a round has come; the columns of the text.
    public enum Situation: String, Hashable, Sendable, CaseIterable {
        case empty
        case item
        case listing
        case open
        case bids
        case paused
        case closed
    }

    /// Who asks; the rows of the text.
    public enum Asker: String, Hashable, Sendable, CaseIterable {
        case host
        case owner
        case auctioneer
        case bidder
        case leader
        case viewer
        case muted
        case banned
        case stranger
    }

    public struct Cell: Hashable, Sendable {
        public let action: RoomAction
        public let situation: Situation
        public let asker: Asker
        /// The id of the rule that refuses; nil: allowed.
        public let rule: String?
    }

    /// Every combination once: by action, then asker, then situation, as the text has them.
    public let cells: [Cell]

    /// The specification's table.
    /// - Throws: `PermissionTableError` if the text says something twice, nothing, or what is no table.
    public static func specified() throws -> PermissionTable { try PermissionTable(text) }

    init(_ text: String) throws {
        var lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        guard !lines.isEmpty, lines.removeFirst().map(String.init) == Situation.allCases.map(\.rawValue) else {
            throw PermissionTableError(description: "the first line must name the situations in order")
        }
        var cells: [Cell] = []
        var block: Block?
        for words in lines {
            if let action = RoomAction(rawValue: String(words[0])) {
                cells += try block?.finished() ?? []
                block = try Block(action, legend: words.dropFirst())
            } else {
                try block?.add(words)
            }
        }
        cells += try block?.finished() ?? []
        let expected = RoomAction.allCases.count * Asker.allCases.count * Situation.allCases.count
        guard Set(cells).count == expected, cells.count == expected else {
            throw PermissionTableError(description: "\(cells.count) cells for \(expected) combinations")
        }
        self.cells = cells
    }
}

/// The text of a permission table is none; a defect of the table.
public struct PermissionTableError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

/// The lines about one action.
private struct Block {
    private let action: RoomAction
    private let ruleOfLetter: [Substring: String]
    private var lines: [PermissionTable.Asker: [String?]] = [:]

    init(_ action: RoomAction, legend: ArraySlice<Substring>) throws {
        self.action = action
        var ruleOfLetter: [Substring: String] = [:]
        for entry in legend {
            let parts = entry.split(separator: "=")
            guard parts.count == 2, ruleOfLetter.updateValue(String(parts[1]), forKey: parts[0]) == nil else {
                throw PermissionTableError(description: "\(action): the legend says \(entry)")
            }
        }
        self.ruleOfLetter = ruleOfLetter
    }

    mutating func add(_ words: [Substring]) throws {
        guard words.count == PermissionTable.Situation.allCases.count + 1 else {
            throw PermissionTableError(description: "\(action): \(words.joined(separator: " "))")
        }
        let rules = try words.dropFirst().map { word -> String? in
            if word == "ok" { return nil }
            guard let rule = ruleOfLetter[word] else {
                throw PermissionTableError(description: "\(action): the letter \(word) stands for nothing")
            }
            return rule
        }
        for asker in try askers(words[0]) {
            guard lines.updateValue(rules, forKey: asker) == nil else {
                throw PermissionTableError(description: "\(action): \(asker) twice")
            }
        }
    }

    private func askers(_ word: Substring) throws -> [PermissionTable.Asker] {
        if word == "others" { return PermissionTable.Asker.allCases.filter { lines[$0] == nil } }
        guard let asker = PermissionTable.Asker(rawValue: String(word)) else {
            throw PermissionTableError(description: "\(action): nobody is called \(word)")
        }
        return [asker]
    }

    func finished() throws -> [PermissionTable.Cell] {
        try PermissionTable.Asker.allCases.flatMap { asker in
            guard let rules = lines[asker] else {
                throw PermissionTableError(description: "\(action): nothing about \(asker)")
            }
            return zip(PermissionTable.Situation.allCases, rules).map { situation, rule in
                PermissionTable.Cell(action: action, situation: situation, asker: asker, rule: rule)
            }
        }
    }
}

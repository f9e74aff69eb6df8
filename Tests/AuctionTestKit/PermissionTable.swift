package import AuctionDomain

/// The specified decision for every action, situation and kind of caller. Tests compare the domain's decisions and the server's
/// responses with it.
package struct PermissionTable: Sendable {
    /// Progress of a round; the columns of the text.
    package enum Situation: String, Hashable, Sendable, CaseIterable {
        case empty
        case item
        case listing
        case open
        case bids
        case paused
        case closed
    }

    /// Kind of caller; the rows of the text.
    package enum CallerKind: String, Hashable, Sendable, CaseIterable {
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

    /// The specified decision for one combination.
    package struct Cell: Hashable, Sendable {
        /// The requested action.
        package let action: RoomAction
        /// Progress of the round.
        package let situation: Situation
        /// Who requests it.
        package let callerKind: CallerKind
        /// Id of the rule that refuses the action; nil if it is allowed.
        package let rule: String?
    }

    /// Every combination once, in the order of the text: by action, then caller, then situation.
    package let cells: [Cell]

    /// The specification's table.
    /// - Throws: `PermissionTableError` if the text is malformed, or a combination is missing or stated twice.
    package static func specified() throws -> PermissionTable { try PermissionTable(text) }

    init(cells: [Cell]) { self.cells = cells }

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
        let expected = RoomAction.allCases.count * CallerKind.allCases.count * Situation.allCases.count
        guard Set(cells).count == expected, cells.count == expected else {
            throw PermissionTableError(description: "\(cells.count) cells for \(expected) combinations")
        }
        self.cells = cells
    }
}

/// The text of a permission table is malformed: a defect of the table, not of the product.
package struct PermissionTableError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position and the defect.
    package let description: String
}

/// The lines about one action.
private struct Block {
    private let action: RoomAction
    private let ruleOfLetter: [Substring: String]
    private var lines: [PermissionTable.CallerKind: [String?]] = [:]

    init(_ action: RoomAction, legend: ArraySlice<Substring>) throws {
        self.action = action
        var ruleOfLetter: [Substring: String] = [:]
        for entry in legend {
            let parts = entry.split(separator: "=")
            guard parts.count == 2, ruleOfLetter.updateValue(String(parts[1]), forKey: parts[0]) == nil else {
                throw PermissionTableError(description: "\(action): malformed legend entry \(entry)")
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
                throw PermissionTableError(description: "\(action): the legend lacks the letter \(word)")
            }
            return rule
        }
        for callerKind in try callerKinds(words[0]) {
            guard lines.updateValue(rules, forKey: callerKind) == nil else {
                throw PermissionTableError(description: "\(action): \(callerKind) twice")
            }
        }
    }

    private func callerKinds(_ word: Substring) throws -> [PermissionTable.CallerKind] {
        if word == "others" { return PermissionTable.CallerKind.allCases.filter { lines[$0] == nil } }
        guard let callerKind = PermissionTable.CallerKind(rawValue: String(word)) else {
            throw PermissionTableError(description: "\(action): unknown kind of caller \(word)")
        }
        return [callerKind]
    }

    func finished() throws -> [PermissionTable.Cell] {
        try PermissionTable.CallerKind.allCases.flatMap { callerKind in
            guard let rules = lines[callerKind] else {
                throw PermissionTableError(description: "\(action): no line for \(callerKind)")
            }
            return zip(PermissionTable.Situation.allCases, rules).map { situation, rule in
                PermissionTable.Cell(action: action, situation: situation, callerKind: callerKind, rule: rule)
            }
        }
    }
}

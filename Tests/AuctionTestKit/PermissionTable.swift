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

    /// Every combination once, by action, then caller, then situation.
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
        var blocks: [(action: RoomAction, block: TableBlock<CallerKind, String>)] = []
        // Where the headings begin to which the next lines belong.
        var (open, isHeading) = (0, false)
        for words in lines.map({ $0.map(String.init) }) {
            if let action = RoomAction(rawValue: words[0]) {
                if !isHeading { (open, isHeading) = (blocks.count, true) }
                let columns = Situation.allCases.count
                blocks.append((action, try TableBlock(words[0], columns: columns, legend: words.dropFirst(), read: \.self)))
            } else {
                isHeading = false
                for index in open..<blocks.count { try blocks[index].block.add(words) { $0 == "ok" ? .some(nil) : nil } }
            }
        }
        let inOrder = RoomAction.allCases.flatMap { action in blocks.filter { $0.action == action } }
        let cells = try inOrder.flatMap { action, block in
            try CallerKind.allCases.flatMap { callerKind in
                zip(Situation.allCases, try block.line(of: callerKind)).map { situation, rule in
                    Cell(action: action, situation: situation, callerKind: callerKind, rule: rule)
                }
            }
        }
        let expected = RoomAction.allCases.count * CallerKind.allCases.count * Situation.allCases.count
        guard Set(cells).count == expected, cells.count == expected else {
            throw PermissionTableError(description: "\(cells.count) cells for \(expected) combinations")
        }
        self.cells = cells
    }
}

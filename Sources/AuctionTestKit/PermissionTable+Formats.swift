public import AuctionDomain

// Where the formats differ from the general table; written by hand from section 4 of the specification.
extension PermissionTable {
    /// The formats that the table is walked in.
    public static let formats: [AuctionFormatName] = [.english, .dutch, .sealedFirstPrice, .vickrey]

    /// The situations that a format knows: the first Dutch bid ends its round, so there is none with bids.
    public static func situations(of format: AuctionFormatName) -> [Situation] {
        format == .dutch ? Situation.allCases.filter { $0 != .bids } : Situation.allCases
    }

    /// The specification's table for one format.
    /// - Throws: `PermissionTableError` if the text is no table.
    public static func specified(for format: AuctionFormatName) throws -> PermissionTable {
        let general = try specified()
        let known = situations(of: format)
        let changed = differences(of: format)
        return PermissionTable(
            cells: general.cells.filter { known.contains($0.situation) }.map { cell in
                guard let rule = changed.first(where: { $0.0 == cell.action && $0.1 == cell.asker && $0.2 == cell.situation })
                else { return cell }
                return Cell(action: cell.action, situation: cell.situation, asker: cell.asker, rule: rule.3)
            })
    }

    private static func differences(of format: AuctionFormatName) -> [(RoomAction, Asker, Situation, String?)] {
        switch format {
        // Nobody leads while bids are sealed, and everybody may raise their own.
        case .sealedFirstPrice, .vickrey: [(.placeBid, .leader, .bids, nil)]
        // A Dutch round that is paused has no bid: nothing can be taken back, and it may be cancelled.
        case .dutch: [(.retractBid, .host, .paused, "retract.not_latest"), (.cancel, .host, .paused, nil)]
        default: []
        }
    }

    /// Rules of the format that start at 100.00.
    public static func rules(of format: AuctionFormatName) -> AuctionRules {
        let isDutch = format == .dutch
        return AuctionRules(
            startingPrice: Money(minorUnits: 10000), increment: .fixed(Money(minorUnits: 1000)),
            floorPrice: isDutch ? Money(minorUnits: 1000) : nil, dutchTick: isDutch ? Seconds(60) : nil, format: format)
    }
}

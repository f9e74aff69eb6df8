package import AuctionDomain

// Differences of the formats from the general table; written by hand from section 4 of the specification.
extension PermissionTable {
    /// The formats in which tests check the table.
    package static let formats: [AuctionFormatName] = [.english, .dutch, .sealedFirstPrice, .vickrey]

    /// The situations that can occur in a format: the first Dutch bid closes its round, so `bids` cannot.
    package static func situations(of format: AuctionFormatName) -> [Situation] {
        format == .dutch ? Situation.allCases.filter { $0 != .bids } : Situation.allCases
    }

    /// The specification's table for one format.
    /// - Throws: `PermissionTableError` if the text is malformed.
    package static func specified(for format: AuctionFormatName) throws -> PermissionTable {
        let general = try specified()
        let known = situations(of: format)
        let changed = differences(of: format)
        return PermissionTable(
            cells: general.cells.filter { known.contains($0.situation) }.map { cell in
                guard
                    let rule = changed.first(where: { $0.0 == cell.action && $0.1 == cell.callerKind && $0.2 == cell.situation }
                    )
                else { return cell }
                return Cell(action: cell.action, situation: cell.situation, callerKind: cell.callerKind, rule: rule.3)
            })
    }

    private static func differences(of format: AuctionFormatName) -> [(RoomAction, CallerKind, Situation, String?)] {
        switch format {
        // While bids are sealed there is no leader, and each bidder may raise their own bid.
        case .sealedFirstPrice, .vickrey: [(.placeBid, .leader, .bids, nil)]
        // A paused Dutch round has no bid, so nothing can be retracted and it may be cancelled.
        case .dutch: [(.retractBid, .host, .paused, "retract.not_latest"), (.cancel, .host, .paused, nil)]
        default: []
        }
    }

    /// Auction rules in the format, with a starting price of 100.00.
    package static func rules(of format: AuctionFormatName) -> AuctionRules {
        let isDutch = format == .dutch
        return AuctionRules(
            startingPrice: Money(minorUnits: 10000), increment: .fixed(Money(minorUnits: 1000)),
            floorPrice: isDutch ? Money(minorUnits: 1000) : nil, dutchTick: isDutch ? Seconds(60) : nil, format: format)
    }
}

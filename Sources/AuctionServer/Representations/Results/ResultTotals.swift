internal import AuctionDomain

/// What each buyer has to pay and each seller has sold in a room, in the order of their first sold items.
struct ResultTotals {
    /// The sums of one user, in minor units; far beyond any price, and clamped there.
    struct Row {
        let person: Person
        var items = 0
        var price: Int64 = 0
        var premium: Int64 = 0
        var total: Int64 { ResultTotals.sum(price, premium) }
    }

    private(set) var buyers: [Row] = []
    private(set) var sellers: [Row] = []
    /// Items that were not sold.
    private(set) var passed = 0
    /// Items whose sale was voided: they are in no sum.
    private(set) var voided = 0

    init(of room: Room) {
        var (buyerIndex, sellerIndex) = ([UserID: Int](), [UserID: Int]())
        for result in room.results {
            guard let sale = result.sale else {
                if result.isVoid { voided += 1 } else { passed += 1 }
                continue
            }
            let premium = result.premiumAmount ?? Money(minorUnits: 0)
            Self.add(sale.price, premium, of: sale.buyer, to: &buyers, &buyerIndex)
            Self.add(sale.price, Money(minorUnits: 0), of: result.seller, to: &sellers, &sellerIndex)
        }
    }

    private static func add(
        _ price: Money, _ premium: Money, of person: Person, to rows: inout [Row], _ index: inout [UserID: Int]
    ) {
        let position = index[person.id] ?? rows.count
        if position == rows.count {
            rows.append(Row(person: person))
            index[person.id] = position
        }
        rows[position].items += 1
        rows[position].price = sum(rows[position].price, price.minorUnits)
        rows[position].premium = sum(rows[position].premium, premium.minorUnits)
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}

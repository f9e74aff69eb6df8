internal import AuctionClientCore

/// What buyers pay with the premium, for the sales among the events of a watched room.
struct SaleTotals {
    /// Rounds that are looked up for sales of before; an older sale is shown without its total.
    private static let limit = 1000

    private let room: AuctionRoom
    /// By round, from the list of results; nil until a sale of before is shown.
    private var earlier: [Int: Money]?

    init(_ room: AuctionRoom) { self.room = room }

    /// The total of the sale that an update tells of; nil for another event, and where it is not known.
    mutating func total(of update: RoomUpdate) async -> Money? {
        guard let event = update.event, case .itemSold = event.body else { return nil }
        // The state after an event of before is a later one, perhaps of another round and with another premium.
        guard update.isHistory else { return update.state.total }
        if earlier == nil { earlier = await read() }
        return earlier?[event.round]
    }

    private func read() async -> [Int: Money] {
        var totals: [Int: Money] = [:]
        var count = 0
        do {
            for try await result in room.results() {
                totals[result.round] = result.total
                count += 1
                if count == Self.limit { break }
            }
        } catch {
            // The events are shown without what could not be read.
        }
        return totals
    }
}

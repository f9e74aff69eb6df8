internal import AuctionClientCore

/// A room on a terminal, drawn again from the top.
actor Screen {
    private typealias Row = (style: TerminalStyle, text: String)

    private static let eventCount = 12
    private let live: LiveRoom
    private let client: AuctionClient
    private let hints: [String]
    private let hasColours: Bool
    private var state: RoomState?
    private var events: [Row] = []

    /// - Parameter hints: Lines that say what can be done.
    init(_ live: LiveRoom, _ client: AuctionClient, hints: [String], hasColours: Bool) {
        self.live = live
        self.client = client
        self.hints = hints
        self.hasColours = hasColours
    }

    /// - Parameter total: of a sale, what the buyer pays with the premium; nil without one.
    func show(_ update: RoomUpdate, total: Money?) {
        state = update.state
        guard let event = update.event, !event.isQuiet else { return }
        events.append((event.style, event.line(total: total)))
        events = events.suffix(Self.eventCount)
    }

    func draw() {
        var text = "\u{1B}[H\u{1B}[2J"
        for (style, line) in content() {
            text += (hasColours ? style.applied(to: line.printable) : line.printable) + "\n"
        }
        Watch.write(text)
    }

    private func content() -> [Row] {
        guard let state else { return [(.plain, "\(live.id): \(live.status.state)")] }
        let remaining = state.endsAt.flatMap { client.remaining(until: $0) }
        let isOver = remaining == .zero && state.phase == .auctioning
        let leader = state.currentBid.map { " by \($0.bidder.nickname)" } ?? ""
        let people = state.details.memberCounts.values.reduce(0, +)
        let price = state.currentPrice?.description(total: state.total) ?? "–"
        let minimum = state.nextMinimum.map { minimum in
            minimum.description(total: state.sale?.premiumPercent.flatMap { minimum.withPremium(percent: $0) })
        }
        let isUrgent = remaining.map { $0 <= .seconds(10) } ?? false
        var rows: [Row] = [
            (.strong, "\(state.name)   round \(state.round)   \(isOver ? .closing : state.phase)"),
            (.plain, state.item.map { "\($0.name) · \($0.owner.nickname)" } ?? "no item yet"), (.plain, ""),
            (.good, "price     \(price)\(leader)"),
            (.plain, "at least  \(minimum ?? "–")"),
            (isUrgent ? .alarm : .plain, "time      \(remaining?.clock ?? "–")"),
            (.plain, "people    \(people) members, \(state.viewers) watching"), (.plain, ""),
        ]
        rows += events
        rows.append((.plain, ""))
        rows += hints.map { (.faint, $0) }
        rows.append((live.status.isLive ? .faint : .alarm, "\(live.status.state)"))
        return rows
    }
}

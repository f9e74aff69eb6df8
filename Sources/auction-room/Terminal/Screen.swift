internal import AuctionClientCore

/// A room on a terminal, drawn again from the top.
actor Screen {
    private static let eventCount = 12
    private let live: LiveRoom
    private let client: AuctionClient
    private var state: RoomState?
    private var lines: [String] = []

    init(_ live: LiveRoom, _ client: AuctionClient) {
        self.live = live
        self.client = client
    }

    func show(_ update: RoomUpdate) {
        state = update.state
        guard let event = update.event, !event.summary.isEmpty else { return }
        lines.append(event.line)
        lines = lines.suffix(Self.eventCount)
    }

    func draw() {
        var text = "\u{1B}[H\u{1B}[2J"
        for line in content() { text += line.printable + "\n" }
        Watch.write(text)
    }

    private func content() -> [String] {
        guard let state else { return ["\(live.id): \(live.status.state)"] }
        let remaining = state.endsAt.flatMap { client.remaining(until: $0) }
        let isOver = remaining == .zero && state.phase == .auctioning
        var rows = ["\(state.name)   round \(state.round)   \(isOver ? .closing : state.phase)"]
        rows.append(state.item.map { "\($0.name) · \($0.owner.nickname)" } ?? "no item yet")
        rows.append("")
        let leader = state.currentBid.map { " by \($0.bidder.nickname)" } ?? ""
        rows.append("price     \(state.currentPrice?.description ?? "–")\(leader)")
        rows.append("at least  \(state.nextMinimum?.description ?? "–")")
        rows.append("time      \(remaining?.clock ?? "–")")
        let people = state.details.memberCounts.values.reduce(0, +)
        rows.append("people    \(people) members, \(state.viewers) watching")
        rows.append("")
        rows += lines
        rows.append("")
        rows.append("\(live.status.state)")
        return rows
    }
}

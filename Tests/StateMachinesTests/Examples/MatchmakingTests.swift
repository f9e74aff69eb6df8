import StateMachines
import Testing

struct MatchmakingTests {
    private let host = Matchmaking.host
    private let guest = Matchmaking.guest
    private let start = MachineTimestamp(milliseconds: 0)

    private func seconds(_ count: Int64) -> MachineTimestamp { MachineTimestamp(milliseconds: count * 1000) }

    @Test func `host and guest start a game together`() throws {
        var hosting = host.start(at: start)
        var joining = guest.start(at: start)
        let context = GameHost.Context(caller: "Bo")
        #expect(try host.fire(.open, on: &hosting, at: seconds(1), given: context).effects == [.enqueue])
        #expect(try guest.fire(.search, on: &joining, at: seconds(2)).effects == [.sendJoin])
        #expect(
            try host.fire(.join, on: &hosting, at: seconds(3), given: context).effects == [
                .leaveQueue, .sendJoinConfirm,
            ])
        let last = try guest.fire(.joinConfirm, on: &joining, at: seconds(4))
        #expect(last.before == [.sendGo])
        #expect(last.after == [.beginGame])
        #expect(try host.fire(.go, on: &hosting, at: seconds(5), given: context).effects == [.beginGame])
        #expect(hosting.state == .playing)
        #expect(joining.state == .playing)
        #expect(hosting.dueAt == nil)
    }

    @Test func `a guard gives the reason why it refuses a guest`() throws {
        var hosting = host.start(at: start)
        let context = GameHost.Context(blocked: ["Bo"], caller: "Bo")
        try host.fire(.open, on: &hosting, at: start, given: context)
        #expect(throws: Refused<GameHost>.rejectedByGuards(.join, in: .waitingJoin, [.blocked("Bo")])) {
            try host.fire(.join, on: &hosting, at: start, given: context)
        }
        #expect(hosting.state == .waitingJoin)
    }

    @Test func `an unexpected event is refused and changes nothing`() throws {
        var hosting = host.start(at: start)
        let before = hosting
        #expect(throws: Refused<GameHost>.unexpected(.go, in: .idle)) {
            try host.fire(.go, on: &hosting, at: start, given: GameHost.Context())
        }
        #expect(hosting == before)
    }

    @Test func `either side times out after thirty seconds`() throws {
        var hosting = host.start(at: start)
        var joining = guest.start(at: start)
        try host.fire(.open, on: &hosting, at: start, given: GameHost.Context())
        try guest.fire(.search, on: &joining, at: start)
        #expect(host.advance(&hosting, to: MachineTimestamp(milliseconds: 29_999), given: GameHost.Context()).isEmpty)
        #expect(host.advance(&hosting, to: seconds(31), given: GameHost.Context()).map(\.effects) == [[.leaveQueue]])
        #expect(guest.advance(&joining, to: seconds(31)).map(\.at) == [seconds(30)])
        #expect(hosting.state == .idle)
        #expect(joining.state == .idle)
    }

    @Test func `the timeout restarts in every waiting state`() throws {
        var hosting = host.start(at: start)
        try host.fire(.open, on: &hosting, at: start, given: GameHost.Context())
        try host.fire(.join, on: &hosting, at: seconds(20), given: GameHost.Context(caller: "Bo"))
        #expect(hosting.dueAt == seconds(50))
    }

    @Test(arguments: [GameHost.State.waitingJoin, .waitingConfirm, .playing])
    func `a disconnect returns to idle from every state`(from state: GameHost.State) throws {
        #expect(try host.edge(on: .disconnected, from: state, given: GameHost.Context()).target == .idle)
    }

    @Test func `both machines have no findings`() {
        #expect(host.table.findings.isEmpty)
        #expect(guest.table.findings.isEmpty)
        #expect(guest.table.mermaid.contains("waitingReply --> idle: after 30.0 seconds (the clock)"))
    }
}

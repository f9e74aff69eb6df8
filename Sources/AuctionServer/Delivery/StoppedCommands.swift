internal import AuctionDomain
internal import MicroHTTP

/// Users whose commands one event loop refuses for a moment, and who waits for the responses to those that it took before.
struct StoppedCommands {
    private struct Wait {
        var left: Set<ExchangeID>
        let proceed: () -> Void
    }

    /// With how many times they were stopped: here, and for another node that decides.
    private var users: [UserID: Int] = [:]
    private var waits: [Wait] = []

    func contain(_ user: UserID) -> Bool { !users.isEmpty && users[user] != nil }

    /// Refuses the user's commands until `remove`.
    /// - Parameters:
    ///   - pending: Commands without a response.
    ///   - proceed: Is called once all of them have got theirs, and so at once if there are none.
    mutating func insert(_ user: UserID, after pending: some Sequence<ExchangeID>, then proceed: @escaping () -> Void) {
        users[user, default: 0] += 1
        let left = Set(pending)
        if left.isEmpty { proceed() } else { waits.append(Wait(left: left, proceed: proceed)) }
    }

    mutating func remove(_ user: UserID) {
        let count = users[user] ?? 0
        users[user] = count > 1 ? count - 1 : nil
    }

    /// Notes that a command has got its response.
    mutating func responded(to id: ExchangeID) {
        guard !waits.isEmpty else { return }
        for index in waits.indices { waits[index].left.remove(id) }
        let over = waits.filter(\.left.isEmpty)
        waits.removeAll(where: \.left.isEmpty)
        for wait in over { wait.proceed() }
    }
}

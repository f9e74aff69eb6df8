internal import AuctionDomain
internal import MicroHTTP
internal import Synchronization

/// Whose limit a request without a room of its own counts against.
enum Requester: Hashable, Sendable {
    case user(UserID)
    /// Without a token.
    case network(ClientNetwork)
}

/// How many streams each user has, and each address without a token, over all loops.
final class StreamBudget: Sendable {
    typealias Holder = Requester

    private let limit: Int
    private let open = Mutex<[Holder: Int]>([:])

    /// - Parameter limit: 0: no limit.
    init(limit: Int) { self.limit = limit }

    /// False where the holder has as many as it may.
    func enter(_ holder: Holder) -> Bool {
        guard limit > 0 else { return true }
        return open.withLock { open in
            guard open[holder, default: 0] < limit else { return false }
            open[holder, default: 0] += 1
            return true
        }
    }

    func leave(_ holder: Holder) {
        guard limit > 0 else { return }
        open.withLock { open in
            let left = (open[holder] ?? 1) - 1
            open[holder] = left > 0 ? left : nil
        }
    }
}

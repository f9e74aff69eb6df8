internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions
internal import Synchronization

/// The user or network whose limits a request counts against.
enum Requester: Hashable, Sendable {
    case user(UserID)
    /// For callers without a token.
    case network(ClientNetwork)
}

/// Counts streams and held long-polls on all loops: per user, per network of callers without a token, and behind trusted proxies
/// also per client network of all callers, as the limit on connections per address cannot see those clients.
final class StreamBudget: Sendable {
    typealias Holder = Requester

    /// The limits that one stream counts against.
    struct Place: Hashable, Sendable {
        let holder: Holder
        /// The client's network if the request came through a trusted proxy; else nil.
        let proxied: ClientNetwork?
    }

    private struct Counts {
        var holders: [Holder: Int] = [:]
        var proxied: [ClientNetwork: Int] = [:]
    }

    /// The most streams of one holder; 0: no limit.
    struct Limits: Sendable {
        /// The most streams of a user.
        let user: Int
        /// The most streams that callers without a token have from one network.
        let network: Int

        func of(_ holder: Holder) -> Int { if case .user = holder { user } else { network } }
    }

    private let limits: Limits
    private let proxiedLimit: Int
    private let open = Mutex(Counts())

    /// - Parameter proxiedLimit: maximum per client network behind proxies; 0: no limit.
    init(limits: Limits, proxiedLimit: Int) {
        self.limits = limits
        self.proxiedLimit = proxiedLimit
    }

    /// Counts one more stream.
    /// - Throws: the problem that names the limit that was reached.
    func enter(_ place: Place) throws(Problem) {
        let limit = limits.of(place.holder)
        let problem: Problem? = open.withLock { open in
            guard limit == 0 || open.holders[place.holder, default: 0] < limit else {
                return .tooManyStreams(limit, of: place.holder)
            }
            if let address = place.proxied, proxiedLimit > 0 {
                guard open.proxied[address, default: 0] < proxiedLimit else { return .tooManyProxiedStreams(proxiedLimit) }
                open.proxied[address, default: 0] += 1
            }
            if limit > 0 { open.holders[place.holder, default: 0] += 1 }
            return nil
        }
        if let problem { throw problem }
    }

    func leave(_ place: Place) {
        open.withLock { open in
            if limits.of(place.holder) > 0 { open.holders.removeOne(place.holder) }
            if let address = place.proxied, proxiedLimit > 0 { open.proxied.removeOne(address) }
        }
    }
}

extension Dictionary where Value == Int {
    fileprivate mutating func removeOne(_ key: Key) {
        let left = (self[key] ?? 1) - 1
        self[key] = left > 0 ? left : nil
    }
}

extension Problem {
    fileprivate static func tooManyStreams(_ limit: Int, of holder: Requester) -> Problem {
        if case .network = holder {
            return streamProblem(
                "Your address has as many streams and held long-polls without a token as it may: \(limit) (limit-streams-per-user). Those of a "
                    + "guest or another user count for themselves.",
                "该地址未携带令牌的流与挂起的长轮询已达上限:\(limit)(limit-streams-per-user)。访客或其他用户的连接单独计数。")
        }
        return streamProblem(
            "You have as many streams and held long-polls as you may: \(limit) (limit-streams-per-user).",
            "您的流与挂起的长轮询已达上限:\(limit)(limit-streams-per-user)。")
    }

    fileprivate static func tooManyProxiedStreams(_ limit: Int) -> Problem {
        streamProblem(
            "Your address has as many streams and held long-polls as it may: \(limit) (limit-connections-per-address).",
            "该地址的流与挂起的长轮询已达上限:\(limit)(limit-connections-per-address)。")
    }

    private static func streamProblem(_ english: String, _ chinese: String) -> Problem {
        Problem(
            .tooManyRequests, code: "stream.too_many", LocalizedText(english, chinese),
            retryAfterSeconds: 5)
    }
}

internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions
internal import Synchronization

/// What clients may do: in a time, and at once; counted for all event loops together.
struct CallerLimits: Sendable {
    let bids: RateLimiter<BidderInRoom>
    let commands: RateLimiter<UserID>
    let guests: RateLimiter<ClientNetwork>
    /// Anonymous viewers who get a token for a room's sound: they are new each time, as guests are.
    let listeners: RateLimiter<ClientNetwork>
    let pictureBytes: RateLimiter<ClientNetwork>
    /// Bytes that the log keeps of texts.
    let textBytes: RateLimiter<ClientNetwork>
    /// Malformed bodies and frames; see `MalformedBodies`.
    let malformed: RateLimiter<Requester>
    /// Wrong codes for another device.
    let pairingTries: RecentTries<ClientNetwork>
    let pending: PendingCommands
    let streams: StreamBudget
    let links: LinkingUsers

    init(_ options: ServerOptions) {
        let limits = options.limits
        bids = RateLimiter(name: "bids", count: limits.bidsPerSecond, periodSeconds: 1)
        commands = RateLimiter(name: "commands", count: limits.commandsPerSecond, periodSeconds: 1)
        guests = RateLimiter(name: "guests", count: limits.guestsPerMinute, burst: limits.guestsBurst, periodSeconds: 60)
        listeners = RateLimiter(
            name: "listeners", count: limits.guestsPerMinute, burst: limits.guestsBurst, periodSeconds: 60)
        pictureBytes = RateLimiter(name: "pictures", count: options.media.bytesPerAddress, periodSeconds: 86_400)
        textBytes = RateLimiter(name: "texts", count: limits.textBytesPerAddress, periodSeconds: 86_400)
        malformed = RateLimiter(
            name: "malformed", count: limits.commandsPerSecond * MalformedBodies.tokensPerCommand, periodSeconds: 1)
        pairingTries = RecentTries(name: "pairing", count: limits.wrongCodesPerMinute, periodSeconds: 60)
        pending = PendingCommands(limit: limits.pendingCommands)
        streams = StreamBudget(
            limits: .init(user: options.streams.perUser, network: options.streams.perAddress),
            proxiedLimit: options.http.limits.connectionsPerAddress)
        links = LinkingUsers()
    }

    /// Counts a malformed body or frame of `bytes` bytes.
    func countMalformed(by requester: Requester, bytes: Int, at monotonic: Int64) {
        guard !malformed.isOff else { return }
        _ = malformed.take(requester, tokens: 1 + bytes / MalformedBodies.bytesPerToken, at: monotonic)
    }
}

/// Key of the bid limiter: one user's bids in one room.
struct BidderInRoom: Hashable, Sendable {
    let user: UserID
    let room: RoomID
}

/// Number of commands in flight. At the limit, new ones are refused before they reach the queue.
final class PendingCommands: Sendable {
    private let limit: Int
    private let count = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    var depth: Int { count.load(ordering: .relaxed) }

    func enter() throws(Problem) {
        guard count.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
            leave()
            throw Problem(.overloaded)
        }
    }

    func leave() { count.wrappingSubtract(1, ordering: .relaxed) }
}

/// Users whose call to link a guest is in progress at this node; each may have one.
final class LinkingUsers: Sendable {
    private let users = Mutex<Set<UserID>>([])

    func enter(_ user: UserID) throws(Problem) {
        guard users.withLock({ $0.insert(user).inserted }) else { throw .linkInProgress }
    }

    func leave(_ user: UserID) { users.withLock { _ = $0.remove(user) } }
}

import StateMachines

@testable import AuctionClientCore

/// A defect that a simulation is run with, to show that its checks find it.
enum PlantedBug: String, CaseIterable {
    /// Every attempt of a command has a key of its own.
    case newKeyForEveryAttempt
    /// After an interruption the cursor is one event behind, and events are not compared with it.
    case deliversAnEventAgain
    /// After an interruption the cursor is one event ahead.
    case skipsAnEvent
    /// `Retry-After` is not read.
    case ignoresRetryAfter
    /// The deadlines of a live connection are ignored.
    case neverNoticesStalls
    /// A command whose response was lost is reported as not carried out.
    case guessesThatLostCommandsFailed
    /// A refusal counts as final although an earlier attempt is still on its way.
    case trustsEveryRefusal
    /// A room that was read replaces the state before the events up to it were delivered.
    case adoptsReadingsEarly
    /// The provider is not told that its token was refused.
    case keepsTheRefusedToken
    /// A buffering proxy is never given up on.
    case neverFallsBack
    /// The buffer for a slow reader is never full.
    case buffersWithoutBound
    /// Reconnects without waiting for the delay.
    case reconnectsAtOnce
}

/// What a simulation found.
struct SimulationFailure: Error, CustomStringConvertible {
    let seed: UInt64
    let description: String
}

/// One client, the service, and the network between them, in simulated milliseconds. Everything follows from the seed.
final class SimulatedWorld {
    typealias CallID = UInt64

    /// Who made a request. Another run of the app has another number, so that what arrives for an earlier one is dropped.
    enum Origin: Hashable {
        case room(run: Int, CallID)
        case bid(Int, CallID)
    }

    enum Delivery {
        case response(HTTPResponse), failed(TransportError), head(HTTPHead), bytes([UInt8]), ended, token(Credential?),
            tokenFailed
    }

    enum Action {
        case request(HTTPCall, Origin, isStream: Bool)
        case deliver(Delivery, Origin)
        case act, read, placeBid, resend(Int), fault, notice(Origin), wake, restartApp, heal
    }

    struct Stream {
        var cursor: Int64
        var lastAt: Int64
        var isSilent = false
    }

    let seed: UInt64
    let bug: PlantedBug?
    var random: RandomSequence
    var now: Int64 = 0
    private var queue: [(time: Int64, order: Int, action: Action)] = []
    private var order = 0

    var service = SimulatedService()
    var connection: RoomConnection
    var settings = ConnectionSettings()
    var commandSettings = ExchangeSettings()
    var run = 0
    var streams: [Origin: Stream] = [:]
    var bids: [SimulatedBid] = []
    private var connectionDeadline: Int64?
    /// Of the commands in progress.
    var bidDeadlines: [Int64?] = []
    var credential: Credential?
    var checks = SimulationChecks()

    // The network and the service, until when.
    var noNetworkUntil: Int64 = 0
    var silentUntil: Int64 = 0
    var portalUntil: Int64 = 0
    var downUntil: Int64 = 0
    var overloadedUntil: Int64 = 0
    var asleepUntil: Int64 = 0
    let hasBufferingProxy: Bool
    let slowestRead: UInt64
    let isLong: Bool
    let duration: Int64
    var isHealed = false
    var isPaused = false

    init(seed: UInt64, bug: PlantedBug? = nil) {
        self.seed = seed
        self.bug = bug
        random = RandomSequence(seed: seed)
        hasBufferingProxy = random.next() % 10 == 0
        let isSlowReader = random.next() % 6 == 0
        slowestRead = isSlowReader ? 8000 : 1000
        // Most runs are short, because the number of seeds counts; the others give slow faults the time to do harm.
        isLong = bug != nil || seed % 8 == 0
        duration = isLong ? 20_000 + Int64(random.next() % 30_000) : 6000 + Int64(random.next() % 14_000)
        // An app that gives up soon sends its commands again more often.
        commandSettings.timeout = .seconds(Int64(3 + random.next() % 28))
        settings.bufferedEvents = bug == .buffersWithoutBound ? 100_000 : isSlowReader ? 4 : 64
        if bug == .neverFallsBack { settings.transports = [.serverSentEvents] }
        connection = RoomConnection(
            room: "room_1", start: .now, settings: settings, language: "en", seed: random.next(), at: Self.instant(0))
        service.open(at: service.clockOffset)
        for _ in 0..<random.next() % 8 { service.act(random.next(), at: service.clockOffset) }
        // Half of the runs read the past too.
        if random.next() % 2 == 0 {
            let start = Int64(random.next() % UInt64(service.seq + 1))
            connection = RoomConnection(
                room: "room_1", start: .after(start), settings: settings, language: "en", seed: random.next(),
                at: Self.instant(0))
            checks.delivered = start
        }
        checks.maximumBuffered = isSlowReader ? 4 : 64
    }

    static func instant(_ milliseconds: Int64) -> MachineTimestamp { MachineTimestamp(milliseconds: milliseconds) }

    func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

    func delay(_ least: UInt64, _ most: UInt64) -> Int64 { Int64(least + random.next() % (most - least + 1)) }

    func schedule(_ action: Action, in delay: Int64) { schedule(action, at: now + delay) }

    func schedule(_ action: Action, at time: Int64) {
        order += 1
        // Latest first, so that the next one is the last; those of one time in the order in which they were scheduled.
        let index = queue.partitionIndex { $0.time > time || $0.time == time && $0.order > order }
        queue.insert((time, order, action), at: index)
    }

    // MARK: - The run

    /// Runs until everything has come to rest.
    /// - Throws: `SimulationFailure`.
    func simulate() throws {
        feed(.start)
        schedule(.act, in: delay(10, 500))
        schedule(.read, in: delay(1, 100))
        for _ in 0..<random.next() % (isLong ? 6 : 4) { schedule(.fault, in: delay(100, UInt64(duration))) }
        for _ in 0..<1 + random.next() % 3 { schedule(.placeBid, in: delay(1000, UInt64(duration))) }
        if chance(15) { schedule(.restartApp, in: delay(1000, UInt64(duration))) }
        schedule(.heal, at: duration)
        let limit = duration + 400_000
        while now <= limit {
            try step()
            if isHealed, isAtRest { break }
        }
        try checkRest()
        drain()
        try checkBids()
    }

    private func step() throws {
        var next = queue.last?.time ?? .max
        if let deadline = connectionDeadline { next = min(next, max(deadline, asleepUntil)) }
        for deadline in bidDeadlines { if let deadline { next = min(next, max(deadline, asleepUntil)) } }
        guard next < .max else { throw failure("nothing is going to happen") }
        now = max(now, next)
        if let last = queue.last, last.time <= now {
            queue.removeLast()
            perform(last.action)
        } else {
            if let deadline = connectionDeadline, deadline <= now { feed(.timePassed) }
            for index in bids.indices { if let deadline = bidDeadlines[index], deadline <= now { feed(index, .timePassed) } }
        }
        if let found = checks.found { throw failure(found) }
    }

    func noteDeadline() {
        connectionDeadline =
            bug == .neverNoticesStalls && connection.life.state == .live ? nil : connection.nextDeadline?.milliseconds
    }

    func failure(_ text: String) -> SimulationFailure {
        SimulationFailure(seed: seed, description: "seed \(seed), \(now) ms: \(text)")
    }

    /// Live again, everything delivered, no command in progress, and nothing to be sent again.
    private var isAtRest: Bool {
        guard case .live = checks.published, checks.delivered == service.seq else { return false }
        return bids.allSatisfy { $0.exchange == nil && $0.outcome?.isUnknown == false }
    }

    /// Requests that are still on their way arrive now.
    private func drain() {
        for (_, _, action) in queue.reversed() {
            if case .request(let call, let origin, false) = action, case .bid = origin {
                _ = service.respond(to: call, at: now)
            }
        }
    }

    private func checkRest() throws {
        guard !isAtRest else { return }
        let unfinished = bids.filter { $0.outcome?.isUnknown != false }.count
        throw failure(
            "not at rest: \(checks.published), delivered \(checks.delivered ?? 0) of \(service.seq), \(unfinished) bids unknown"
        )
    }

    private func checkBids() throws {
        for bid in bids {
            let count = service.bids[bid.amount] ?? 0
            if count > 1 { throw failure("bid \(bid.amount) was placed \(count) times") }
            if let outcome = bid.outcome, let isPlaced = outcome.claimsToBePlaced, isPlaced != (count == 1) {
                throw failure("bid \(bid.amount): \(outcome), but placed \(count) times")
            }
        }
    }
}

/// A bid of the simulated app.
struct SimulatedBid {
    let command: PendingCommand
    /// In minor units, and no other bid has it.
    let amount: Int64
    var exchange: Exchange?
    var attempts = 0
    /// No attempt earlier than this, because the service said so.
    var notBefore: Int64 = 0
    var outcome: BidOutcome?
}

extension BidOutcome {
    var isUnknown: Bool {
        switch self {
        case .unknown: true
        default: false
        }
    }

    /// Whether the bid is said to be in the log; nil where that is left open.
    var claimsToBePlaced: Bool? {
        switch self {
        case .leading, .outbid, .sealed: true
        case .notSent: false
        case .refused(let refusal): refusal.refusal.mayStillBeCarriedOut ? nil : false
        case .unknown: nil
        }
    }
}

extension Array {
    /// The first index from which on the condition is false; it is true for all before.
    func partitionIndex(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

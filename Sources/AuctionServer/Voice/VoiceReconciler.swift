internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Which calls the RTC service receives, and when, so that the participants of each room may do there what they may do here: without input
/// and output, so that a test can simulate the service, the clock, and all that goes wrong between them.
///
/// A change is sent at once, and then the room is compared again and again for as long as a token from before the change can be used: who
/// joins with it has the rights of before, as has everyone after a restart of the RTC service. Later tokens have the right ones.
struct VoiceReconciler: Sendable {
    /// Rooms that are kept in mind; beyond it those that changed longest ago are forgotten, and if all wait for calls, events wait.
    static let roomLimit = 10_000
    /// Rooms up to which those of a sweep are added, so that rooms that change have their place.
    static let sweepLimit = 5000
    /// Calls in any second, …
    static let callsPerSecond = 10
    /// … and of these, comparisons.
    static let comparisonsPerSecond = 5
    /// Calls at once; one while the service is not well.
    static let inFlightLimit = 4
    /// Nanoseconds between two comparisons of a room, …
    static let comparisonPause: Int64 = 15_000_000_000
    /// … and after a change in which tokens from before can be used, with the minute that clocks may differ by.
    static let watch: Int64 = (LiveKitToken.lifetimeSeconds + 60) * 1_000_000_000
    /// Positions that are kept in mind: of four hours in which the service is away.
    static let markLimit = 1000
    /// The first pause after a failure, and the longest, in nanoseconds.
    static let pauses: ClosedRange<Int64> = 500_000_000...5_000_000_000

    /// What is to be sent.
    private struct Due: Sendable {
        let order: VoiceCall.Order
        let since: Timestamp?
    }

    private struct Tracked: Sendable {
        var rights: VoiceRights
        /// The last order about each, the oldest first.
        var due: [Due] = []
        var isCalled = false
        var compareAt: Int64
        /// When it changed last.
        var changedAt: Int64
        var backOff = VoiceBackOff()

        mutating func add(_ order: VoiceCall.Order, since: Timestamp?) {
            due.removeAll { $0.order.isAboutSame(as: order) }
            due.append(Due(order: order, since: since))
        }

        /// Puts back what was not done, unless something later is about the same.
        mutating func putBack(_ call: VoiceCall) {
            guard call.order != .list, !due.contains(where: { $0.order.isAboutSame(as: call.order) }) else { return }
            due.insert(Due(order: call.order, since: call.since), at: 0)
        }

        /// Finds out what is not as it should be. What the events say stays: one of them may be about a participant who has joined since.
        mutating func compare(_ present: [String: Bool], _ rights: VoiceRights) {
            guard !rights.isOver else {
                if !present.isEmpty { add(.deleteRoom, since: nil) }
                return
            }
            for (identity, speaks) in present.sorted(by: { $0.key < $1.key }) {
                // Others are viewers without a token, who never speak, and participants of the operator's own.
                guard let user = UserID(identity) else { continue }
                let right = rights.right(of: user)
                if right == .none {
                    add(.remove(user), since: nil)
                } else if speaks != (right == .speak), !due.contains(where: { $0.order == .remove(user) }) {
                    add(.permit(user, speaks: right == .speak), since: nil)
                }
            }
        }
    }

    private struct Mark: Sendable {
        let position: FeedPosition
        let at: Int64
    }

    private var rooms: [RoomID: Tracked] = [:]
    /// Rooms with something to send, in the order in which it came up.
    private var queue: [RoomID] = []
    private var inFlight: [Int: VoiceCall] = [:]
    private var number = 0
    private var pace = VoicePace()
    private var service = VoiceBackOff()
    private var marks: [Mark] = []
    /// All events before it are taken.
    private(set) var position: FeedPosition

    init(at position: FeedPosition) { self.position = position }

    /// Calls that wait, or whose answers do, without comparisons.
    var waiting: Int { inFlight.values.count { $0.order != .list } + rooms.values.reduce(0) { $0 + $1.due.count } }

    /// Whether it takes more events.
    var wantsEvents: Bool { rooms.count < Self.roomLimit || rooms.values.contains { $0.due.isEmpty && !$0.isCalled } }

    // MARK: - Events

    /// All events before this position were taken.
    mutating func passed(_ position: FeedPosition, at monotonic: Int64) {
        if marks.last.map({ monotonic - $0.at >= Self.comparisonPause }) ?? true {
            marks.append(Mark(position: self.position, at: monotonic))
        }
        self.position = position
        guard let earliest = rooms.values.map(\.changedAt).min() else { return marks.removeAll() }
        marks.removeFirst(marks.lastIndex { $0.at <= earliest } ?? 0)
        // The first one counts; what is between may be read again.
        if marks.count > Self.markLimit { marks.remove(at: 1) }
    }

    /// Where another node begins that takes over, or this one after a restart: before the changes that are watched still.
    func resumption() -> FeedPosition {
        guard let earliest = rooms.values.map(\.changedAt).min() else { return position }
        return marks.last { $0.at <= earliest }?.position ?? marks.first?.position ?? position
    }

    /// Nanoseconds since the earliest change that is watched still; 0 if there is none.
    func watching(at monotonic: Int64) -> Int64 {
        rooms.values.map(\.changedAt).min().map { max(0, monotonic - $0) } ?? 0
    }

    /// A room changed.
    /// - Parameters:
    ///   - rights: What everyone may do in it now.
    ///   - removed: Those who were removed from it, whatever they may do now.
    ///   - instant: When the event happened.
    mutating func take(
        _ room: RoomID, _ rights: VoiceRights, removed: [UserID] = [], since instant: Timestamp, at monotonic: Int64
    ) {
        if rooms[room] == nil { makePlace() }
        // What the service has received about a room that was not kept in mind is not known: it is compared.
        var tracked = rooms[room] ?? Tracked(rights: rights, compareAt: monotonic, changedAt: monotonic)
        let before = tracked.rights.speakers
        (tracked.rights, tracked.changedAt) = (rights, monotonic)
        if rights.isOver {
            tracked.due = []
            tracked.add(.deleteRoom, since: instant)
        } else {
            for user in before.symmetricDifference(rights.speakers).sorted() {
                tracked.add(.permit(user, speaks: rights.speakers.contains(user)), since: instant)
            }
            for user in removed { tracked.add(.remove(user), since: instant) }
        }
        rooms[room] = tracked
        enqueue(room)
    }

    /// Compares a room of which it is not known what the service has received: once, or for as long as a token from before its last event
    /// can be used.
    /// - Parameter quietFor: Nanoseconds since its last event.
    mutating func check(_ room: RoomID, _ rights: VoiceRights, quietFor: Int64, at monotonic: Int64) {
        // Of one that changed since, more is known.
        guard rooms[room] == nil else { return }
        makePlace()
        let quiet = min(max(0, quietFor), Self.watch + 1)
        rooms[room] = Tracked(rights: rights, compareAt: monotonic, changedAt: monotonic - quiet)  // proven: at most the watch
    }

    /// Whether it has place for rooms of a sweep.
    var hasPlaceToCheck: Bool { rooms.count < Self.sweepLimit }

    /// Whether the service agrees about all that was taken and checked until then, and no token from before is valid.
    func isSettled(until monotonic: Int64) -> Bool { rooms.values.allSatisfy { $0.changedAt > monotonic } }

    private mutating func makePlace() {
        guard rooms.count >= Self.roomLimit else { return }
        let idle = rooms.filter { $0.value.due.isEmpty && !$0.value.isCalled }
        if let oldest = idle.min(by: { ($0.value.changedAt, $0.key) < ($1.value.changedAt, $1.key) }) {
            rooms[oldest.key] = nil
        }
    }

    private mutating func enqueue(_ room: RoomID) {
        guard rooms[room]?.due.isEmpty == false, !queue.contains(room) else { return }
        queue.append(room)
    }

    // MARK: - Calls

    /// The next call to be sent now; nil: none for now. `finished` has to follow.
    mutating func nextCall(at monotonic: Int64) -> VoiceCall? {
        guard service.allows(at: monotonic), inFlight.count < (service.isWell ? Self.inFlightLimit : 1),
            pace.allows(Self.callsPerSecond, at: monotonic)
        else { return nil }
        if let call = nextDue(at: monotonic) ?? nextComparison(at: monotonic) {
            inFlight[call.number] = call
            rooms[call.room]?.isCalled = true
            pace.take(isComparison: call.order == .list, at: monotonic)
            return call
        }
        return nil
    }

    private mutating func nextDue(at monotonic: Int64) -> VoiceCall? {
        for (index, room) in queue.enumerated() {
            guard var tracked = rooms[room], !tracked.isCalled, tracked.backOff.allows(at: monotonic),
                !tracked.due.isEmpty
            else { continue }
            let due = tracked.due.removeFirst()
            rooms[room] = tracked
            queue.remove(at: index)
            // Behind the others.
            enqueue(room)
            return call(room, due.order, since: due.since)
        }
        return nil
    }

    private mutating func nextComparison(at monotonic: Int64) -> VoiceCall? {
        guard pace.allowsComparison(Self.comparisonsPerSecond, at: monotonic) else { return nil }
        let candidates = rooms.lazy.filter {
            $0.value.compareAt <= monotonic && !$0.value.isCalled && $0.value.due.isEmpty
                && $0.value.backOff.allows(at: monotonic)
        }
        guard let next = candidates.min(by: { ($0.value.compareAt, $0.key) < ($1.value.compareAt, $1.key) }) else { return nil }
        return call(next.key, .list, since: nil)
    }

    private mutating func call(_ room: RoomID, _ order: VoiceCall.Order, since: Timestamp?) -> VoiceCall {
        number += 1
        return VoiceCall(number: number, room: room, order: order, since: since)
    }

    /// Takes what came of a call. An answer that comes twice counts once.
    /// - Parameter jitter: From 0 to 1, at random.
    /// - Returns: Whether it was the first answer.
    @discardableResult
    mutating func finished(_ call: VoiceCall, _ answer: VoiceAnswer, at monotonic: Int64, jitter: Double) -> Bool {
        // The number is also that of a call from before the node lost the lease and took it again.
        guard inFlight[call.number] == call else { return false }
        inFlight[call.number] = nil
        guard var tracked = rooms[call.room] else { return true }
        tracked.isCalled = false
        switch answer {
        case .done:
            service.succeeded()
            tracked.backOff.succeeded()
        case .participants(let present, let rights):
            service.succeeded()
            tracked.backOff.succeeded()
            tracked.compare(present, rights)
            tracked.compareAt = monotonic + Self.comparisonPause
        case .refused:
            service.succeeded()
            tracked.backOff.failed(at: monotonic, Self.pauses, jitter: jitter)
            tracked.putBack(call)
        case .failed, .unsent:
            service.failed(at: monotonic, Self.pauses, jitter: jitter)
            tracked.putBack(call)
        }
        // When the last token from before is over, and the service agrees.
        let isOver = tracked.due.isEmpty && call.order == .list && monotonic - tracked.changedAt > Self.watch
        if isOver, case .participants = answer {
            rooms[call.room] = nil
        } else {
            rooms[call.room] = tracked
            enqueue(call.room)
        }
        return true
    }
}

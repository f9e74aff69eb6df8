internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import Synchronization

/// The log of every simulated process, with injected faults.
struct SimulatedLog {
    /// A fault injected into one append.
    enum AppendFault {
        case statement
        case full
        /// The disk fails; the append may be durable all the same, and the process cannot know.
        case io(committed: Bool)
        case outcomeUnknown(committed: Bool)
        /// A shared log is unreachable for this append.
        case unavailable
    }

    /// Prefix of messages whose append always fails; only their sender may notice.
    static let poison = "poison"

    let log: InMemoryEventLog
    /// A closed log, whose methods throw; used by processes whose link is cut.
    let unreachable = InMemoryEventLog()
    /// Simulated milliseconds that the log's clock reads.
    let time: SimulatedTime
    private let bug: SimulationBug?
    private var bugGenerator: SeededGenerator

    init(isShared: Bool, bug: SimulationBug?, seed: UInt64) {
        let time = SimulatedTime()
        self.time = time
        log = isShared ? InMemoryEventLog { SimulatedClock.instant(of: time.now) } : InMemoryEventLog()
        unreachable.close()
        self.bug = bug
        bugGenerator = SeededGenerator(seed: seed ^ 0xB06)
    }

    mutating func append(_ appends: [RoomAppend], _ appendFault: AppendFault?) -> Result<[AppendVerdict], EventLogError> {
        switch appendFault {
        case .statement: return .failure(EventLogError(.statement, "a statement failed"))
        case .full: return .failure(EventLogError(.full, "no space"))
        case .io(let committed):
            if committed { _ = store(appends) }
            return .failure(EventLogError(.io, "the disk failed"))
        case .outcomeUnknown(let committed):
            if committed { _ = store(appends) }
            return .failure(EventLogError(.outcomeUnknown, "no reply to the commit"))
        case .unavailable: return .failure(EventLogError(.unavailable, "out of reach"))
        case nil: break
        }
        if appends.contains(where: \.isPoisoned) { return .failure(EventLogError(.statement, "poisoned")) }
        return store(appends)
    }

    private mutating func store(_ appends: [RoomAppend]) -> Result<[AppendVerdict], EventLogError> {
        var appends = appends
        if bug == .bidsNotIndexed {
            appends = appends.map { $0.events.contains { $0.type == "bid.placed" } ? $0.with(users: UserChanges()) : $0 }
        }
        if bug == .linkedWinsNotIndexed {
            appends = appends.map { $0.users.transfers.isEmpty ? $0 : $0.with(users: $0.users.withoutTransfers) }
        }
        if bug == .keysNotStored { appends = appends.map { $0.with(responses: []) } }
        if bug == .appendLost, let last = appends.last, last.events.contains(where: { $0.type == "bid.placed" }),
            bugGenerator.once(in: 6)
        {
            let kept = Result { () throws(EventLogError) in try log.append(Array(appends.dropLast())) }
            return kept.map { $0 + [.appended(responsePositions: last.responses.indices.map { Int64($0) + 1 })] }
        }
        if bug == .headHashIgnored { appends = rebased(appends) }
        let stored = appends
        let result = Result { () throws(EventLogError) in try log.append(stored) }
        guard bug == .keysNotStored else { return result }
        return result.map { $0.map { if case .appended = $0 { .appended(responsePositions: [1, 1, 1, 1]) } else { $0 } } }
    }

    /// Accepts a head with the right seq and the wrong hash: the planted bug `headHashIgnored`.
    private func rebased(_ appends: [RoomAppend]) -> [RoomAppend] {
        appends.map { append in
            guard let head = (try? log.heads(of: [append.room]))?.first, head.seq == append.expected.seq else { return append }
            return append.with(expected: head)
        }
    }

    /// A report whose public data begins with the members of the private part.
    private static func showingReporter(_ event: StoredEvent) -> StoredEvent {
        guard event.type == "message.reported", let secret = event.privateBytes,
            let data = AuditedEvent.read(event.publicBytes),
            let reports = data["data"]?["reports"]?.int
        else { return event }
        let mark = Array("\"data\":{\"reports\":\(reports)}}".utf8)
        let shown = Array("\"data\":{".utf8) + secret.dropFirst().dropLast() + Array(",\"reports\":\(reports)}}".utf8)
        guard event.publicBytes.suffix(mark.count).elementsEqual(mark) else { return event }
        return StoredEvent(
            seq: event.seq, at: event.at, type: event.type, publicBytes: event.publicBytes.dropLast(mark.count) + shown,
            privateBytes: secret, hash: event.hash)
    }

    /// A room's whole history, changed by the planted bug, if any.
    func history(of room: RoomID) -> [StoredEvent] {
        var events: [StoredEvent] = []
        if case .success(let stored) = Result(catching: { () throws(EventLogError) in
            try log.events(of: room, after: 0, limit: .max)
        }) {
            events = stored
        }
        switch bug {
        case .historyGap where events.count > 12: events.remove(at: events.count - 7)
        case .historyRewritten where events.count > 12:
            let old = events[events.count - 7]
            var bytes = old.publicBytes
            if let digit = bytes.lastIndex(where: { (0x30...0x39).contains($0) }) { bytes[digit] ^= 1 }
            events[events.count - 7] = StoredEvent(
                seq: old.seq, at: old.at, type: old.type, publicBytes: bytes, privateBytes: old.privateBytes, hash: old.hash)
        case .reporterShown: events = events.map(Self.showingReporter)
        case .absenteeShown: events = events.map { $0.showing(from: "\"maximum\":", until: "}") }
        case .absenteeBidderShown: events = events.map { $0.showing(from: "\"bidder\":", until: ",\"bidId\"") }
        default: break
        }
        return events
    }
}

extension StoredEvent {
    /// An event about absentee bids whose public part ends with a member of the private one.
    fileprivate func showing(from name: String, until end: String) -> StoredEvent {
        guard type == "lot.bidsChanged", let hidden = privateBytes.map({ String(decoding: $0, as: UTF8.self) }),
            let start = hidden.firstRange(of: name)?.lowerBound,
            let stop = hidden[start...].firstRange(of: end)?.lowerBound
        else { return self }
        let bytes = publicBytes.dropLast(2) + Array(",\(hidden[start..<stop])}}".utf8)
        return StoredEvent(
            seq: seq, at: at, type: type, publicBytes: Array(bytes), privateBytes: privateBytes, hash: hash)
    }
}

extension RoomAppend {
    fileprivate var isPoisoned: Bool {
        events.contains { $0.type == "message.sent" && $0.publicBytes.contains(text: "\"text\":\"\(SimulatedLog.poison)") }
    }

    fileprivate func with(
        responses: [StoredResponse]? = nil, expected: RoomHead? = nil, users: UserChanges? = nil
    ) -> RoomAppend {
        RoomAppend(
            room: room, expected: expected ?? self.expected, events: events, profile: profile, status: status,
            responses: responses ?? self.responses, dueAt: dueAt, notBefore: notBefore, users: users ?? self.users)
    }
}

extension [UInt8] {
    /// Whether these bytes contain the text's UTF-8 bytes.
    func contains(text: String) -> Bool {
        let wanted = [UInt8](text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { start in
            self[start] == first && self[start..<start + wanted.count].elementsEqual(wanted)
        }
    }
}

/// Simulated milliseconds in a sendable box, for the log's clock closure.
final class SimulatedTime: Sendable {
    private let milliseconds = Atomic<Int64>(0)

    var now: Int64 { milliseconds.load(ordering: .relaxed) }

    func set(_ now: Int64) { milliseconds.store(now, ordering: .relaxed) }
}

extension UserChanges {
    fileprivate var withoutTransfers: UserChanges {
        var changes = UserChanges()
        (changes.participations, changes.wins, changes.archives) = (participations, wins, archives)
        return changes
    }
}

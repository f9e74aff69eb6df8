import AuctionDomain
import EventLog
import Synchronization
import Testing

/// A shared log that the suite for nodes runs against: one line in `all` adds another.
struct SharedBackEnd: Sendable, CustomTestStringConvertible {
    /// An opened log, and what a test does to it from outside.
    struct Opened {
        let log: any SharedEventLog
        /// As another node has it.
        let other: any SharedEventLog
        /// Lets time pass, for everything that is stored.
        let pass: (_ milliseconds: Int64) throws -> Void
        var end: () -> Void = {}
    }

    let testDescription: String
    let open: @Sendable () throws -> Opened

    static let all = [memory, postgres]

    static let memory = SharedBackEnd(testDescription: "memory") {
        let clock = SteppedClock(Samples.noon)
        let log = InMemoryEventLog(clock: { clock.now })
        return Opened(log: log, other: log, pass: { clock.step($0) })
    }

    func withLog(_ body: (Opened) throws -> Void) throws {
        let opened = try open()
        defer { opened.end() }
        defer {
            opened.log.close()
            opened.other.close()
        }
        try body(opened)
    }
}

/// Stands still until it is told.
final class SteppedClock: Sendable {
    private let instant: Mutex<Timestamp>

    init(_ instant: Timestamp) { self.instant = Mutex(instant) }

    var now: Timestamp { instant.withLock { $0 } }

    func step(_ milliseconds: Int64) {
        instant.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + milliseconds) }
    }
}

extension SharedEventLog {
    /// The log's clock as it tells it to whoever lives.
    func clockNow() throws -> Timestamp { try heartbeat(of: NodeID(bits: 99)).at }

    /// An append of one event stamped relative to the log's clock.
    func append(
        _ room: inout SampleRoom, stamped milliseconds: Int64 = 0, notBefore: Timestamp? = nil, dueAt: Timestamp? = nil,
        answers: [AnswerRecord] = []
    ) throws -> AppendVerdict {
        let before = room
        let at = Timestamp(milliseconds: try clockNow().milliseconds + milliseconds)
        let plain = room.next(answers: answers)
        let events = plain.events.map {
            StoredEvent(seq: $0.seq, at: at, type: $0.type, publicBytes: $0.publicBytes, privateBytes: nil, hash: $0.hash)
        }
        let verdict = try append([
            RoomAppend(
                room: room.id, expected: plain.expected, events: events, profile: plain.profile, status: plain.status,
                answers: answers, dueAt: dueAt, notBefore: notBefore)
        ])[0]
        if case .appended = verdict { return verdict }
        room = before
        return verdict
    }
}

/// The tests that every shared log must pass beyond `LogConformance`.
@Suite struct SharedConformance {}

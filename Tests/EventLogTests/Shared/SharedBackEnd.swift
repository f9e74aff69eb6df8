import AuctionDomain
import AuctionTestKit
import EventLog
import Synchronization
import Testing

/// A shared log for `SharedConformance`. Add a new one to `all`.
struct SharedBackEnd: Sendable, CustomTestStringConvertible {
    /// An open log, and control of its environment.
    struct Opened {
        let log: any SharedEventLog
        /// The same log, as opened by another node.
        let other: any SharedEventLog
        /// Simulates the passing of time for everything stored.
        let advanceTime: (_ milliseconds: Int64) throws -> Void
        /// Called at the end of the test.
        var cleanUp: () -> Void = {}
    }

    let testDescription: String
    let open: @Sendable () throws -> Opened

    static let all = [memory, postgres]

    static let memory = SharedBackEnd(testDescription: "memory") {
        let clock = SteppedClock(Samples.noon)
        let log = InMemoryEventLog(clock: { clock.now })
        return Opened(log: log, other: log, advanceTime: { clock.step($0) })
    }

    func withLog(_ body: (Opened) throws -> Void) throws {
        let opened = try open()
        defer { opened.cleanUp() }
        defer {
            opened.log.close()
            opened.other.close()
        }
        try body(opened)
    }
}

/// A clock that only advances by `step`.
final class SteppedClock: Sendable {
    private let instant: Mutex<Timestamp>

    init(_ instant: Timestamp) { self.instant = Mutex(instant) }

    var now: Timestamp { instant.withLock { $0 } }

    func step(_ milliseconds: Int64) {
        instant.withLock { $0 = Timestamp(milliseconds: $0.milliseconds + milliseconds) }
    }
}

extension SharedEventLog {
    /// The log's time, read with a heartbeat of node 99.
    func clockNow() throws -> Timestamp { try heartbeat(of: NodeID(bits: 99)).at }

    /// Appends one event with a timestamp relative to the log's clock; `room` changes only on success.
    func append(
        _ room: inout SampleRoom, stamped milliseconds: Int64 = 0, notBefore: Timestamp? = nil, dueAt: Timestamp? = nil,
        responses: [StoredResponse] = []
    ) throws -> AppendVerdict {
        let before = room
        let at = Timestamp(milliseconds: try clockNow().milliseconds + milliseconds)
        let next = room.next(responses: responses).stamped(at, notBefore: notBefore, dueAt: dueAt)
        let verdict = try append([next])[0]
        if case .appended = verdict { return verdict }
        room = before
        return verdict
    }
}

extension RoomAppend {
    /// The same with another time of its events.
    func stamped(_ at: Timestamp, notBefore: Timestamp? = nil, dueAt: Timestamp? = nil) -> RoomAppend {
        let stamped = events.map {
            StoredEvent(seq: $0.seq, at: at, type: $0.type, publicBytes: $0.publicBytes, privateBytes: nil, hash: $0.hash)
        }
        return RoomAppend(
            room: room, expected: expected, events: stamped, profile: profile, status: status, responses: responses,
            dueAt: dueAt, notBefore: notBefore)
    }
}

/// The tests that every `SharedEventLog` must pass in addition to `LogConformance`.
@Suite struct SharedConformance {}

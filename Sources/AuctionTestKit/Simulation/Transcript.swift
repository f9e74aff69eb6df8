internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Everything that somebody outside could know of a run: requests, answers, what subscribers were sent, and the log.
struct Transcript {
    var requests: [ClientRequest] = []
    var attempts: [Attempt] = []
    var subscriptions: [Subscription] = []
    /// Instants of the wall clock at which open rounds were due their grace: restarts and forward jumps.
    var disturbances: [Disturbance] = []
    /// When which process's log failed for good.
    var failures: [ProcessName: Int64] = [:]
    /// Rooms as processes had them committed when they ended, and at the end.
    var committed: [Room] = []
    var log: [RoomID: [StoredEvent]] = [:]
    var snapshots: [RoomID: RoomSnapshot] = [:]
    /// In the order they were asked for.
    var rooms: [RoomID] = []
    /// Whether the log had one process only.
    var isSingle = true
    /// In simulated time: from when to when some process of several served and reached the log.
    var spans: [ClosedRange<Int64>] = []
    /// In simulated time: when an append failed.
    var mishaps: [Int64] = []
    /// In simulated time: when a process of one began its life.
    var starts: [Int64] = []
    /// In simulated time: when the log got each event.
    var storedAt: [RoomID: [Int: Int64]] = [:]
    /// In simulated time.
    var endedAt: Int64 = 0
    /// By how much wall clocks were set back, all in all, in milliseconds.
    var setBacks: Int64 = 0
    /// By how much they were set forward with nobody there to notice, or to remember it.
    var unseenJumps: Int64 = 0
}

/// What a client wants once, however often it asks.
struct ClientRequest {
    let number: Int
    let room: RoomID
    let command: Command
    let caller: Person
    let key: IdempotencyKey?
    /// Which step of the run it comes from.
    let step: Int
}

/// One life of one process.
struct ProcessName: Hashable, CustomStringConvertible {
    let node: Int
    let life: Int
    var description: String { "node \(node) life \(life)" }
}

/// One copy of a request that went out, and what came back.
struct Attempt {
    let number: Int
    let request: Int
    /// What the process drew for it, so that the auditor knows the identifiers it must have made.
    let seed: UInt64
    let sentAt: Int64
    var arrivedAt: Int64?
    /// What the process's clock showed then: a key is as old as the request that it came with.
    var arrival: Timestamp?
    var process: ProcessName?
    /// What the process sent, whether or not it arrived.
    var answeredAt: Int64?
    var answer: Answer?
    /// When the client had it; nil: it got lost.
    var receivedAt: Int64?
    /// Nobody was there to take it.
    var wasUnreachable = false

    var received: Answer? { receivedAt == nil ? nil : answer }
    var isReplay: Bool { answer?.headers.contains(SimulatedAnswers.replayed) ?? false }
}

/// What one reader has been sent of one room.
struct Subscription {
    let room: RoomID
    /// The last seq before the first event that it asked for.
    let start: Int
    var events: [StoredEvent] = []
    /// What it asks for next.
    var cursor: Int
    let reader: Person
    var pages: [SentPage] = []
}

/// Events that a process sent to a reader, whether or not they arrived.
struct SentPage {
    /// The last one's seq.
    let through: Int
    /// Where the process had the room when it sent them.
    let seq: Int
}

/// Open rounds of these rooms must not end by themselves before this much later.
struct Disturbance {
    enum Cause: String { case outage, clock }
    let cause: Cause
    /// By the process's wall clock.
    let at: Timestamp
    /// Rounds that were due before are not meant; nil: all are.
    let since: Timestamp?
    /// In simulated time.
    let noted: Int64
    /// How far each room's history went.
    var rooms: [RoomID: Int]
}

/// A promise that was broken.
public struct SimulationFinding: Hashable, Sendable, CustomStringConvertible {
    /// The promise, in a word.
    public let rule: String
    public let text: String

    public var description: String { "\(rule): \(text)" }
}

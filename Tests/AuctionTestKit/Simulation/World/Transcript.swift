internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Everything observable of a run from outside: requests, responses, delivered events and the log.
struct Transcript {
    var requests: [ClientRequest] = []
    var attempts: [Attempt] = []
    var subscriptions: [Subscription] = []
    /// Outages and forward clock jumps after which deadlines of open rounds must be extended.
    var requiredExtensions: [RequiredExtension] = []
    /// Simulated time of the permanent failure of each process's log.
    var failures: [ProcessName: Int64] = [:]
    /// Committed rooms of each process at its crash or at the end of the run.
    var committed: [Room] = []
    var log: [RoomID: [StoredEvent]] = [:]
    var snapshots: [RoomID: RoomSnapshot] = [:]
    /// The rows of each room in the index by user, at the end of the run.
    var users: [RoomID: UserChanges] = [:]
    /// In the order in which they were requested.
    var rooms: [RoomID] = []
    /// Whether the log had a single process.
    var isSingle = true
    /// Ranges of simulated time in which a process of a shared log served and reached the log.
    var servedSpans: [ClosedRange<Int64>] = []
    /// Ranges of simulated time in which the link of a process to the shared log was cut.
    var cutSpans: [ClosedRange<Int64>] = []
    /// Ranges of simulated time in which each user was subscribed to each room, by user id.
    var presence: [RoomID: [String: [ClosedRange<Int64>]]] = [:]
    /// Simulated times of failed appends.
    var failedAppends: [Int64] = []
    /// Simulated times at which the process of an unshared log started.
    var starts: [Int64] = []
    /// Simulated time at which the log stored each event, by seq.
    var storedAt: [RoomID: [Int: Int64]] = [:]
    /// What each reader of the feed received, in its order.
    var feeds: [[ReceivedFeedEvent]] = []
    /// Simulated time at the end of the run.
    var endedAt: Int64 = 0
    /// Sum of all backward steps of wall clocks, in milliseconds.
    var setBacks: Int64 = 0
    /// Simulated times at which a wall clock was set forward, in order.
    var forwardSteps: [Int64] = []
    /// Sum of the forward steps, in milliseconds, that no running process noticed or stored.
    var unseenJumps: Int64 = 0
}

/// A command that a client wants executed once, however many attempts it sends.
struct ClientRequest {
    let number: Int
    let room: RoomID
    let command: Command
    let caller: Person
    let key: IdempotencyKey?
    /// Step of the run in which it was created.
    let step: Int
}

/// One process of a node; `life` counts the node's restarts.
struct ProcessName: Hashable, CustomStringConvertible {
    let node: Int
    let life: Int
    var description: String { "node \(node) life \(life)" }
}

/// One copy of a request that was sent, and its response.
struct Attempt {
    let number: Int
    let request: Int
    /// Seed of the process's identifiers for it, from which the auditor computes them.
    let seed: UInt64
    let sentAt: Int64
    var arrivedAt: Int64?
    /// Service time of its arrival, from which its key's age counts.
    var arrival: Timestamp?
    var process: ProcessName?
    /// When the process sent the response, whether or not it arrived.
    var answeredAt: Int64?
    var response: CommandResponse?
    /// When the client received the response; nil if it was lost.
    var receivedAt: Int64?
    /// Whether no process was serving when it arrived.
    var wasUnreachable = false

    var isReplay: Bool { response?.headers.contains(SimulatedResponseEncoder.replayed) ?? false }
}

/// Events of one room delivered to one reader.
struct Subscription {
    let room: RoomID
    /// Seq before the first requested event.
    let start: Int
    var events: [StoredEvent] = []
    /// `after` of the next poll.
    var cursor: Int
    let reader: Person
    var pages: [SentPage] = []
}

/// A page of events sent to a reader, whether or not it arrived.
struct SentPage {
    /// Seq of the last event.
    let through: Int
    /// The room's seq in the process when it sent them.
    let seq: Int
}

/// An outage or clock jump: deadlines of these rooms' open rounds must be extended.
struct RequiredExtension {
    enum Cause: String { case outage, clock }
    let cause: Cause
    /// Reading of the process's wall clock.
    let at: Timestamp
    /// Rounds with an earlier deadline are exempt; nil if none are.
    let since: Timestamp?
    /// Simulated time at which it was recorded.
    let noted: Int64
    /// Seq of each room at that time.
    var rooms: [RoomID: Int]
}

/// A broken guarantee.
package struct SimulationFinding: Hashable, Sendable, CustomStringConvertible {
    /// Short name of the guarantee.
    package let rule: String
    /// Room, seq or attempt, and what was wrong.
    package let text: String

    package var description: String { "\(rule): \(text)" }
}

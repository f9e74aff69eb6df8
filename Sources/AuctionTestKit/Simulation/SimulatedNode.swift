internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// One life of one process: the product's cores, and what its threads would hold between their steps.
final class SimulatedNode {
    let name: ProcessName
    let encoder: SimulatedAnswers
    var sequencer: Sequencer
    var committer: Committer
    var feed = Feed()
    /// Whether clients reach it: once it has recovered, until it dies.
    var isServing = false
    /// Whether its life has begun; until then it is only a name for whoever comes next.
    var hasStarted = false
    /// Its log is lost: it answers what it has and ends.
    var failure: EventLogError?
    var inbox: [Sequencer.Input] = []
    var submitted: [Batch] = []
    var isCommitting = false
    var isTurnPlanned = false
    /// The instant for which a wake-up is planned.
    var plannedTick: Int64?
    var plannedFeedTick: Int64?
    let rooms: CommittedRooms
    /// Held and waiting polls, by exchange.
    var polls: [UInt64: Poll] = [:]
    /// When each person's last stream on a room was closed, for those who are counted as present.
    var streams: [StreamKey: OpenStreams] = [:]
    /// A snapshot that is older than it says, for the bug that is.
    var previousSnapshot: [RoomID: Room] = [:]

    struct StreamKey: Hashable {
        let room: RoomID
        let user: UserID
    }

    struct OpenStreams {
        var count: Int
        var closedAt: Timestamp
    }

    struct Poll {
        let reader: Int
        let room: RoomID
        let after: Int
        let limit: Int
        let wait: Int64
        /// The room that it watches; nil unless it is held.
        var watched: CommittedRoom?
        /// Whether the room was read for it.
        var isFresh = false
    }

    /// What it owes to the others on its log.
    var duty: NodeDuty
    /// When the log last heard of it.
    var lastBeat: Int64 = 0
    /// Until then it waits for the reply to an append that went into the void.
    var waitsUntil: Int64 = 0
    /// Rooms to which others have appended.
    var unheard: Set<RoomID> = []
    var plannedLook: Int64?
    var plannedSearch: Int64?

    init(_ name: ProcessName, rulebook: RoomRulebook, limits: ServiceLimits, groupLimit: Int, isShared: Bool) {
        self.name = name
        let bits = UInt64(name.node + 1) << 32 | UInt64(name.life + 1)
        duty = NodeDuty(NodeID(bits: bits))
        committer = Committer(groupLimit: groupLimit, outlivesFailures: isShared)
        encoder = SimulatedAnswers(rulebook: rulebook)
        rooms = CommittedRooms(limits)
        sequencer = Sequencer(
            manager: RoomManager(rulebook: rulebook), encoder: encoder, limits: limits, isShared: isShared, seed: bits)
    }

    /// Ends the turn; the sequencer cannot be touched while its directives are carried out.
    func endTurn() -> [Sequencer.Directive] { sequencer.endTurn() }
}

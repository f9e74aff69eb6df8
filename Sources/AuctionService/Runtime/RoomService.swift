package import AuctionDomain
package import EventLog

/// The running service: the cores on their threads, over one log.
///
/// Commands are submitted through `submit`, responses and events are delivered through the delivery port, reads use `rooms`.
package final class RoomService: Sendable {
    /// The log that all events are appended to.
    package let log: any EventLog
    /// The committed rooms in memory, for readers.
    package let rooms: CommittedRooms
    /// The log, if other nodes append to it too, so that memory may lag behind it; nil otherwise.
    package let shared: (any SharedEventLog)?
    private let id: NodeID
    private let node: ServiceNode
    let inputs: RoutedInputs
    let sequencers: [SequencerThread]
    let committer: CommitterThread
    let pools: ServicePools
    let housekeeping: Housekeeping
    private let hosts = ConnectedHosts()
    /// The threads that only a shared log needs; nil on a log of one process.
    private let membership: (outageLease: OutageLease, replication: ReplicationThread, presence: PresenceThread)?

    /// - Parameters:
    ///   - node: Identifies this node among those that share the log.
    ///   - sequencers: Number of sequencers, each with a thread and a part of the rooms; fewer if the limits are too small for so many.
    ///   - readerThreads: Number of threads that read the log; 0 if the service is stepped rather than started, see
    ///     `ServiceStepper`.
    package init(
        log: any EventLog, rulebook: RoomRulebook, encoder: any ResponseEncoder, limits: ServiceLimits = ServiceLimits(),
        clock: any ServiceClock = SystemClock(), port: any DeliveryPort,
        observer: (any ServiceObserver)? = nil, node id: NodeID = NodeID(bits: .random(in: 1 ... .max)),
        sequencers count: Int = 1, readerThreads: Int = 2
    ) {
        self.log = log
        self.id = id
        // A shared log always keeps working after it was unreachable; other logs never do.
        let shared = log.recoversFromFailures ? log as? any SharedEventLog : nil
        self.shared = shared
        let inputs = RoutedInputs(sequencers: limits.sequencers(atMost: count))
        self.inputs = inputs
        let node = ServiceNode(
            encoder: encoder, limits: limits, clock: clock, isShared: shared != nil, sequencers: inputs.each.count,
            loopCount: port.loopCount, observer: observer)
        self.node = node
        rooms = node.rooms
        pools = ServicePools(threads: readerThreads, limits)
        committer = CommitterThread(node, log: log, port: port, sequencers: inputs)
        let context = SequencerThread.Context(
            log: log, port: port, committer: committer, pools: pools, sequencers: inputs)
        let (manager, part) = (RoomManager(rulebook: rulebook), limits.divided(by: inputs.each.count))
        sequencers = inputs.each.indices.map { index in
            SequencerThread(index, of: node, context) {
                Sequencer(
                    manager: manager, encoder: encoder, limits: part, isShared: node.isShared, seed: id.bits ^ UInt64(index))
            }
        }
        housekeeping = Housekeeping(of: node, log: log, inputs: inputs, hosts)
        membership = shared.map { log in
            (
                OutageLease(of: node, id, log: log, inputs: inputs),
                ReplicationThread(of: node, id, log: log, inputs: inputs),
                PresenceThread(PresenceExchange(of: id, rooms: node.rooms), log: log, inputs: inputs, clock: clock)
            )
        }
    }

    /// The service's time.
    package var clock: any ServiceClock { node.clock }

    /// Whether other nodes append to the log too.
    package var isShared: Bool { shared != nil }

    /// Starts the threads and returns once deadlines that expired during an outage are extended, and the rooms that something is due in
    /// within a minute are loaded.
    /// - Throws: The log's error, if it could not be read.
    package func start() throws(EventLogError) {
        // On a shared log no deadline is handled before this node's first heartbeat, which detects an outage.
        let recovers = try membership?.outageLease.begin() ?? true
        let recovery = recovers ? try recoveryInputs() : [.recover([])]
        committer.start()
        for sequencer in sequencers { sequencer.start() }
        membership?.outageLease.start()
        for input in recovery { inputs.post(input) }
        node.health.awaitRecovery()
        if let failure = node.health.failure { throw failure }
        membership?.replication.start()
        membership?.presence.start()
        housekeeping.start()
    }

    /// What a start begins with: the open rooms are loaded, deadlines that expired during an outage are extended, and hosts whose streams the last
    /// stop has closed have the usual time to return.
    func recoveryInputs() throws(EventLogError) -> [Sequencer.Input] {
        let open = try log.pendingRooms()
        let closed = try ConnectedHosts.closedStreams(in: open, of: log, at: clock.now())
        return [.recover(open)] + (closed.isEmpty ? [] : [.presence(closed)])
    }

    /// Queues commands, in order. Every command gets a response through the delivery port.
    /// - Parameter decidesNow: Whether this thread decides them, if the sequencer of their room is idle. Sooner for a command that is alone in flight,
    ///   because no thread is woken; with more commands the event loop and the sequencer do more side by side.
    package func submit(_ requests: [CommandRequest], decidesNow: Bool = false) {
        inputs.submit(requests, decidesNow: decidesNow)
    }

    /// Loads a room into memory; the delivery port reports when that has finished.
    package func ensureLoaded(_ room: RoomID, of caller: LoadCaller, for reply: ReplyAddress) {
        inputs.post(.ensureLoaded(room, reply, for: caller))
    }

    /// Brings a room up to date with the log; the delivery port reports when memory is no older than this call.
    package func refresh(_ room: RoomID, of caller: LoadCaller, for reply: ReplyAddress) {
        inputs.post(.refresh(room, reply, for: caller))
    }

    /// Reports rooms that were deleted from the log: they leave memory.
    package func pruned(_ rooms: [RoomID]) { inputs.post(.pruned(rooms)) }

    /// Reports opened and closed streams of this node.
    package func presence(_ changes: [PresenceChange]) {
        inputs.post(.presence(changes))
        hosts.note(changes) { rooms[$0]?.view.room.members[$1]?.role }
        membership?.presence.exchange.record(changes)
    }

    /// Number of watchers of each of these rooms on all nodes; rooms without watchers may be omitted. May block on the log.
    package func viewers(of ids: [RoomID]) throws(EventLogError) -> [RoomID: Int] {
        var viewers: [RoomID: Int] = [:]
        for id in ids { viewers[id] = rooms[id]?.viewers }
        // A room that is not in memory has no watchers on this node.
        let absent = ids.filter { viewers[$0] == nil }
        guard let shared, !absent.isEmpty else { return viewers }
        for report in try shared.presence(in: absent, except: id) { viewers[report.room] = report.count }
        return viewers
    }

    /// Runs a job on the log or a large room, off the event loops, the sequencer, and the threads that commands wait for.
    /// - Parameters:
    ///   - caller: The number of queued jobs per caller is bounded.
    ///   - count: Another such bound, if it is lower.
    ///   - queue: Where it waits.
    ///   - deliver: Receives the result on the job's thread, once the job is counted no more.
    /// - Returns: False if the queue or the caller's part of it is full; then the job does not run.
    package func read<Result: Sendable>(
        for caller: String, atMost count: Int = .max, on queue: WorkQueue = .reads,
        _ work: @escaping @Sendable (any EventLog) -> Result, then deliver: @escaping @Sendable (Result) -> Void
    ) -> Bool {
        (queue == .reads ? pools.heavyReads : pools.pictures).run(
            for: caller, atMost: count, { [log] in work(log) }, then: deliver)
    }

    /// Runs a short job on pictures that a command waits for, before the uploads that wait.
    package func keepPictures(_ work: @escaping @Sendable (any EventLog) -> Void) {
        pools.pictures.run(isUrgent: true) { [log] in work(log) }
    }

    /// Runs such a job without a bound, for callers that have at most one, such as a stream.
    package func read(_ work: @escaping @Sendable (any EventLog) -> Void) {
        pools.heavyReads.run { [log] in work(log) }
    }

    /// Runs a short job that reads the log and that a command waits for.
    package func readForCommand(_ work: @escaping @Sendable (any EventLog) -> Void) {
        pools.readers.run { [log] in work(log) }
    }

    /// Number of inputs that wait for the sequencers, and of batches that wait for the committer.
    package var queued: (sequencers: Int, committer: Int) { (inputs.count, committer.depth) }

    /// Whether deadlines that expired during an outage are extended.
    package var isRecovered: Bool { node.health.isRecovered }

    /// Why commands cannot be acknowledged, permanently or at present; nil if they can.
    package var failure: EventLogError? { node.health.failure }

    /// What the log takes no more, since it fills up.
    package var fullness: LogFullness { node.health.fullness }

    /// What the log took of its disk when that was read last, and the most that it may have; 0: no limit.
    package var logSize: (now: LogSize, limit: Int64) { (node.health.logSize, node.limits.logBytes) }

    /// Waits until everything submitted is durable, then ends the threads and closes the log. Call it after the event loops have
    /// stopped submitting. Also stops a service that never started; further calls have no effect.
    package func stop() {
        housekeeping.stop()
        membership?.presence.stop()
        membership?.replication.stop()
        for sequencer in sequencers { sequencer.stop() }
        pools.finish()
        committer.stop()
        // The heartbeats have to last until here: the log would reject expired deadlines of a node that is not alive.
        membership?.outageLease.stop()
        log.close()
    }
}

// The rooms of rows of the log's lists. Call these on a reader thread, as the work of `read`.
extension RoomService {
    /// The room of a row, if it is in memory and as recent as the row; else nil.
    package func residentRoom(of row: RoomRow) -> Room? {
        // Without other nodes memory lags behind the log at most for a moment after a commit.
        guard let room = rooms[row.room]?.view.room, !isShared || room.seq >= row.head.seq else { return nil }
        return room
    }

    /// The room, if it is in memory; it may lack what other nodes have appended.
    package func residentRoom(_ room: RoomID) -> Room? { rooms[room]?.view.room }

    /// The room, replayed from the log.
    /// - Returns: nil if the room's history cannot be read.
    package func loadedRoom(_ room: RoomID, from log: any EventLog) throws(EventLogError) -> Room? {
        do throws(EventLogError) {
            return try RoomLoader.load(room, from: log, keys: .none)?.room.room
        } catch  where error.code == .corrupt {
            return nil
        }
    }
}

package import AuctionDomain
package import EventLog

extension Sequencer {
    /// What the shell reports to the sequencer.
    package enum Input: Sendable {
        /// A client's command; its response is released once it is durable.
        case command(CommandRequest)
        /// A client wants to read a room that is not in memory, perhaps for a command. The load counts against the caller's share;
        /// nil: against no one's.
        case ensureLoaded(RoomID, ReplyAddress, for: LoadCaller? = nil)
        /// A client wants to read a room with everything that any node has committed before this input.
        case refresh(RoomID, ReplyAddress, for: LoadCaller? = nil)
        /// The result of a `load` directive; nil: the log has no such room.
        case loaded(RoomID, Result<LoadedState?, EventLogError>)
        /// A submitted batch has finished, with one verdict per room in the order of `Batch.rooms`.
        case completed(Batch, [RoomVerdict])
        /// A snapshot was written; its size in bytes, nil if the write failed.
        case snapshotFinished(RoomID, size: Int?)
        /// Process every timer that is due: countdowns, host disconnect timers and deferred retries.
        case tick
        /// Unload idle rooms, except those that have watchers.
        case sweep(watched: Set<RoomID>)
        /// Streams opened and closed on this node.
        case presence([PresenceChange])
        /// Presence on other nodes has changed, as far as these rooms depend on the users concerned.
        case remotePresence([RoomPresenceReport])
        /// The service has started, or an outage of all nodes has ended: extend deadlines of these open rooms that expired during the
        /// outage, and schedule the others.
        case recover([PendingRoom])
        /// The open rooms of all sequencers have been read, see `recoveryRead`: extend the deadlines that expired during the outage.
        case extendDeadlines
        /// Other nodes may have appended to these rooms, up to these sequence numbers.
        case lagging([RoomWatermark])
        /// The result of a `catchUp` directive; nil: the room has to be loaded from its snapshot instead.
        case caughtUp(RoomID, Result<CaughtUpState?, EventLogError>)
        /// Deadlines of these rooms expired a while ago; the node responsible for them may have crashed.
        case expired([RoomID])
        /// These rooms were deleted from the log.
        case pruned([RoomID])
        /// The log failed permanently outside of an append.
        case logFailed(EventLogError)
        /// The last input of clients: what is in flight is completed, but nothing is tried again and no timer fires, so that the stop ends
        /// also while the log takes no appends.
        case stop
    }

    /// What the shell has to do, in order.
    package enum Directive: Sendable {
        /// Append the batch to the log, then hand in `completed`.
        case submit(Batch)
        /// Send these responses now.
        case release([AddressedResponse])
        /// Load a room from the log, then hand in `loaded`.
        case load(RoomID)
        /// Read the events that other nodes appended since this state, and the stored responses after this position; then hand in
        /// `caughtUp`.
        case catchUp(ReplayedRoom, responsesAfter: Int64)
        /// The loading that these clients wait for has finished: the room is in memory or does not exist; with an error it could
        /// not be read.
        case loadFinished([ReplyAddress], EventLogError?)
        /// Read the stored response at this position and send it.
        case replay(position: Int64, CommandRequest)
        /// Nothing refers to the stored responses at these positions any more: discard them.
        case discard(responses: [Int64])
        /// Publish a room that was read from the log, with its latest events, of which subscribers may have missed some. `readAt`:
        /// see `LoadedState.readAt`.
        case publish(ReplayedRoom, [StoredEvent], readAt: Int64)
        /// Remove the room from the committed rooms: it has been unloaded.
        case unpublish(RoomID)
        /// Remove the room from the committed rooms, also if it has watchers: it was deleted.
        case remove(RoomID)
        /// Write a snapshot, then hand in `snapshotFinished`.
        case snapshot(Room)
        /// Rooms in memory exceed `ServiceLimits.loadedBytes`: hand in `sweep`.
        case memoryExceeded
        /// Many bytes of rooms have left memory: return to the operating system what is free now.
        case memoryFreed
        /// The rooms of the recovery have been read. Once those of all sequencers have been, hand in `extendDeadlines`.
        case recoveryRead
        /// The sequencer's part of a recovery has ended.
        case recovered(RecoveryResult)
        /// The log has failed permanently: no command will be acknowledged any more.
        case logFailed(EventLogError)
    }

    /// A room as loaded from the log.
    package struct LoadedState: Sendable {
        /// The room after its last committed event, with the hash of that event.
        package let room: ReplayedRoom
        /// Idempotency keys of the stored responses that have not expired, in order of position.
        package let keys: [StoredKey]
        /// How much history has been added since the last snapshot.
        package let snapshots: SnapshotSpacing
        /// The room's latest events, for subscribers; may be empty.
        package let latest: [StoredEvent]
        /// When reading began, by `ServiceClock.uptime`.
        package let readAt: Int64

        package init(
            room: ReplayedRoom, keys: [StoredKey], snapshots: SnapshotSpacing, latest: [StoredEvent] = [], readAt: Int64 = 0
        ) {
            self.readAt = readAt
            self.room = room
            self.keys = keys
            self.snapshots = snapshots
            self.latest = latest
        }
    }

    /// Events and responses that other nodes appended to a room since a known head.
    package struct CaughtUpState: Sendable {
        /// The head after which the log was read.
        package let since: RoomHead
        /// The room after `events`.
        package let room: ReplayedRoom
        /// In order, from `since` to `room`.
        package let events: [StoredEvent]
        /// Idempotency keys of the new stored responses, in order of position.
        package let keys: [StoredKey]
        /// When reading began, by `ServiceClock.uptime`.
        package let readAt: Int64
    }
}

/// For whom a room is read that is not in memory.
package struct LoadCaller: Hashable, Sendable {
    /// Identifies the user, or the network of a caller without a token.
    let name: String
    /// Whether it is read for a command, which does not wait here: it is decided once its caller is known to see the room.
    let isForCommand: Bool

    package init(_ name: String, isForCommand: Bool = false) { (self.name, self.isForCommand) = (name, isForCommand) }
}

/// The sequence number that a room was seen to have in the log.
package struct RoomWatermark: Hashable, Sendable {
    /// Identifier of the room.
    package let room: RoomID
    /// Sequence number of its last event in the log.
    package let seq: Int

    package init(room: RoomID, seq: Int) { (self.room, self.seq) = (room, seq) }
}

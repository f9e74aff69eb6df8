/// Bounds of the service; those that an operator may want to change have a command line option.
package struct ServiceLimits: Hashable, Sendable {
    /// Maximum number of commands that wait for one room to be read.
    package var parkedCommandsPerRoom = 1000
    /// The most bytes that the log may have; 0: no limit but the disk's.
    package var logBytes: Int64 = 0
    /// Days after its last event that an archived room is kept; 0: for ever.
    package var archivedDays = 0
    /// Maximum number of idempotency keys kept per room.
    package var keysPerRoom = 100_000
    /// Maximum number of these keys per user; beyond it the user's own oldest key is evicted.
    package var keysPerUser = 1000
    /// Bytes of events after the last snapshot below which no new snapshot is written. See `SnapshotSpacing`.
    package var bytesPerSnapshot = 262_144
    /// Seconds without use after which a room is unloaded.
    package var idleRoomSeconds = 600
    /// Approximate maximum memory of all loaded rooms, in bytes. Beyond it the least recently used rooms are unloaded early, and if
    /// that does not suffice clients' requests load no further rooms; commands that have reached the sequencer always do.
    package var loadedBytes = 536_870_912
    /// Maximum number of rooms being loaded for readers alone, and of others for commands that wait at an event loop; one caller may have an
    /// eighth of them.
    package var pendingLoads = 256
    /// What one caller may have of them, loads for the caller's commands included.
    var pendingLoadsPerCaller: Int { max(1, pendingLoads / 8) }
    /// Maximum number of queued and running reads off the event loops; one caller may have an eighth of them.
    package var pendingReads = 512
    /// Uploaded pictures that wait until they are stored, half of them of one user: a browser sends six at once. Further ones get 503.
    package var pendingPictures = 16
    /// Maximum number of recent events kept in memory per room, for readers that are almost up to date.
    package var recentEventsPerRoom = 256
    /// Maximum bytes of these events per room; a single larger event is kept too.
    package var recentBytesPerRoom = 1 << 20
    /// Maximum bytes of recent events of all rooms together; beyond it the room whose last event is oldest drops its own.
    package var recentBytes = 128 << 20
    /// How often a command is decided again after an append conflict before it is refused.
    package var conflictRetries = 16

    /// Stored responses that are discarded together. Fewer, for as long as no more keys are evicted, stay in the log until they expire.
    var discardedAtOnce = 256

    /// Bytes of rooms that left memory after which the allocator's free memory is returned: less is soon used again, and returning it
    /// takes milliseconds.
    var returnedBytes = 32 << 20

    /// The default limits.
    package init() {}

    /// Least memory of loaded rooms that a sequencer is given: with room for none or few, it would refuse readers all the time.
    package static let leastLoadedBytes = 1 << 20
    /// Least value of `returnedBytes` that a sequencer is given.
    private static let leastReturnedBytes = 4 << 20

    /// How many sequencers these limits can be divided among, at most `count`.
    package func sequencers(atMost count: Int) -> Int {
        max(1, min(count, pendingLoads, loadedBytes / Self.leastLoadedBytes))
    }

    /// The limits of each of several sequencers, which have an equal part of what is limited for all rooms together. Not of more than
    /// `sequencers(atMost:)`.
    package func divided(by count: Int) -> ServiceLimits {
        var part = self
        part.loadedBytes /= count
        part.pendingLoads /= count
        part.returnedBytes = max(returnedBytes / count, min(returnedBytes, Self.leastReturnedBytes))
        return part
    }
}

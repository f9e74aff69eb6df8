package import EventLog

/// Decides when a room's next snapshot is written: after as many bytes of events as the last snapshot has.
///
/// All snapshots of a room together are therefore at most about twice its events, however large it grows and however often it is
/// unloaded, and a load replays about as many bytes as it decodes.
package struct SnapshotSpacing: Hashable, Sendable {
    /// Bytes of the newest snapshot; 0 without one.
    package private(set) var size: Int
    /// Bytes of the events after it.
    package private(set) var since: Int
    private var isUnderWay = false

    package init(size: Int = 0, since: Int = 0) { (self.size, self.since) = (size, since) }

    /// The state after a room was loaded.
    package init(_ history: LoadedHistory) {
        self.init(size: history.snapshot?.bytes.count ?? 0, since: history.events.reduce(0) { $0 + $1.storedBytes })
    }

    /// Whether a snapshot has to be written now.
    /// - Parameter minimum: Fewer bytes of events are replayed rather than written as a snapshot.
    func isDue(atLeast minimum: Int) -> Bool { !isUnderWay && since >= max(minimum, size) }

    mutating func add(_ events: [StoredEvent]) { for event in events { since += event.storedBytes } }

    /// Notes that a snapshot is being written.
    mutating func begin() {
        isUnderWay = true
        since = 0
    }

    /// Notes that the write has finished.
    /// - Parameter size: Bytes of the snapshot; nil if it failed: it is tried again after as many bytes of events.
    mutating func finish(size: Int?) {
        isUnderWay = false
        if let size { self.size = size }
    }
}

extension StoredEvent {
    fileprivate var storedBytes: Int { publicBytes.count + (privateBytes?.count ?? 0) }
}

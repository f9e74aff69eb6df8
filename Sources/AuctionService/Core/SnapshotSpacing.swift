public import EventLog

/// When a room's snapshot is written anew: once as many bytes of events have come as the last snapshot had.
///
/// So all snapshots of a room together are at most about twice its events, however large it grows and however often it is unloaded, and
/// a load folds at most about as much as it decodes.
public struct SnapshotSpacing: Hashable, Sendable {
    /// The size of the newest snapshot; 0 without one.
    public private(set) var size: Int
    /// Bytes of events that came after it.
    public private(set) var since: Int
    private var isUnderWay = false

    public init(size: Int = 0, since: Int = 0) {
        self.size = size
        self.since = since
    }

    /// What a load found.
    public init(_ history: LoadedHistory) {
        self.init(size: history.snapshot?.bytes.count ?? 0, since: history.events.reduce(0) { $0 + $1.storedBytes })
    }

    /// - Parameter minimum: So many bytes of events are folded rather than snapshotted.
    func isDue(atLeast minimum: Int) -> Bool { !isUnderWay && since >= max(minimum, size) }

    mutating func add(_ events: [StoredEvent]) { for event in events { since += event.storedBytes } }

    /// A snapshot is being written.
    mutating func begin() {
        isUnderWay = true
        since = 0
    }

    /// - Parameter size: nil: it could not be written; tried again after as many bytes.
    mutating func finish(size: Int?) {
        isUnderWay = false
        if let size { self.size = size }
    }
}

extension StoredEvent {
    fileprivate var storedBytes: Int { publicBytes.count + (privateBytes?.count ?? 0) }
}

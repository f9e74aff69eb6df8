/// Updates that wait for the reader of the sequence, bounded in number and bytes.
struct UpdateBuffer: Sendable {
    private var updates: [(update: RoomUpdate, bytes: Int)] = []
    private var first = 0
    private var bytes = 0
    private let maximumCount: Int
    private let maximumBytes: Int

    init(_ settings: ConnectionSettings) {
        maximumCount = max(1, settings.bufferedEvents)
        maximumBytes = max(1, settings.bufferedBytes)
    }

    var count: Int { updates.count - first }
    /// How many updates more it can take; negative if updates without an event have exceeded the bound.
    var space: Int { maximumCount - count }
    var isFull: Bool { count >= maximumCount || bytes >= maximumBytes }
    var isHalfEmpty: Bool { count <= maximumCount / 2 && bytes <= maximumBytes / 2 }

    /// An update without an event replaces the one before it if that has none either, so that notices alone never fill the buffer.
    mutating func append(_ update: RoomUpdate, bytes size: Int) {
        if update.event == nil, count > 0, let last = updates.last, last.update.event == nil {
            updates[updates.count - 1] = (update, 0)
            return
        }
        updates.append((update, size))
        bytes += size
    }

    mutating func take() -> RoomUpdate? {
        guard first < updates.count else { return nil }
        let (update, size) = updates[first]
        first += 1
        bytes -= size
        if first > 64, first * 2 > updates.count {
            updates.removeFirst(first)
            first = 0
        } else if first == updates.count {
            updates.removeAll(keepingCapacity: true)
            first = 0
        }
        return update
    }
}

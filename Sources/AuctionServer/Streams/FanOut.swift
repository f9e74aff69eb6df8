/// Queue of work for subscribers of one event loop, in order. A broadcast to thousands is sent in slices, one per turn of the loop,
/// so that requests are handled in between.
struct FanOut<ID, Work> {
    private struct Item {
        let ids: [ID]
        var position = 0
        let work: Work
    }

    /// Sends per turn of the loop. A send costs ten microseconds or more, as it wakes its receiver, and a bid takes two or three turns:
    /// with 256, bids took ten milliseconds during a broadcast. A turn itself costs a fraction of one send.
    static var slice: Int { 16 }
    /// If more items are queued, all are sent at once, which slows the producers down because the loop is busy.
    static var itemLimit: Int { 1024 }

    private var items: [Item] = []
    private var first = 0
    /// Whether a job for the next slice has been posted.
    var isScheduled = false
    /// Whether a slice is being sent; work added meanwhile stays queued.
    var isSending = false

    var isEmpty: Bool { first == items.count }

    mutating func add(_ work: Work, to ids: [ID]) {
        if !ids.isEmpty { items.append(Item(ids: ids, work: work)) }
    }

    /// Number of sends in this turn.
    func allowance(slice: Int = FanOut.slice) -> Int { items.count - first > Self.itemLimit ? .max : slice }

    /// Removes the next subscriber and its work; nil if the queue is empty.
    mutating func next() -> (ID, Work)? {
        guard first < items.count else { return nil }
        let item = items[first]
        let id = item.ids[item.position]
        items[first].position += 1
        if items[first].position == item.ids.count { removeFirst() }
        return (id, item.work)
    }

    private mutating func removeFirst() {
        first += 1
        if first == items.count {
            items.removeAll(keepingCapacity: true)
            first = 0
        } else if first >= 256 {
            items.removeFirst(first)
            first = 0
        }
    }
}

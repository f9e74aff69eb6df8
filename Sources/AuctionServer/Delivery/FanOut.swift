/// Queue of work for subscribers of one event loop, in order. A broadcast to thousands is sent in slices, one per turn of the loop,
/// so that requests are handled in between, however much is queued. What is queued is bounded by those who add to it: a long-poll is
/// answered once, a stream that catches up has one page, and the events of live streams are held back from `sendLimit` on.
struct FanOut<ID, Work> {
    private struct Item {
        var ids: [ID]
        var position = 0
        let work: Work
    }

    /// Sends per turn of the loop. A send costs ten microseconds or more, as it wakes its receiver, and a bid takes two or three turns:
    /// with 256, bids took ten milliseconds during a broadcast. A turn itself costs a fraction of one send.
    static var slice: Int { 16 }
    /// Most subscribers of an item that they join one by one, as its beginning is kept to its end.
    static var itemLimit: Int { 1024 }
    /// Queued sends from which on published events are held back from streams (`HeldEvents`): about ten milliseconds of work.
    static var sendLimit: Int { 1024 }

    private var items: [Item] = []
    private var first = 0
    /// Number of sends that are queued, those to subscribers that have left included.
    private(set) var sendCount = 0
    /// Whether a job for the next slice has been posted.
    var isScheduled = false
    /// Whether a slice is being sent; work added meanwhile stays queued.
    var isSending = false

    var isEmpty: Bool { first == items.count }
    /// Whether no events of live streams may be added.
    var isFull: Bool { sendCount >= Self.sendLimit }

    mutating func add(_ work: Work, to ids: [ID]) {
        guard !ids.isEmpty else { return }
        items.append(Item(ids: ids, work: work))
        sendCount += ids.count
    }

    /// The work that was added last; nil if the queue is empty.
    var lastWork: Work? { isEmpty ? nil : items.last?.work }

    /// Removes the next subscriber and its work; nil if the queue is empty.
    mutating func next() -> (ID, Work)? {
        guard first < items.count else { return nil }
        let item = items[first]
        let id = item.ids[item.position]
        items[first].position += 1
        sendCount -= 1
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

extension FanOut where Work == StreamWork {
    /// Adds a page for a subscriber that is catching up; to those of the newest item if that is the same page and not for too many.
    mutating func add(page: StreamContent, to id: ID) {
        if case .sendPage(let last)? = lastWork, last === page, items[items.count - 1].ids.count < Self.itemLimit {
            items[items.count - 1].ids.append(id)
            sendCount += 1
        } else {
            add(.sendPage(page), to: [id])
        }
    }
}

extension FanOut where Work: AnyObject {
    /// Adds a subscriber; to those of the newest item if that has the same work and is not too long.
    mutating func add(_ work: Work, to id: ID) {
        if lastWork === work, items[items.count - 1].ids.count < Self.itemLimit {
            items[items.count - 1].ids.append(id)
            sendCount += 1
        } else {
            add(work, to: [id])
        }
    }
}

internal import AuctionService
internal import WebSocketFrames

/// What is on its way to the subscribers of one loop, in order: a broadcast to thousands is sent in slices, so that the requests
/// of everybody else have their turn between.
struct FanOut {
    enum Work {
        case send(StreamContent)
        /// Content after which the one subscriber is sent more when it has taken this.
        case sendPage(StreamContent)
        case close(CloseStatus)
    }

    private struct Item {
        let ids: [LiveFeed.ID]
        var position = 0
        let work: Work
    }

    /// Sends per turn of the loop. A send wakes its reader and so costs ten microseconds and more, and a bid takes two or three
    /// turns: with 256 it waited ten milliseconds beside a broadcast, and a turn itself costs a fraction of one send.
    static let slice = 16
    /// With more than this waiting everything goes out at once: then the loop itself holds up who produces.
    static let itemLimit = 1024

    private var items: [Item] = []
    private var first = 0
    /// Whether a turn was asked for.
    var isScheduled = false
    /// Whether a slice is being sent: what is added meanwhile waits.
    var isSending = false

    var isEmpty: Bool { first == items.count }

    mutating func add(_ work: Work, to ids: [LiveFeed.ID]) {
        if !ids.isEmpty { items.append(Item(ids: ids, work: work)) }
    }

    /// How much one turn may send.
    var allowance: Int { items.count - first > Self.itemLimit ? .max : Self.slice }

    /// The next thing to do for one subscriber.
    mutating func next() -> (LiveFeed.ID, Work)? {
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

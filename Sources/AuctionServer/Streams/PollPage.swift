internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP

/// The response to all long-polls of a room with equal `after` and `limit`; encoded when the first of them is sent.
final class PollPage {
    /// Responses per turn of the loop, which libmicrohttpd begins by walking all suspended connections: with 5,000 of them, each poll
    /// took a sixth more time with 16 responses per turn.
    static let slice = 64
    /// The same while a command of this loop waits for its response.
    static let sliceBesideCommands = 4

    let room: RoomID
    let after: Int
    let limit: Int
    /// Sent without events and not encoded again: the wait expired, or the published events do not follow directly after `after`.
    let isFinal: Bool
    private(set) var events: ArraySlice<StoredEvent>
    private(set) var more: Bool
    private var encoded: SharedResponse?
    /// The room's seq when the response was encoded.
    private var head = 0

    /// A page that is read when it is sent. If memory no longer contains the events by then, an empty page tells the client to poll
    /// again, which reads them from the log.
    init(_ room: RoomID, after: Int, limit: Int) {
        self.room = room
        self.after = after
        self.limit = limit
        (isFinal, events, more) = (false, [], true)
    }

    /// Whether a poll that has just arrived may be answered with this page. Not if it is encoded: its `serverTime` and its age would be
    /// from before the poll was sent.
    func takes(_ room: RoomID, after: Int, limit: Int) -> Bool {
        encoded == nil && !isFinal && self.room == room && self.after == after && self.limit == limit
    }

    /// The encoded response; nil if the room has another seq by now.
    func response(at head: Int) -> SharedResponse? { head == self.head || isFinal ? encoded : nil }

    func take(_ events: [StoredEvent], more: Bool) { (self.events, self.more) = (events[...], more) }

    func keep(_ response: SharedResponse, at head: Int) { (encoded, self.head) = (response, head) }

    init(_ response: PollResponse) {
        room = response.room
        (after, limit, isFinal) = (response.after, response.limit, response.events.isEmpty)
        (events, more) = (response.events, response.more)
    }
}

/// An exchange that is held for a long-poll.
struct WaitingPoll {
    let exchange: ExchangeID
    /// The limits it counts against.
    let place: StreamBudget.Place
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Long-polls: answered at once if there are new events, else held until there are some or the wait expires.
extension LoopHandler {
    func longPoll(
        _ visible: VisibleRoom, after: Int, wait: Int, limit: Int, _ context: RequestContext
    ) throws(Problem) -> Reply {
        let room = visible.committed
        let request = EventsRequest(
            after: after, limit: limit, bytes: shared.options.limits.pageBytes, user: visible.viewer?.id,
            mayWait: wait > 0 && !isDraining, mayRefresh: shared.service.isShared && !context.isFresh)
        switch request.action(in: room) {
        case .respond(let events, let more):
            if wait > 0, !events.isEmpty, queue(visible, after: after, limit: limit, context) { return .later }
            return .now(eventsResponse(events[...], after: after, more: more, room, at: context.now.wall))
        case .readLog(let last): return readOldEvents(visible, after: after, upTo: last, limit: limit, context)
        case .wait:
            let deadline = context.now.monotonic + Int64(wait) * 1_000_000_000
            try hold(visible, for: RoomFeed.Poll(after: after, limit: limit, deadline: deadline), context)
            return .later
        case .refresh:
            try refresh(room.id, context)
            return .later
        case .beyond(let seq):
            throw .malformed(
                "\"after\" is \(after), but the room's last seq is \(seq).", "after 超出房间当前序号 \(seq)。", field: "after")
        case .notFound: throw .roomNotFound
        }
    }

    /// Queues a poll that has events behind the responses that are already due; false if none are due or a limit is reached. Otherwise
    /// clients that poll faster than one slice per turn would starve other requests. The response includes events published meanwhile.
    private func queue(_ visible: VisibleRoom, after: Int, limit: Int, _ context: RequestContext) -> Bool {
        guard !pollFanOut.isEmpty, !isDraining else { return false }
        do throws(Problem) {
            guard let id = try hold(visible, for: nil, context) else { return true }
            pollFanOut.add(queuedPage(of: visible.id, after: after, limit: limit), to: id)
            return true
        } catch {
            return false
        }
    }

    /// The page of the polls that are due last, if it is the same; else a new one.
    private func queuedPage(of room: RoomID, after: Int, limit: Int) -> PollPage {
        if let page = pollFanOut.lastWork, page.takes(room, after: after, limit: limit) { return page }
        return PollPage(room, after: after, limit: limit)
    }

    /// Holds an exchange. A waiting long-poll occupies a connection like a stream, so it counts against the same limits.
    /// - Parameter poll: What it waits for; nil if its response is due already.
    /// - Returns: Nil if the room was evicted: the request resumes once it is loaded.
    @discardableResult
    private func hold(
        _ visible: VisibleRoom, for poll: RoomFeed.Poll?, _ context: RequestContext
    ) throws(Problem) -> Subscriptions.ID? {
        try context.checkStreamCapacity()
        let place = context.streamPlace(of: visible.viewer)
        guard try context.beginWatching(visible.committed) else { return nil }
        do throws(Problem) {
            try shared.streamBudget.enter(place)
        } catch {
            visible.committed.endWatching()
            throw error
        }
        let id = nextSubscription()
        waitingPolls[id] = WaitingPoll(exchange: context.exchange.id, place: place)
        metrics.change(.waitingPolls, by: 1)
        context.exchange.watchHangUp { [weak self] in self?.stopWaiting(id) }
        perform(subscriptions.wait(id, visible.committed, visible.viewer?.principal, for: poll, at: context.now))
        return id
    }

    /// Responds to the polls that are due, one slice per turn of the loop, so that a bid waits for a slice and not for every viewer of a
    /// popular room.
    func sendPollSlice() {
        let isBesideCommands = !pendingCommands.isEmpty || isRespondingToCommands
        let slice = isBesideCommands ? PollPage.sliceBesideCommands : PollPage.slice
        var allowance = isDraining ? .max : slice
        while allowance > 0, let (id, page) = pollFanOut.next() {
            allowance -= 1
            respond(to: id, with: page)
        }
        guard !pollFanOut.isEmpty, !pollFanOut.isScheduled else { return }
        pollFanOut.isScheduled = true
        shared.registry.post(to: loop.index) { handler in
            handler.pollFanOut.isScheduled = false
            handler.sendPollSlice()
        }
    }

    private func respond(to id: Subscriptions.ID, with page: PollPage) {
        guard let waiting = waitingPolls[id], let poll = subscriptions.takePoll(id, at: shared.clock.now().monotonic) else {
            return
        }
        stopWaiting(id)
        guard let exchange = loop.exchange(waiting.exchange) else { return }
        do throws(Problem) {
            let response = try encoded(page, of: poll.room)
            guard poll.maySeeEvents else { throw .roomNotFound }
            exchange.respond(response)
        } catch {
            respond(
                error, to: exchange, requestIDs.id(of: exchange), Language(acceptLanguage: exchange.header("Accept-Language")))
        }
    }

    /// The response shared by all polls that wait for the same page, so it has no request id. Encoded again if the room has new events.
    private func encoded(_ page: PollPage, of room: CommittedRoom) throws(Problem) -> SharedResponse {
        let head = room.view.room.seq
        if let encoded = page.encoded, page.head == head || page.isFinal { return encoded }
        if !page.isFinal,
            case .events(let events, let more) = room.recent(
                after: page.after, limit: page.limit, bytes: shared.options.limits.pageBytes)
        {
            (page.events, page.more) = (events[...], more)
        }
        let age = try ageHeader(confirmedAt: confirmation(of: room))
        var response = eventsResponse(page.events, after: page.after, more: page.more, room, at: shared.clock.now().wall)
        if let age { response.headers.append(age) }
        let encoded = SharedResponse(response)
        (page.encoded, page.head) = (encoded, head)
        return encoded
    }

    /// Removes a waiting long-poll, if it still waits.
    func stopWaiting(_ id: Subscriptions.ID) {
        guard let waiting = waitingPolls.removeValue(forKey: id) else { return }
        shared.streamBudget.leave(waiting.place)
        metrics.change(.waitingPolls, by: -1)
        leave(id)
    }

    private func readOldEvents(
        _ visible: VisibleRoom, after: Int, upTo last: Int, limit: Int, _ context: RequestContext
    ) -> Reply {
        let room = visible.committed
        let (clock, bytes, responses) = (shared.clock, shared.options.limits.pageBytes, shared.responses)
        return context.offload(visible) { log throws(EventLogError) in
            let (events, more) = try room.eventsFromLog(after: after, upTo: last, limit: limit, bytes: bytes, from: log)
            return EventsPage(events: events[...], after: after, more: more)
                .response(of: room, at: clock.now().wall, in: responses)
        }
    }

    private func eventsResponse(
        _ events: ArraySlice<StoredEvent>, after: Int, more: Bool, _ room: CommittedRoom, at now: Timestamp
    ) -> Response {
        EventsPage(events: events, after: after, more: more).response(of: room, at: now, in: shared.responses)
    }
}

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
    var events: ArraySlice<StoredEvent>
    var more: Bool
    var encoded: SharedResponse?
    /// The room's seq when the response was encoded.
    var head = 0

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

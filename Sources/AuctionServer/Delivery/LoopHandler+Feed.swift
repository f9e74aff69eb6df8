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
        // Must precede the read: a publisher that sees no watcher does not wake this loop.
        room.beginWatching()
        // The room may have been evicted before it was watched; its events would then be published to another object.
        guard shared.service.rooms[room.id] === room else {
            room.endWatching()
            try loadRoom(room.id, context)
            return .later
        }
        let recent = room.recent(after: after, limit: limit, bytes: shared.options.limits.pageBytes)
        // Checked after the events were read: they may include this user's ban, after which the room is hidden from the user.
        let seen = room.view.room
        guard seen.isVisible(to: visible.viewer?.id) else {
            room.endWatching()
            throw .roomNotFound
        }
        switch recent {
        case .events(let events, let more):
            if wait > 0, queue(visible, after: after, limit: limit, context) { return .later }
            room.endWatching()
            return .now(eventsResponse(events[...], after: after, more: more, room, at: context.now.wall))
        case .tooOld:
            room.endWatching()
            return readOldEvents(visible, after: after, upTo: seen.seq, limit: limit, context)
        case .beyond(let seq):
            room.endWatching()
            if shared.service.isShared, !context.isFresh {
                // The caller may have received this seq from another node.
                try refresh(room.id, context)
                return .later
            }
            throw .malformed(
                "\"after\" is \(after), but the room's last seq is \(seq).", "after 超出房间当前序号 \(seq)。", field: "after")
        case .nothingNew:
            guard wait > 0, !isDraining else {
                room.endWatching()
                return .now(eventsResponse([], after: after, more: false, room, at: context.now.wall))
            }
            do throws(Problem) {
                try hold(visible, after: after, wait: wait, limit: limit, context)
            } catch {
                room.endWatching()
                throw error
            }
            return .later
        }
    }

    /// Queues a poll that has events behind the responses that are already due; false if none are due or a limit is reached. Otherwise
    /// clients that poll faster than one slice per turn would starve other requests. The response includes events published meanwhile.
    private func queue(_ visible: VisibleRoom, after: Int, limit: Int, _ context: RequestContext) -> Bool {
        guard !pollFanOut.isEmpty, !isDraining else { return false }
        do throws(Problem) {
            try hold(visible, context)
        } catch {
            return false
        }
        pollFanOut.add(PollPage(after: after, limit: limit), to: [context.exchange.id.rawValue])
        return true
    }

    private func hold(
        _ visible: VisibleRoom, after: Int, wait: Int, limit: Int, _ context: RequestContext
    ) throws(Problem) {
        try hold(visible, context)
        _ = feed.handle(
            .hold(
                LongPollFeed.Waiter(
                    exchange: context.exchange.id.rawValue, room: visible.id, after: after, limit: limit,
                    deadline: context.now.monotonic + Int64(wait) * 1_000_000_000)), now: context.now)
        armFeedTimer()
    }

    /// Holds an exchange. A held poll occupies a connection like a stream, so it counts against the same limits.
    private func hold(_ visible: VisibleRoom, _ context: RequestContext) throws(Problem) {
        try context.checkStreamCapacity()
        let place = context.streamPlace(of: visible.viewer)
        try shared.streamBudget.enter(place)
        let exchange = context.exchange
        let id = exchange.id.rawValue
        let held = WaitingPoll(room: visible.committed, principal: visible.viewer?.principal, place: place)
        access.polls[id] = held
        trackPresence(held)
        metrics.change(.heldPolls, by: 1)
        if let principal = held.principal { watchAccess(of: principal) }
        exchange.watchHangUp { [weak self] in
            guard let self else { return }
            _ = feed.handle(.gone(exchange: id, held.room.id), now: context.now)
            stopWaiting(id, held)
        }
    }

    /// Responds to the polls that the feed released, one slice per turn of the loop, so that a bid waits for a slice and not for every
    /// viewer of a popular room.
    func release(_ releases: [LongPollFeed.Release]) {
        for release in releases { pollFanOut.add(PollPage(release), to: release.exchanges) }
        sendPollSlice()
        armFeedTimer()
    }

    private func sendPollSlice() {
        var allowance = isDraining ? .max : pollFanOut.allowance(slice: PollPage.slice)
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

    private func respond(to id: UInt64, with page: PollPage) {
        guard let exchange = loop.exchange(ExchangeID(rawValue: id)), let held = access.polls[id] else { return }
        stopWaiting(id, held)
        do throws(Problem) {
            let response = try encoded(page, of: held.room)
            // Checked after the events were read: they may include the ban of this user from a private room.
            guard held.room.view.room.isVisible(to: held.user) else { throw .roomNotFound }
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

    /// Removes a held poll from all registries and limits.
    func stopWaiting(_ exchange: UInt64, _ held: WaitingPoll) {
        access.polls[exchange] = nil
        if let place = held.place { shared.streamBudget.leave(place) }
        untrackPresence(held)
        metrics.change(.heldPolls, by: -1)
    }

    /// Schedules the one timer for the earliest deadline of all held polls.
    private func armFeedTimer() {
        guard let due = feed.nextTick else { return }
        if let timer = feedTimer {
            guard due < timer.due else { return }
            loop.cancel(timer.id)
        }
        let wait = max(0, due - shared.clock.now().monotonic)
        let id = loop.schedule(afterMilliseconds: Int(wait / 1_000_000) + 1) { [weak self] in
            guard let self else { return }
            feedTimer = nil
            release(feed.handle(.tick, now: self.shared.clock.now()))
        }
        feedTimer = (id, due)
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
    /// Responses per turn of the loop. Each also triggers the client's next request, so it costs two to three times as much as a
    /// message on a stream.
    static let slice = 4

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
    init(after: Int, limit: Int) {
        self.after = after
        self.limit = limit
        (isFinal, events, more) = (false, [], true)
    }

    init(_ release: LongPollFeed.Release) {
        (after, limit, isFinal) = (release.after, release.limit, release.events.isEmpty)
        (events, more) = (release.events, release.more)
    }
}

/// Marks an exchange that waits for events: a held long-poll or a stream.
final class WaitingPoll {
    let room: CommittedRoom
    /// Nil without a token.
    let principal: Principal?
    /// The limits it counts against; nil for a stream, which is counted separately.
    let place: StreamBudget.Place?

    init(room: CommittedRoom, principal: Principal?, place: StreamBudget.Place? = nil) {
        self.room = room
        self.principal = principal
        self.place = place
    }

    var user: UserID? { principal?.person.id }
}

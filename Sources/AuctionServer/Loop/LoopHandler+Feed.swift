internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// Long-polls: answered at once if there is something, else held until there is or the wait is over.
extension LoopHandler {
    func longPoll(_ room: CommittedRoom, after: Int, wait: Int, limit: Int, _ context: RequestContext) throws(Problem) -> Reply
    {
        // Before looking: a publisher that sees no watcher wakes nobody.
        room.beginWatching()
        // It may have left the memory between being found and being watched; what is published now goes to another object.
        guard shared.service.rooms[room.id] === room else {
            room.endWatching()
            try look(for: room.id, context.exchange, context.requestID)
            return .later
        }
        let found = room.recent(after: after, limit: limit, bytes: shared.options.limits.pageBytes)
        // Looked at afterwards: a ban that was published since the route was found must not be among what is sent.
        let seen = room.view.room
        guard seen.isVisible(to: context.caller?.id) else {
            room.endWatching()
            throw .roomNotFound
        }
        switch found {
        case .events(let events, let more):
            room.endWatching()
            return .now(eventsResponse(events[...], after: after, more: more, room, at: context.now.wall))
        case .tooOld:
            room.endWatching()
            readOldEvents(room, after: after, upTo: seen.seq, limit: limit, context)
            return .later
        case .beyond(let seq):
            room.endWatching()
            if shared.service.isShared, !context.isFresh {
                // Who saw it there comes from another node.
                try freshen(room.id, context.exchange, context.requestID)
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
                try hold(room, after: after, wait: wait, limit: limit, context)
            } catch {
                room.endWatching()
                throw error
            }
            return .later
        }
    }

    /// A held poll takes up a connection as a stream does, and so is counted among them.
    private func hold(
        _ room: CommittedRoom, after: Int, wait: Int, limit: Int, _ context: RequestContext
    ) throws(Problem) {
        try context.checkRoomForStreams()
        let place = context.streamPlace
        try shared.streamBudget.enter(place)
        let exchange = context.exchange
        let id = exchange.id.rawValue
        let held = HeldPoll(room: room, principal: context.shown?.principal, place: place)
        exchange.userInfo = held
        follow(held)
        metrics.change(.heldPolls, by: 1)
        if let principal = held.principal {
            access.polls[id] = held
            watchAccess(of: principal)
        }
        exchange.watchHangUp { [weak self] in
            guard let self else { return }
            _ = feed.handle(.gone(exchange: id, room.id), now: context.now)
            letGo(id, held)
        }
        _ = feed.handle(
            .hold(
                Feed.Waiter(
                    exchange: id, room: room.id, after: after, limit: limit,
                    deadline: context.now.monotonic + Int64(wait) * 1_000_000_000)), now: context.now)
        armFeedTimer()
    }

    func release(_ releases: [Feed.Release]) {
        for release in releases {
            var shared: SharedResponse?
            for id in release.exchanges {
                guard let exchange = loop.exchange(ExchangeID(rawValue: id)), let held = exchange.userInfo as? HeldPoll
                else { continue }
                letGo(id, held)
                do throws(Problem) {
                    // A user who was banned from a private room meanwhile receives nothing more of it.
                    guard held.room.view.room.isVisible(to: held.user) else { throw .roomNotFound }
                    // One encoding for all that wait for the same page, so it carries no request id.
                    let response: SharedResponse
                    if let made = shared {
                        response = made
                    } else {
                        response = SharedResponse(try page(release, of: held.room))
                    }
                    shared = response
                    exchange.respond(response)
                } catch {
                    respond(
                        error, to: exchange, requestIDs.id(of: exchange),
                        Language(acceptLanguage: exchange.header("Accept-Language")))
                }
            }
        }
        armFeedTimer()
    }

    private func page(_ release: Feed.Release, of room: CommittedRoom) throws(Problem) -> Response {
        let age = try ageHeader(confirmedAt: confirmation(of: room))
        var response = eventsResponse(
            release.events, after: release.after, more: release.more, room, at: shared.clock.now().wall)
        if let age { response.headers.append(age) }
        return response
    }

    /// A poll is held no more.
    func letGo(_ exchange: UInt64, _ held: HeldPoll) {
        if held.principal != nil { access.polls[exchange] = nil }
        if let place = held.place { shared.streamBudget.leave(place) }
        unfollow(held)
        metrics.change(.heldPolls, by: -1)
    }

    /// Keeps one timer for the earliest deadline.
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

    private func readOldEvents(_ room: CommittedRoom, after: Int, upTo last: Int, limit: Int, _ context: RequestContext) {
        let (clock, bytes, responses) = (shared.clock, shared.options.limits.pageBytes, shared.responses)
        offload(context) { log throws(EventLogError) in
            let (events, more) = try room.older(after: after, upTo: last, limit: limit, bytes: bytes, from: log)
            return EventsAnswer(events: events[...], after: after, more: more)
                .response(of: room, at: clock.now().wall, in: responses)
        }
    }

    private func eventsResponse(
        _ events: ArraySlice<StoredEvent>, after: Int, more: Bool, _ room: CommittedRoom, at now: Timestamp
    ) -> Response {
        EventsAnswer(events: events, after: after, more: more).response(of: room, at: now, in: shared.responses)
    }
}

/// Marks an exchange as a held long-poll.
final class HeldPoll {
    let room: CommittedRoom
    /// Nil without a token.
    let principal: Principal?
    /// What it counts against; nil for a stream's, which is counted there.
    let place: StreamBudget.Place?

    init(room: CommittedRoom, principal: Principal?, place: StreamBudget.Place? = nil) {
        self.room = room
        self.principal = principal
        self.place = place
    }

    var user: UserID? { principal?.person.id }
}

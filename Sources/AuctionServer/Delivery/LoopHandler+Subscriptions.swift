internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import WebSocketFrames

// Carries out the directives of this loop's subscriptions.
extension LoopHandler {
    /// An identifier for a new subscriber of this loop, stream or long-poll.
    func nextSubscription() -> Subscriptions.ID {
        lastSubscription += 1
        return lastSubscription
    }

    /// Sends published events to the subscribers of this loop. While much is queued for streams, theirs are held back and then sent
    /// together, rooms in their order; long-polls have a queue of their own and do not wait.
    func publish(_ events: [StoredEvent], of room: CommittedRoom) {
        guard streams.fanOut.isFull || !streams.held.isEmpty, subscriptions.hasLiveStreams(in: room.id) else {
            return perform(subscriptions.published(room, events))
        }
        streams.held.add(events, of: room.id)
        perform(subscriptions.published(room, events, to: .polls))
    }

    /// Sends held events to their streams while little is queued: those of a slice of rooms at most, in the order in which they wait.
    func publishHeld() {
        var rooms = FanOut<Subscriptions.ID, StreamWork>.slice
        while rooms > 0, !streams.fanOut.isFull, let (id, events) = streams.held.next() {
            rooms -= 1
            // A room that has left memory has no subscribers.
            guard let room = shared.service.rooms[id] else { continue }
            perform(subscriptions.published(room, events, to: .streams))
        }
    }

    func perform(_ directives: [Subscriptions.Directive]) {
        for directive in directives {
            switch directive {
            case .read(let id, let room, let after, let limit): read(id, room, after: after, limit: limit)
            case .sendPage(let id, let events):
                streams.fanOut.add(page: streams.pages.content(of: events, in: shared.responses), to: id)
            case .send(let ids, let events):
                streams.fanOut.add(.send(StreamContent(.events(events), in: shared.responses)), to: ids)
            // At once: nothing that is still queued may be sent.
            case .close(let ids, .forbidden): for id in ids { streams.subscribers[id]?.sink.close(.forbidden) }
            case .close(let ids, .token(let error)):
                for id in ids { streams.subscribers[id]?.sink.close(CloseStatus(.token(error))) }
            case .refuse(let id, let error): refuse(id, error)
            case .close(let ids, let reason): streams.fanOut.add(.close(CloseStatus(reason)), to: ids)
            case .respond(let response): pollFanOut.add(PollPage(response), to: response.ids)
            case .presence(let changes): shared.service.presence(changes)
            }
        }
        // Work that is left from an earlier slice has the next one scheduled, and new work waits for it.
        if !pollFanOut.isEmpty, !pollFanOut.isScheduled || isDraining { sendPollSlice() }
        if !streams.fanOut.isEmpty, !streams.fanOut.isScheduled { sendSlice() }
        armSubscriptionTimer()
        armTokenTimer()
    }

    /// Removes a subscriber: its connection has ended, its long-poll was answered, or it is refused anything more.
    func leave(_ id: Subscriptions.ID) {
        subscriptions.leave(id, at: shared.clock.now().monotonic)
        armSubscriptionTimer()
    }

    /// Schedules the one timer for everything that waits for time to pass.
    private func armSubscriptionTimer() {
        guard let due = subscriptions.nextTick else { return }
        if let timer = subscriptionTimer {
            guard due < timer.due else { return }
            loop.cancel(timer.id)
        }
        let wait = max(0, due - shared.clock.now().monotonic)
        let id = loop.schedule(afterMilliseconds: Int(wait / 1_000_000) + 1) { [weak self] in
            guard let self else { return }
            subscriptionTimer = nil
            perform(subscriptions.tick(shared.clock.now().monotonic))
        }
        subscriptionTimer = (id, due)
    }
}

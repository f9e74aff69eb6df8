internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions
internal import WebSocketFrames

/// The subscribers of one event loop: streams, and long-polls that are held. Carries out what `Subscriptions` decides about them, in slices
/// between requests. Used on that loop's thread only.
final class LoopSubscribers {
    /// What does not change, for those who open streams.
    let settings: StreamSettings
    private unowned let handler: LoopHandler
    private var core: Subscriptions
    private var lastID: Subscriptions.ID = 0
    private var streams: [Subscriptions.ID: StreamSubscriber] = [:]
    /// Long-polls that wait for events, or whose response is due.
    private var polls: [Subscriptions.ID: WaitingPoll] = [:]
    /// Work for streams that is due.
    private var streamWork = FanOut<Subscriptions.ID, StreamWork>()
    /// Long-polls whose response is due.
    private var pollWork = FanOut<Subscriptions.ID, PollPage>()
    private var pages = SharedPages()
    private var timers = Timers()

    private struct Timers {
        /// For everything of `Subscriptions` that waits for time to pass.
        var next: (id: TimerID, due: Int64)?
        /// For the check of tokens, while any are in use.
        var tokens: TimerID?
        /// For the periodic notices, while there are streams.
        var notices: TimerID?
    }

    init(of handler: LoopHandler) {
        self.handler = handler
        let bytes = handler.shared.options.limits.pageBytes
        settings = StreamSettings(options: handler.shared.options.streams, pageBytes: bytes)
        var limits = Subscriptions.Limits()
        (limits.pageBytes, limits.responseBytes) = (settings.pageBytes, bytes)
        core = Subscriptions(limits: limits)
    }

    /// An identifier for a new subscriber of this loop, stream or long-poll.
    private func nextID() -> Subscriptions.ID {
        lastID += 1
        return lastID
    }

    // MARK: Events

    /// Sends published events to the subscribers of this loop. While much is queued for streams, theirs are held back and then sent
    /// together, rooms in their order; long-polls have a queue of their own and do not wait.
    func publish(_ events: [StoredEvent], of room: CommittedRoom) {
        perform(core.published(room, events, isBusy: streamWork.isFull))
    }

    /// Sends held events to their streams while little is queued: those of a slice of rooms at most, in the order in which they wait.
    private func publishHeld() {
        var rooms = FanOut<Subscriptions.ID, StreamWork>.slice
        while rooms > 0, !streamWork.isFull, core.holdsEvents {
            rooms -= 1
            perform(core.publishHeld())
        }
    }

    private func perform(_ directives: [Subscriptions.Directive]) {
        let handler = handler
        for directive in directives {
            switch directive {
            case .read(let id, let room, let after, let limit): read(id, room, after: after, limit: limit)
            case .sendPage(let id, let events):
                streamWork.add(page: pages.content(of: events, in: handler.shared.responses.budget), to: id)
            case .send(let ids, let events):
                streamWork.add(.send(StreamContent(.events(events), in: handler.shared.responses.budget)), to: ids)
            // At once: nothing that is still queued may be sent.
            case .close(let ids, .forbidden): for id in ids { streams[id]?.sink.close(.forbidden) }
            case .close(let ids, .token(let error)): for id in ids { streams[id]?.sink.close(CloseStatus(.token(error))) }
            case .refuse(let id, let error): refuse(id, error)
            case .close(let ids, let reason): streamWork.add(.close(CloseStatus(reason)), to: ids)
            case .respond(let response): pollWork.add(PollPage(response), to: response.ids)
            case .presence(let changes): handler.shared.service.presence(changes)
            }
        }
        // Work that is left from an earlier slice has the next one scheduled, and new work waits for it.
        if !pollWork.isEmpty, !pollWork.isScheduled || handler.isDraining { sendPollSlice() }
        if !streamWork.isEmpty, !streamWork.isScheduled { sendSlice() }
        armTimer()
        armTokenTimer()
    }

    /// Removes a subscriber: its connection has ended, its long-poll was answered, or it is refused anything more.
    private func leave(_ id: Subscriptions.ID) {
        core.leave(id, at: handler.shared.clock.now().monotonic)
        armTimer()
    }

    private func armTimer() {
        guard let due = core.nextTick else { return }
        if let timer = timers.next {
            guard due < timer.due else { return }
            handler.loop.cancel(timer.id)
        }
        let wait = max(0, due - handler.shared.clock.now().monotonic)
        let id = handler.loop.schedule(afterMilliseconds: Int(wait / 1_000_000) + 1) { [weak self] in
            guard let self else { return }
            timers.next = nil
            perform(core.tick(handler.shared.clock.now().monotonic))
        }
        timers.next = (id, due)
    }

    // MARK: Access

    /// Ends streams and polls whose tokens are not valid any more after keys, revocations, bans or guest settings have changed.
    func identityChanged() {
        perform(core.identityChanged(at: handler.shared.clock.now(), handler.streamError))
    }

    /// Schedules the check for expired tokens while tokens are in use.
    private func armTokenTimer() {
        guard core.hasTokens, timers.tokens == nil, !handler.isDraining else { return }
        timers.tokens = handler.loop.schedule(afterMilliseconds: Int(Subscriptions.tokenCheckMilliseconds)) { [weak self] in
            guard let self else { return }
            timers.tokens = nil
            perform(core.checkTokens(at: handler.shared.clock.now(), handler.streamError))
        }
    }

    /// Answers a held long-poll whose token is not valid any more.
    private func refuse(_ id: Subscriptions.ID, _ error: TokenError) {
        guard let waiting = polls[id] else { return }
        stopWaiting(id)
        guard let exchange = handler.loop.exchange(waiting.exchange) else { return }
        refuse(Problem(error), to: exchange)
    }

    private func refuse(_ problem: Problem, to exchange: Exchange) {
        let language = Language(acceptLanguage: exchange.header("Accept-Language"))
        handler.respond(problem, to: exchange, handler.requestID(of: exchange), language)
    }

    /// The server stops: long-polls are answered, and streams end.
    func drain() {
        perform(core.drain())
        if let timer = timers.notices { handler.loop.cancel(timer) }
        if let timer = timers.tokens { handler.loop.cancel(timer) }
        timers.tokens = nil
        for subscriber in Array(streams.values) {
            if let commands = subscriber.commands {
                commands.close(.goingAway)
            } else {
                subscriber.sink.close(.goingAway)
            }
        }
    }

    // MARK: Long-polls

    /// Answers a long-poll at once if there are new events, else holds it until there are some or the wait expires.
    func longPoll(
        _ visible: VisibleRoom, after: Int, wait: Int, limit: Int, _ context: RequestContext
    ) throws(Problem) -> Reply {
        let (room, shared) = (visible.committed, handler.shared)
        let request = EventsRequest(
            after: after, limit: limit, bytes: shared.options.limits.pageBytes, user: visible.viewer?.id,
            mayWait: wait > 0 && !handler.isDraining, mayRefresh: shared.service.isShared && !context.isFresh)
        switch request.action(in: room) {
        case .respond(let events, let more):
            if wait > 0, !events.isEmpty, queue(visible, after: after, limit: limit, context) { return .later }
            return .now(eventsResponse(events[...], after: after, more: more, room, at: context.now.wall))
        case .readLog(let last): return readOldEvents(visible, after: after, upTo: last, limit: limit, context)
        case .wait:
            let deadline = context.now.monotonic + Int64(wait) * 1_000_000_000
            try hold(visible, for: Subscriptions.Poll(after: after, limit: limit, deadline: deadline), context)
            return .later
        case .refresh:
            try handler.refresh(room.id, context)
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
        guard !pollWork.isEmpty, !handler.isDraining else { return false }
        do throws(Problem) {
            guard let id = try hold(visible, for: nil, context) else { return true }
            pollWork.add(queuedPage(of: visible.id, after: after, limit: limit), to: id)
            return true
        } catch {
            return false
        }
    }

    /// The page of the polls that are due last, if it is the same; else a new one.
    private func queuedPage(of room: RoomID, after: Int, limit: Int) -> PollPage {
        if let page = pollWork.lastWork, page.takes(room, after: after, limit: limit) { return page }
        return PollPage(room, after: after, limit: limit)
    }

    /// Holds an exchange. A waiting long-poll occupies a connection like a stream, so it counts against the same limits.
    /// - Parameter poll: What it waits for; nil if its response is due already.
    /// - Returns: Nil if the room was evicted: the request resumes once it is loaded.
    @discardableResult
    private func hold(
        _ visible: VisibleRoom, for poll: Subscriptions.Poll?, _ context: RequestContext
    ) throws(Problem) -> Subscriptions.ID? {
        try context.checkStreamCapacity()
        let place = context.streamPlace(of: visible.viewer)
        guard try context.beginWatching(visible.committed) else { return nil }
        do throws(Problem) {
            try handler.shared.limits.streams.enter(place)
        } catch {
            visible.committed.endWatching()
            throw error
        }
        let id = nextID()
        polls[id] = WaitingPoll(exchange: context.exchange.id, place: place)
        handler.metrics.change(.waitingPolls, by: 1)
        context.exchange.watchHangUp { [weak self] in self?.stopWaiting(id) }
        perform(core.wait(id, visible.committed, visible.viewer?.principal, for: poll, at: context.now))
        return id
    }

    /// Responds to the polls that are due, one slice per turn of the loop, so that a bid waits for a slice and not for every viewer of a
    /// popular room.
    private func sendPollSlice() {
        let slice = handler.commands.isBusy ? PollPage.sliceBesideCommands : PollPage.slice
        var allowance = handler.isDraining ? .max : slice
        while allowance > 0, let (id, page) = pollWork.next() {
            allowance -= 1
            respond(to: id, with: page)
        }
        guard !pollWork.isEmpty, !pollWork.isScheduled else { return }
        pollWork.isScheduled = true
        handler.shared.registry.post(to: handler.loop.index) { handler in
            handler.subscribers.pollWork.isScheduled = false
            handler.subscribers.sendPollSlice()
        }
    }

    private func respond(to id: Subscriptions.ID, with page: PollPage) {
        guard let waiting = polls[id], let poll = core.takePoll(id, at: handler.shared.clock.now().monotonic) else { return }
        stopWaiting(id)
        guard let exchange = handler.loop.exchange(waiting.exchange) else { return }
        do throws(Problem) {
            let response = try encoded(page, of: poll.room)
            guard poll.maySeeEvents else { throw .roomNotFound }
            exchange.respond(response)
        } catch {
            refuse(error, to: exchange)
        }
    }

    /// The response shared by all polls that wait for the same page, so it has no request id. Encoded again if the room has new events.
    private func encoded(_ page: PollPage, of room: CommittedRoom) throws(Problem) -> SharedResponse {
        let head = room.view.room.seq
        if let encoded = page.response(at: head) { return encoded }
        if !page.isFinal,
            case .events(let events, let more) = room.recent(
                after: page.after, limit: page.limit, bytes: handler.shared.options.limits.pageBytes)
        {
            page.take(events, more: more)
        }
        let age = try handler.ageHeader(confirmedAt: handler.confirmation(of: room))
        let now = handler.shared.clock.now().wall
        var response = eventsResponse(page.events, after: page.after, more: page.more, room, at: now)
        if let age { response.headers.append(age) }
        let encoded = SharedResponse(response)
        page.keep(encoded, at: head)
        return encoded
    }

    /// Removes a waiting long-poll, if it still waits.
    private func stopWaiting(_ id: Subscriptions.ID) {
        guard let waiting = polls.removeValue(forKey: id) else { return }
        handler.shared.limits.streams.leave(waiting.place)
        handler.metrics.change(.waitingPolls, by: -1)
        leave(id)
    }

    private func readOldEvents(
        _ visible: VisibleRoom, after: Int, upTo last: Int, limit: Int, _ context: RequestContext
    ) -> Reply {
        let (room, shared) = (visible.committed, handler.shared)
        let (clock, bytes, responses) = (shared.clock, shared.options.limits.pageBytes, shared.responses.budget)
        return context.offload(visible) { log throws(EventLogError) in
            let (events, more) = try room.eventsFromLog(after: after, upTo: last, limit: limit, bytes: bytes, from: log)
            return EventsPage(events: events[...], after: after, more: more)
                .response(of: room, at: clock.now().wall, in: responses)
        }
    }

    private func eventsResponse(
        _ events: ArraySlice<StoredEvent>, after: Int, more: Bool, _ room: CommittedRoom, at now: Timestamp
    ) -> Response {
        EventsPage(events: events, after: after, more: more).response(of: room, at: now, in: handler.shared.responses.budget)
    }

    // MARK: Streams

    /// Subscribes to a room's events after a seq. The caller must have counted the watcher and entered the budget.
    func subscribe(
        _ sink: any StreamSink, _ transport: StreamTransport, to visible: VisibleRoom, after: Int,
        at place: StreamBudget.Place, _ commands: SocketCommands? = nil
    ) {
        let room = visible.committed
        let subscriber = StreamSubscriber(
            id: nextID(), sink: sink, transport: transport, place: place, visible: visible, commands: commands)
        let id = subscriber.id
        streams[id] = subscriber
        handler.metrics.change(transport.gauge, by: 1)
        sink.onEnd = { [weak self] in self?.unsubscribe(id) }
        sink.onDrained = { [weak self] in self?.pageDrained(id) }
        armNoticeTimer()
        perform(core.join(id, room, visible.viewer?.principal, after: after, at: handler.shared.clock.now()))
    }

    private func unsubscribe(_ id: Subscriptions.ID) {
        guard let subscriber = streams.removeValue(forKey: id) else { return }
        subscriber.hasLeft.set()
        handler.metrics.change(subscriber.transport.gauge, by: -1)
        handler.shared.limits.streams.leave(subscriber.place)
        leave(id)
    }

    /// Reads a page for a stream that is catching up, on another thread.
    private func read(_ id: Subscriptions.ID, _ room: RoomID, after: Int, limit: Int) {
        guard let hasLeft = streams[id]?.hasLeft else { return }
        let (registry, index, bytes) = (handler.shared.registry, handler.loop.index, settings.pageBytes)
        handler.shared.service.read { log in
            // A client that connects again and again has no more than one read, whatever else waits in the queue.
            guard !hasLeft.isSet else { return }
            let result = Result { () throws(EventLogError) in
                try log.events(of: room, after: after, limit: limit, bytes: bytes)
            }
            registry.post(to: index) { $0.subscribers.perform($0.subscribers.core.page(id, result)) }
        }
    }

    /// Requests the next page once the sink's buffer is empty.
    private func pageDrained(_ id: Subscriptions.ID) {
        guard streams[id]?.pageDrained() == true else { return }
        perform(core.ready(id))
    }

    /// Sends one slice, and posts a job for the next one if work remains.
    private func sendSlice() {
        guard !streamWork.isSending else { return }
        streamWork.isSending = true
        var allowance = FanOut<Subscriptions.ID, StreamWork>.slice
        while allowance > 0, let (id, work) = streamWork.next() {
            allowance -= 1
            if let subscriber = streams[id] { execute(work, for: subscriber) }
        }
        streamWork.isSending = false
        // Events are held until less is queued.
        guard !streamWork.isEmpty || core.holdsEvents, !streamWork.isScheduled else { return }
        streamWork.isScheduled = true
        handler.shared.registry.post(to: handler.loop.index) { $0.subscribers.nextSlice() }
    }

    private func nextSlice() {
        // Before the slice is due, so that what it adds is sent in slices too.
        publishHeld()
        streamWork.isScheduled = false
        sendSlice()
    }

    private func execute(_ work: StreamWork, for subscriber: StreamSubscriber) {
        switch work {
        case .send(let content): subscriber.sink.send(content.bytes(for: subscriber.transport))
        case .sendPage(let content):
            subscriber.pageBegan()
            subscriber.sink.send(content.bytes(for: subscriber.transport))
            if subscriber.sink.bufferedBytes == 0 { pageDrained(subscriber.id) }
        case .close(let status): subscriber.sink.close(status)
        }
    }

    // Periodic notices act as keep-alives: proxies and routers do not drop the connection as idle, and a client that receives nothing for
    // several intervals can conclude that the connection is dead.
    private func armNoticeTimer() {
        guard timers.notices == nil, !handler.isDraining else { return }
        let milliseconds = Int(max(0.01, settings.options.noticeSeconds) * 1000)  // proven: an option
        timers.notices = handler.loop.schedule(afterMilliseconds: milliseconds) { [weak self] in
            guard let self else { return }
            timers.notices = nil
            sendNotices()
        }
    }

    private func sendNotices() {
        guard !streams.isEmpty else { return }
        armNoticeTimer()
        let (now, responses) = (handler.shared.clock.now().wall, handler.shared.responses.budget)
        for (_, subscribers) in Dictionary(grouping: streams.values, by: { $0.room.id }) {
            let content = StreamContent.presence(viewers: subscribers[0].room.viewers, at: now, in: responses)
            streamWork.add(.send(content), to: subscribers.map(\.id))
        }
        sendSlice()
    }
}

/// Work for one subscriber of a stream.
enum StreamWork {
    case send(StreamContent)
    /// Sends a page to a subscriber that is catching up; the next page follows once this one has been written.
    case sendPage(StreamContent)
    case close(CloseStatus)
}

/// Bounds of the streams of one event loop.
struct StreamSettings {
    let options: StreamOptions
    /// Maximum bytes of one page for a subscriber that is catching up.
    let pageBytes: Int

    init(options: StreamOptions, pageBytes: Int) {
        self.options = options
        // A page must fit into the outgoing buffer in addition to buffered content, and several events in addition to a page.
        self.pageBytes = min(options.outgoingBytes / 4, pageBytes)
    }

    /// For a WebSocket.
    var webSocket: WebSocketConnection.Options {
        var socket = WebSocketConnection.Options()
        socket.outgoing.bytes = options.outgoingBytes
        socket.overflow = .tooSlow
        socket.session.messageLimit = options.messageBytes
        socket.session.pingMilliseconds = UInt64(max(1, options.pingSeconds * 1000))  // proven: an option
        return socket
    }

    /// For server-sent events.
    var response: ResponseStream.Options {
        var stream = ResponseStream.Options()
        stream.outgoing.bytes = options.outgoingBytes
        return stream
    }
}

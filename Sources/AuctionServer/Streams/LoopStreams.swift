internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import WebSocketFrames

/// Work for one subscriber of a stream.
enum StreamWork {
    case send(StreamContent)
    /// Sends a page to a subscriber that is catching up; the next page follows once this one has been written.
    case sendPage(StreamContent)
    case close(CloseStatus)
}

/// State of the streams of one event loop.
struct LoopStreams {
    let options: StreamOptions
    var feed: LiveFeed
    var subscribers: [LiveFeed.ID: StreamSubscriber] = [:]
    var fanOut = FanOut<LiveFeed.ID, StreamWork>()
    var noticeTimer: TimerID?
    private var lastID: LiveFeed.ID = 0

    /// Maximum bytes of one page for a subscriber that is catching up.
    let pageBytes: Int

    init(options: StreamOptions, pageBytes: Int) {
        self.options = options
        var limits = LiveFeed.Limits()
        // A page must fit into the outgoing buffer in addition to buffered content, and several events in addition to a page.
        limits.pageBytes = min(options.outgoingBytes / 4, pageBytes)
        self.pageBytes = limits.pageBytes
        feed = LiveFeed(limits: limits)
    }

    mutating func nextID() -> LiveFeed.ID {
        lastID += 1
        return lastID
    }

    var webSocket: WebSocketConnection.Options {
        var socket = WebSocketConnection.Options()
        socket.outgoingLimit = options.outgoingBytes
        socket.overflow = .tooSlow
        socket.session.messageLimit = options.messageBytes
        socket.session.pingMilliseconds = UInt64(max(1, options.pingSeconds * 1000))  // proven: an option
        return socket
    }

    var response: ResponseStream.Options {
        var stream = ResponseStream.Options()
        stream.outgoingLimit = options.outgoingBytes
        return stream
    }
}

// Subscribing, publishing and unsubscribing.
extension LoopHandler {
    /// Subscribes to a room's events after a seq. The caller must have counted the watcher and entered the budget.
    func subscribe(
        _ sink: any StreamSink, _ transport: StreamTransport, to visible: VisibleRoom, after: Int,
        at place: StreamBudget.Place, _ commands: SocketCommands? = nil
    ) {
        let room = visible.committed
        let subscriber = StreamSubscriber(
            id: streams.nextID(), sink: sink, transport: transport, place: place,
            watch: WaitingPoll(room: room, principal: visible.viewer?.principal), commands: commands)
        let id = subscriber.id
        streams.subscribers[id] = subscriber
        metrics.change(transport.gauge, by: 1)
        sink.onEnd = { [weak self] in self?.unsubscribe(id) }
        sink.onDrained = { [weak self] in self?.pageDrained(id) }
        trackPresence(subscriber.watch)
        if let principal = subscriber.watch.principal { watchAccess(of: principal) }
        armNoticeTimer()
        perform(streams.feed.handle(.join(id, room.id, after: after, seq: room.view.room.seq)))
    }

    private func unsubscribe(_ id: LiveFeed.ID) {
        guard let subscriber = streams.subscribers.removeValue(forKey: id) else { return }
        metrics.change(subscriber.transport.gauge, by: -1)
        _ = streams.feed.handle(.gone(id))
        shared.streamBudget.leave(subscriber.place)
        untrackPresence(subscriber.watch)
    }

    /// Publishes durable events of a watched room; the room's subscribers may all be on other loops.
    func publish(_ events: [StoredEvent], of room: CommittedRoom) {
        guard !streams.subscribers.isEmpty else { return }
        let current = room.view.room
        // Visibility changes only with events of members, and only in rooms that are not public.
        if current.details.visibility != .public, events.contains(where: { $0.type.hasPrefix("member.") }) {
            for subscriber in streams.subscribers.values where subscriber.room.id == room.id && !subscriber.maySee(current) {
                subscriber.sink.close(.forbidden)
            }
        }
        perform(streams.feed.handle(.published(room.id, events)))
        if current.isArchived {
            let ids = streams.subscribers.values.filter { $0.room.id == room.id }.map(\.id)
            streams.fanOut.add(.close(.roomGone), to: ids)
            sendSlice()
        }
    }

    func perform(_ directives: [LiveFeed.Directive]) {
        var rest = directives[...]
        while let directive = rest.popFirst() {
            switch directive {
            case .readMemory(let id, let after): rest += loadRecent(id, after: after)
            case .read(let id, let after): read(id, after: after)
            case .sendPage(let id, let events):
                streams.fanOut.add(.sendPage(StreamContent(.events(events), in: shared.responses)), to: [id])
            case .send(let ids, let events):
                streams.fanOut.add(.send(StreamContent(.events(events), in: shared.responses)), to: ids)
            case .caughtUp(let id): caughtUp(id)
            case .tooSlow(let id): streams.fanOut.add(.close(.tooSlow), to: [id])
            }
        }
        sendSlice()
    }

    private func loadRecent(_ id: LiveFeed.ID, after: Int) -> [LiveFeed.Directive] {
        guard let subscriber = streams.subscribers[id] else { return [] }
        guard subscriber.maySee(subscriber.room.view.room) else {
            subscriber.sink.close(.forbidden)
            return []
        }
        let limit = LiveFeed.Limits().pageEvents
        let recent = subscriber.room.recent(after: after, limit: limit, bytes: streams.pageBytes)
        return streams.feed.handle(.found(id, recent))
    }

    private func caughtUp(_ id: LiveFeed.ID) {
        guard let subscriber = streams.subscribers[id], subscriber.room.view.room.isArchived else { return }
        streams.fanOut.add(.close(.roomGone), to: [id])
    }

    private func read(_ id: LiveFeed.ID, after: Int) {
        guard let committed = streams.subscribers[id]?.room else { return }
        let (registry, index, room) = (shared.registry, loop.index, committed.id)
        // The log may be ahead of the published state; a client that resumed from an unpublished seq would be refused.
        let limit = min(LiveFeed.Limits().pageEvents, max(0, committed.view.room.seq - after))
        let bytes = streams.pageBytes
        shared.service.read { log in
            let result = Result { () throws(EventLogError) in
                try log.events(of: room, after: after, limit: limit, bytes: bytes)
            }
            registry.post(to: index) { $0.receivedPage(id, result) }
        }
    }

    fileprivate func receivedPage(_ id: LiveFeed.ID, _ result: Result<[StoredEvent], EventLogError>) {
        switch result {
        case .success(let events): perform(streams.feed.handle(.page(id, events)))
        case .failure: streams.subscribers[id]?.sink.close(.unavailable)
        }
    }

    /// Requests the next page once the sink's buffer is empty.
    private func pageDrained(_ id: LiveFeed.ID) {
        guard let subscriber = streams.subscribers[id], subscriber.isPageInFlight else { return }
        subscriber.isPageInFlight = false
        perform(streams.feed.handle(.ready(id)))
    }

    /// Sends one slice, and posts a job for the next one if work remains.
    func sendSlice() {
        guard !streams.fanOut.isSending else { return }
        streams.fanOut.isSending = true
        var allowance = streams.fanOut.allowance()
        while allowance > 0, let (id, work) = streams.fanOut.next() {
            allowance -= 1
            if let subscriber = streams.subscribers[id] { execute(work, for: subscriber) }
        }
        streams.fanOut.isSending = false
        guard !streams.fanOut.isEmpty, !streams.fanOut.isScheduled else { return }
        streams.fanOut.isScheduled = true
        shared.registry.post(to: loop.index) { handler in
            handler.streams.fanOut.isScheduled = false
            handler.sendSlice()
        }
    }

    private func execute(_ work: StreamWork, for subscriber: StreamSubscriber) {
        switch work {
        case .send(let content): subscriber.sink.send(content.bytes(for: subscriber.transport))
        case .sendPage(let content):
            subscriber.isPageInFlight = true
            subscriber.sink.send(content.bytes(for: subscriber.transport))
            if subscriber.sink.bufferedBytes == 0 { pageDrained(subscriber.id) }
        case .close(let status): subscriber.sink.close(status)
        }
    }

    /// Closes all streams because the server is stopping.
    func endStreams() {
        if let timer = streams.noticeTimer { loop.cancel(timer) }
        access.stop(on: loop)
        for subscriber in Array(streams.subscribers.values) {
            if let commands = subscriber.commands {
                commands.close(.goingAway)
            } else {
                subscriber.sink.close(.goingAway)
            }
        }
    }
}

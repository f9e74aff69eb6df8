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
    var feed: RoomStreams
    var subscribers: [RoomStreams.ID: StreamSubscriber] = [:]
    var fanOut = FanOut<RoomStreams.ID, StreamWork>()
    var noticeTimer: TimerID?
    private var lastID: RoomStreams.ID = 0

    /// Maximum bytes of one page for a subscriber that is catching up.
    let pageBytes: Int

    init(options: StreamOptions, pageBytes: Int) {
        self.options = options
        var limits = LiveFeed.Limits()
        // A page must fit into the outgoing buffer in addition to buffered content, and several events in addition to a page.
        limits.pageBytes = min(options.outgoingBytes / 4, pageBytes)
        self.pageBytes = limits.pageBytes
        feed = RoomStreams(limits: limits)
    }

    mutating func nextID() -> RoomStreams.ID {
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
        perform(streams.feed.join(id, room, user: subscriber.watch.user, after: after))
    }

    private func unsubscribe(_ id: RoomStreams.ID) {
        guard let subscriber = streams.subscribers.removeValue(forKey: id) else { return }
        metrics.change(subscriber.transport.gauge, by: -1)
        streams.feed.leave(id)
        shared.streamBudget.leave(subscriber.place)
        untrackPresence(subscriber.watch)
    }

    /// Publishes durable events of a watched room; the room's subscribers may all be on other loops.
    func publish(_ events: [StoredEvent], of room: CommittedRoom) {
        perform(streams.feed.published(room, events))
    }

    private func perform(_ directives: [RoomStreams.Directive]) {
        if directives.isEmpty { return }
        for directive in directives {
            switch directive {
            case .read(let id, let room, let after, let limit): read(id, room, after: after, limit: limit)
            case .sendPage(let id, let events):
                streams.fanOut.add(.sendPage(StreamContent(.events(events), in: shared.responses)), to: [id])
            case .send(let ids, let events):
                streams.fanOut.add(.send(StreamContent(.events(events), in: shared.responses)), to: ids)
            // At once: nothing that is still queued may be sent.
            case .close(let ids, .forbidden): for id in ids { streams.subscribers[id]?.sink.close(.forbidden) }
            case .close(let ids, let reason): streams.fanOut.add(.close(CloseStatus(reason)), to: ids)
            }
        }
        sendSlice()
    }

    private func read(_ id: RoomStreams.ID, _ room: RoomID, after: Int, limit: Int) {
        let (registry, index, bytes) = (shared.registry, loop.index, streams.pageBytes)
        shared.service.read { log in
            let result = Result { () throws(EventLogError) in
                try log.events(of: room, after: after, limit: limit, bytes: bytes)
            }
            registry.post(to: index) { $0.perform($0.streams.feed.page(id, result)) }
        }
    }

    /// Requests the next page once the sink's buffer is empty.
    private func pageDrained(_ id: RoomStreams.ID) {
        guard let subscriber = streams.subscribers[id], subscriber.isPageInFlight else { return }
        subscriber.isPageInFlight = false
        perform(streams.feed.ready(id))
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

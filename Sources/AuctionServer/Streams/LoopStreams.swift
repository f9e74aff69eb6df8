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
    var subscribers: [Subscriptions.ID: StreamSubscriber] = [:]
    var fanOut = FanOut<Subscriptions.ID, StreamWork>()
    /// Events that wait until less is queued in `fanOut`. While there are any, a job for the next slice has been posted.
    var held = HeldEvents()
    var noticeTimer: TimerID?
    var pages = SharedPages()

    /// Maximum bytes of one page for a subscriber that is catching up.
    let pageBytes: Int

    init(options: StreamOptions, pageBytes: Int) {
        self.options = options
        // A page must fit into the outgoing buffer in addition to buffered content, and several events in addition to a page.
        self.pageBytes = min(options.outgoingBytes / 4, pageBytes)
    }

    var webSocket: WebSocketConnection.Options {
        var socket = WebSocketConnection.Options()
        socket.outgoing.bytes = options.outgoingBytes
        socket.overflow = .tooSlow
        socket.session.messageLimit = options.messageBytes
        socket.session.pingMilliseconds = UInt64(max(1, options.pingSeconds * 1000))  // proven: an option
        return socket
    }

    var response: ResponseStream.Options {
        var stream = ResponseStream.Options()
        stream.outgoing.bytes = options.outgoingBytes
        return stream
    }
}

// Streams as subscribers: opening, sending, closing.
extension LoopHandler {
    /// Subscribes to a room's events after a seq. The caller must have counted the watcher and entered the budget.
    func subscribe(
        _ sink: any StreamSink, _ transport: StreamTransport, to visible: VisibleRoom, after: Int,
        at place: StreamBudget.Place, _ commands: SocketCommands? = nil
    ) {
        let room = visible.committed
        let subscriber = StreamSubscriber(
            id: nextSubscription(), sink: sink, transport: transport, place: place, visible: visible, commands: commands)
        let id = subscriber.id
        streams.subscribers[id] = subscriber
        metrics.change(transport.gauge, by: 1)
        sink.onEnd = { [weak self] in self?.unsubscribe(id) }
        sink.onDrained = { [weak self] in self?.pageDrained(id) }
        armNoticeTimer()
        perform(subscriptions.join(id, room, visible.viewer?.principal, after: after, at: shared.clock.now()))
    }

    private func unsubscribe(_ id: Subscriptions.ID) {
        guard let subscriber = streams.subscribers.removeValue(forKey: id) else { return }
        subscriber.hasLeft.set()
        metrics.change(subscriber.transport.gauge, by: -1)
        shared.streamBudget.leave(subscriber.place)
        leave(id)
    }

    func read(_ id: Subscriptions.ID, _ room: RoomID, after: Int, limit: Int) {
        guard let hasLeft = streams.subscribers[id]?.hasLeft else { return }
        let (registry, index, bytes) = (shared.registry, loop.index, streams.pageBytes)
        shared.service.read { log in
            // A client that connects again and again has no more than one read, whatever else waits in the queue.
            guard !hasLeft.isSet else { return }
            let result = Result { () throws(EventLogError) in
                try log.events(of: room, after: after, limit: limit, bytes: bytes)
            }
            registry.post(to: index) { $0.perform($0.subscriptions.page(id, result)) }
        }
    }

    /// Requests the next page once the sink's buffer is empty.
    private func pageDrained(_ id: Subscriptions.ID) {
        guard let subscriber = streams.subscribers[id], subscriber.isPageInFlight else { return }
        subscriber.isPageInFlight = false
        perform(subscriptions.ready(id))
    }

    /// Sends one slice, and posts a job for the next one if work remains.
    func sendSlice() {
        guard !streams.fanOut.isSending else { return }
        streams.fanOut.isSending = true
        var allowance = FanOut<Subscriptions.ID, StreamWork>.slice
        while allowance > 0, let (id, work) = streams.fanOut.next() {
            allowance -= 1
            if let subscriber = streams.subscribers[id] { execute(work, for: subscriber) }
        }
        streams.fanOut.isSending = false
        guard !streams.fanOut.isEmpty || !streams.held.isEmpty, !streams.fanOut.isScheduled else { return }
        streams.fanOut.isScheduled = true
        shared.registry.post(to: loop.index) { handler in
            // Before the slice is due, so that what it adds is sent in slices too.
            handler.publishHeld()
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
        if let timer = tokenTimer { loop.cancel(timer) }
        tokenTimer = nil
        for subscriber in Array(streams.subscribers.values) {
            if let commands = subscriber.commands {
                commands.close(.goingAway)
            } else {
                subscriber.sink.close(.goingAway)
            }
        }
    }
}

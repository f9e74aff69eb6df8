import StateMachines

extension RoomConnection {
    /// The most bytes that are read of the refusal of a stream; the service's have less than one kilobyte.
    static let refusalBytes = 64 << 10

    // MARK: - Server-sent events

    mutating func opened(_ head: HTTPHead) {
        guard running.state == .opening, transport == .serverSentEvents else { return }
        guard head.isSuccess else {
            // Its body says why.
            refusal = HTTPResponse(head: head)
            return
        }
        guard head.mediaType == "text/event-stream" else {
            noteFruitlessStream()
            return lose(.unexpectedResponse(status: head.status, mediaType: head.mediaType))
        }
    }

    /// The refusal of the stream as far as it has arrived; nil if it was not refused.
    mutating func takeRefusal() -> Problem? {
        defer { refusal = nil }
        return refusal.map(Problem.init)
    }

    mutating func received(_ bytes: [UInt8]) {
        guard running.state == .opening || running.state == .live else { return }
        lastReceivedAt = now
        if refusal != nil {
            refusal?.body += bytes.prefix(Self.refusalBytes)
            if let body = refusal?.body, body.count >= Self.refusalBytes, let problem = takeRefusal() { refused(problem) }
            return
        }
        if running.state == .opening { becomeLive() } else { fire(.received) }
        // A notice has come through as it was sent: nothing on the way holds the stream back.
        if let liveSince, now.duration(since: liveSince) >= .seconds(10) { fruitlessStreams = 0 }
        let items: [EventStreamParser.Item]
        do throws(EventStreamParser.TooLarge) { items = try parser.parse(bytes) } catch { return loseUnreadable() }
        for item in items {
            guard case .event(let name, let data) = item else { continue }
            if name == "notice" { takeNotice(data) } else if !takeEvent(data) { return }
        }
        saturateIfFull()
    }

    mutating func streamEnded() {
        call = nil
        if let problem = takeRefusal() { return refused(problem) }
        if running.state == .opening { noteFruitlessStream() }
        lose(.ended)
    }

    private mutating func takeNotice(_ data: [UInt8]) {
        guard let json = parsed(data) else { return }
        observe(json, sentAt: nil)
        takeViewers(json["viewers"])
    }

    private mutating func takeViewers(_ value: JSONValue?) {
        guard let viewers = value?.integer.flatMap(Int.init(exactly:)), var state, state.viewers != viewers else { return }
        state.viewers = viewers
        self.state = state
        buffer.append(RoomUpdate(event: nil, state: state), bytes: 0)
    }

    private func parsed(_ data: [UInt8]) -> JSONValue? {
        do throws(JSONError) { return try JSONParser.parse(data) } catch { return nil }
    }

    // MARK: - Long-poll

    mutating func receivedPage(_ response: HTTPResponse) {
        guard let json = json(in: response), let events = json["events"]?.elements else {
            return lose(.unexpectedResponse(status: response.head.status, mediaType: response.head.mediaType))
        }
        lastReceivedAt = now
        if running.state == .opening { becomeLive() } else { fire(.received) }
        backoff.reset()
        observe(json, sentAt: callSentAt)
        for event in events {
            guard takeEvent(event, bytes: response.body.count / max(1, events.count)) else { return }
        }
        takeViewers(json["presence"]?["viewers"])
        saturateIfFull()
        guard running.state == .live else { return }
        if returnToPreferredIfDue() { return begin(.restart) }
        poll(seconds: json["more"]?.bool == true ? 0 : settings.pollSeconds)
    }

    // MARK: - Events

    private mutating func becomeLive() {
        liveSince = now
        fire(.opened)
        renewedAt = nil
        unattributedSince = nil
        behindRefusals = 0
        retryAt = nil
        notBefore = nil
        publish(.live(transport))
        // What events do not carry may have changed meanwhile.
        if let state, state.details.seq < state.seq || details.wasLive { wantDetails() }
        details.wasLive = true
    }

    private mutating func takeEvent(_ data: [UInt8]) -> Bool {
        guard let json = parsed(data) else {
            loseUnreadable()
            return false
        }
        return takeEvent(json, bytes: data.count)
    }

    /// Buffers an event if it is the next one; false if the attempt has ended with it.
    private mutating func takeEvent(_ json: JSONValue, bytes: Int) -> Bool {
        guard var state, let cursor else { return false }
        if let seq = json["seq"]?.integer, seq <= cursor { return true }
        let event: RoomEvent
        do throws(MalformedJSON) { event = try RoomEvent(json, currency: state.currency) } catch {
            loseUnreadable()
            return false
        }
        guard event.seq == cursor + 1 else {
            lose(.gap(expected: cursor + 1, received: event.seq))
            return false
        }
        self.cursor = event.seq
        // However soon the connection is lost again, it was of use: the delays begin anew.
        backoff.reset()
        if state.seq < event.seq {
            if event.mayChangeDetails(of: state, for: follower, isBeingRead: isReadingDetails) {
                wantDetails()
            } else {
                keepForDetails(event)
            }
            state.apply(event)
        } else {
            state.followResult(event)
        }
        self.state = state
        buffer.append(RoomUpdate(event: event, state: state), bytes: bytes)
        adoptIfReached()
        guard case .roomArchived = event.body else { return true }
        stop(.archived)
        return false
    }

    private mutating func loseUnreadable() {
        let next = (cursor ?? 0) + 1
        unreadable = unreadable.seq == next ? (next, unreadable.count + 1) : (next, 1)
        // Damaged on the way, it is readable the next time; if it is not, it never will be.
        if unreadable.count >= 3 { stop(.unreadableEvent(seq: next)) } else { lose(.unreadable) }
    }

    private mutating func saturateIfFull() {
        guard buffer.isFull, fire(.saturate) else { return }
        publish(.waitingForReader)
    }
}

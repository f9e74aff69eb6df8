import StateMachines

extension RoomConnection {
    // MARK: - Requests

    func roomCall() -> HTTPCall {
        get("/v1/rooms/\(room.pathSegment)", accept: "application/json", timeout: settings.openTimeout)
    }

    private func eventsCall(_ query: String, accept: String, timeout: Duration) -> HTTPCall {
        get("/v1/rooms/\(room.pathSegment)/events?after=\(cursor ?? 0)\(query)", accept: accept, timeout: timeout)
    }

    private func get(_ target: String, accept: String, timeout: Duration) -> HTTPCall {
        var headers = [HTTPHeader("Accept", accept), HTTPHeader("Accept-Language", language)]
        if let credential { headers.append(HTTPHeader("Authorization", "Bearer \(credential.token)")) }
        return HTTPCall(
            method: "GET", target: target, headers: headers, body: nil, timeout: timeout,
            responseLimit: settings.maximumResponseBytes)
    }

    mutating func openTransport() {
        lastReceivedAt = now
        refusal = nil
        switch transport {
        case .serverSentEvents:
            parser = EventStreamParser(limit: settings.maximumEventBytes)
            // The core has its own deadlines, which depend on the state; the transport's is the last resort.
            let call = eventsCall("", accept: "text/event-stream", timeout: settings.stallTimeout + .seconds(10))
            directives.append(.open(beginCall(), call))
        case .longPoll: poll(seconds: 0)
        }
    }

    mutating func poll(seconds: Int) {
        let wait = min(max(seconds, 0), 60)
        // Never more events than there is room for.
        let limit = max(1, min(100, settings.bufferedEvents - buffer.count))
        let call = eventsCall(
            "&wait=\(wait)&limit=\(limit)", accept: "application/json", timeout: .seconds(wait) + settings.openTimeout)
        directives.append(.send(beginCall(), call))
    }

    // MARK: - Tokens

    /// A token that was obtained since then cannot have expired yet.
    static let freshTokenAge: Duration = .seconds(30)

    mutating func authorized(_ credential: Credential?) {
        guard running.state == .authorizing else { return }
        if let rejection, credential == self.credential {
            // The same token again would be refused again.
            return stop(.unauthorized(rejection))
        }
        if rejection != nil { renewedAt = now }
        rejection = nil
        self.credential = credential
        follower = Follower(credential)
        call = nil
        fire(state == nil ? .load : .open)
    }

    mutating func tokenFailed(_ text: String, _ isFinal: Bool) {
        call = nil
        if isFinal { stop(.signedOut) } else { lose(.token(text)) }
    }

    private mutating func unauthorized(_ problem: Problem) {
        // A new token that is refused at once ends it; one that has become old while the network was away is renewed again.
        if let renewedAt, now.duration(since: renewedAt) < Self.freshTokenAge { return stop(.unauthorized(problem)) }
        rejection = problem
        // Also published: a poll is refused while the connection is live, and the provider may take its time.
        begin(.restart)
    }

    // MARK: - Responses

    mutating func received(_ response: HTTPResponse, for id: CallID) {
        if id == details.call { return receivedDetails(response) }
        guard id == call else { return }
        call = nil
        guard response.head.isSuccess else { return refused(Problem(response)) }
        switch running.state {
        case .loading: loaded(response)
        case .opening, .live: receivedPage(response)
        default: break
        }
    }

    mutating func failed(_ id: CallID, _ error: TransportError) {
        if id == details.call { return detailsFailed() }
        guard id == call else { return }
        call = nil
        if let refusal = takeRefusal() { return refused(refusal) }
        if case .invalidAddress(let address) = error { return stop(.invalidAddress(address)) }
        if running.state == .opening, transport == .serverSentEvents, case .interrupted = error { noteFruitlessStream() }
        lose(.network(error))
    }

    /// A response other than 2xx, of any call of the connection.
    mutating func refused(_ problem: Problem) {
        switch problem.status {
        case 401 where problem.isFromService: unauthorized(problem)
        case 401: stopIfCertain(problem, .unauthorized(problem))
        case 300...399: lose(.unexpectedResponse(status: problem.status, mediaType: ""))
        case 406 where transport == .serverSentEvents, 501 where transport == .serverSentEvents:
            // An intermediary that does not let streams through.
            fruitlessStreams = Self.fruitlessStreamsBeforeFallback
            fallBackIfFruitless()
            lose(.service(problem))
        case 408, 425, 429, 500...599: lose(.service(problem), after: problem.retryAfter)
        case 400 where problem.field == "after": serviceIsBehind()
        case 403: stopIfCertain(problem, .forbidden(problem))
        case 404: stopIfCertain(problem, .notFound(problem))
        default: stopIfCertain(problem, .refused(problem))
        }
    }

    /// How long something before the service (a proxy without a server, a network's sign-in page) must refuse in a row until that
    /// counts as final.
    static let unattributedRefusalTime: Duration = .seconds(60)

    /// A refusal by the service is final at once.
    private mutating func stopIfCertain(_ problem: Problem, _ reason: StopReason) {
        let since = unattributedSince ?? now
        if problem.isFromService || now.duration(since: since) >= Self.unattributedRefusalTime { return stop(reason) }
        lose(.unexpectedResponse(status: problem.status, mediaType: ""), after: problem.retryAfter)
        unattributedSince = since
    }

    /// The service has no event at the cursor. A node that reads late catches up within seconds.
    private mutating func serviceIsBehind() {
        behindRefusals += 1
        if behindRefusals >= 8 { stop(.historyReplaced(seen: cursor ?? 0)) } else { lose(.serviceIsBehind) }
    }

    private mutating func loaded(_ response: HTTPResponse) {
        guard let json = json(in: response), let reading = room(in: json) else {
            return lose(.unexpectedResponse(status: response.head.status, mediaType: response.head.mediaType))
        }
        observe(json, sentAt: callSentAt)
        if let cursor, reading.seq < cursor {
            // Not an error yet: the events of this start may be on another node already.
            return serviceIsBehind()
        }
        state = reading
        cursor = cursor ?? reading.seq
        buffer.append(RoomUpdate(event: nil, state: reading), bytes: 0)
        fire(.open)
    }

    // MARK: - Reading

    /// The body as JSON; nil if it is none, or says that it is something else.
    func json(in response: HTTPResponse) -> JSONValue? {
        guard response.head.mediaType == "application/json" else { return nil }
        do throws(JSONError) { return try JSONParser.parse(response.body) } catch { return nil }
    }

    func room(in json: JSONValue) -> RoomState? {
        do throws(MalformedJSON) { return try RoomState(json) } catch { return nil }
    }

    /// Passes a time of the server on; `sentAt` is nil for a notice.
    mutating func observe(_ json: JSONValue, sentAt: MachineTimestamp?) {
        guard let time = json["serverTime"]?.string.flatMap(ServerTime.init(rfc3339:)) else { return }
        directives.append(.observe(ClockSample(time: time, sentAt: sentAt, receivedAt: now)))
    }
}

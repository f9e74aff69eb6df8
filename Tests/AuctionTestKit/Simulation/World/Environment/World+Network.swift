internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import Permissions

// Requests and responses between clients and processes.
extension World {
    /// Delay of one message in milliseconds; delays differ, so messages are reordered.
    func latency() -> Int64 {
        let (usual, long, isLong) = (network.amount(1...25), network.amount(50...2500), network.once(in: 12))
        return isFaultFree || !options.faults.contains(.delay) ? 1 : isLong ? long : usual
    }

    func isDropped() -> Bool {
        let occurs = network.once(in: 25)
        return occurs && !isFaultFree && options.faults.contains(.drop)
    }

    /// Records a request and sends it, sometimes twice; returns its index.
    @discardableResult
    func ask(_ command: Command, of room: RoomID, by person: Person, key: IdempotencyKey? = nil, in delay: Int64? = nil) -> Int
    {
        let request = ClientRequest(
            number: transcript.requests.count, room: room, command: command, caller: person, key: key, step: step)
        transcript.requests.append(request)
        trace.note("\(time) step \(step) request \(request.number): \(person.nickname) \(key == nil ? "" : "keyed ")\(command)")
        let latency = latency()
        send(request.number, to: network.roll(0...(nodes.count - 1)), in: delay ?? latency)
        let (twice, again) = (network.once(in: 12), self.latency())
        if twice, options.faults.contains(.duplicate), !isFaultFree { send(request.number, to: nodes.count - 1, in: again) }
        return request.number
    }

    func send(_ request: Int, to node: Int, in delay: Int64) {
        let attempt = Attempt(number: transcript.attempts.count, request: request, seed: network.word(), sentAt: time)
        transcript.attempts.append(attempt)
        if isDropped() {
            trace.note("\(time) attempt \(attempt.number) of request \(request) is lost")
        } else {
            plan(in: delay) { $0.arrive(attempt.number, at: node) }
        }
        if transcript.requests[request].key != nil { plan(in: 4000) { $0.timedOut(attempt.number) } }
    }

    func arrive(_ number: Int, at index: Int) {
        let node = nodes[index]
        guard node.isServing else {
            transcript.attempts[number].wasUnreachable = true
            return retry(transcript.attempts[number].request)
        }
        transcript.attempts[number].arrivedAt = time
        transcript.attempts[number].arrival = now(node).wall
        transcript.attempts[number].process = node.name
        let attempt = transcript.attempts[number]
        let request = transcript.requests[attempt.request]
        trace.note("\(time) \(node.name) gets attempt \(number) of request \(attempt.request)")
        post(
            .command(
                CommandRequest(
                    room: request.room, command: broken(request), caller: request.caller,
                    info: RequestInfo(
                        language: .english, path: "/", requestID: "r\(number)", receivedAt: now(node).wall),
                    idempotency: options.bug == .keysIgnored ? nil : request.key,
                    reply: ReplyAddress(loop: loop(of: UInt64(number)), exchange: UInt64(number)), seed: attempt.seed,
                    drawSeed: DrawSeed(bits: SeededGenerator.wide(attempt.seed)))), to: node)
    }

    /// The command, changed by the planted bug, if any.
    private func broken(_ request: ClientRequest) -> Command {
        switch (options.bug, request.command) {
        case (.anyCodeOpens, .join(let join)) where join.inviteCode != nil:
            return .join(JoinRoom(role: join.role, inviteCode: codes[request.room]))
        case (.bidderBecomesAuctioneer, .join(let join)) where join.role == .bidder:
            return .join(JoinRoom(role: .auctioneer, inviteCode: join.inviteCode))
        case (.lotMovedElsewhere, .changeLot(let lot, var changes)):
            if case .before? = changes.target { changes.target = .end }
            return .changeLot(lot, changes)
        case (.importedInPart, .importLots(let file)): return .importLots(ImportLots(rows: file.rows.dropLast()))
        default: return request.command
        }
    }

    /// Sends a response from an event loop to its client.
    func send(_ addressed: AddressedResponse, from node: SimulatedNode) {
        let number = Int(addressed.reply.exchange)
        if options.bug == .responseLost, transcript.attempts[number].seed.isMultiple(of: 16) { return }
        guard transcript.attempts[number].answeredAt == nil else {
            // The planted bug sends an early response and the regular one.
            if options.bug != .responsesBeforeCommit { report("answered twice", "attempt \(number) got two answers") }
            return
        }
        transcript.attempts[number].answeredAt = time
        transcript.attempts[number].response = addressed.response
        trace.note(
            "\(time) \(node.name) answers attempt \(number): \(addressed.response.status) "
                + String(decoding: addressed.response.body, as: UTF8.self))
        let latency = latency()
        if !isDropped() { plan(in: latency) { $0.received(number) } }
    }

    func received(_ number: Int) {
        transcript.attempts[number].receivedAt = time
        let attempt = transcript.attempts[number]
        recordInviteCode(from: attempt)
        if attempt.response?.status == 503 { retry(attempt.request) }
        // A user repeats a command although its response has arrived.
        let impatient = network.once(in: 15)
        if impatient, !isFaultFree, transcript.requests[attempt.request].key != nil { retry(attempt.request) }
    }

    func timedOut(_ number: Int) {
        guard transcript.attempts[number].receivedAt == nil else { return }
        retry(transcript.attempts[number].request)
    }

    /// Sends a keyed request again, at most four times; a request without a key is not retried, because it might run twice.
    func retry(_ request: Int) {
        let count = retries[request, default: 0]
        guard transcript.requests[request].key != nil, count < 4 else { return }
        retries[request] = count + 1
        send(request, to: network.roll(0...(nodes.count - 1)), in: 200 + latency())
    }
}

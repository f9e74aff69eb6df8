internal import AuctionDomain
internal import AuctionService
internal import EventLog

// The committer's thread: one transaction at a time, then responses and events are delivered.
extension World {
    func submit(_ batch: Batch, on node: SimulatedNode) {
        node.submitted.append(batch)
        submitEarly(batch, on: node)
        planCommit(node)
    }

    private func planCommit(_ node: SimulatedNode) {
        guard !node.isCommitting, !node.submitted.isEmpty else { return }
        node.isCommitting = true
        plan(on: node, in: pause()) { $0.commit($1) }
    }

    func commit(_ node: SimulatedNode) {
        for batch in node.submitted { node.committer.submit(batch) }
        node.submitted = []
        node.turnBegan = time
        perform(node.committer.begin(), on: node)
    }

    private func perform(_ step: Committer.Step, on node: SimulatedNode) {
        for (batch, verdicts) in step.finished { finish(batch, verdicts, on: node) }
        if let appends = step.append { return plan(on: node, in: pause()) { $0.append(appends, from: $1) } }
        node.isCommitting = false
        planCommit(node)
    }

    /// Appends to the log now; the process receives the result later, if it is still alive.
    func append(_ appends: [RoomAppend], from node: SimulatedNode) {
        if isShared { return appendShared(appends, from: node) }
        var result = log.append(appends, appendFault())
        trace.note("\(time) \(node.name) appends \(appends.map(\.traced))")
        switch result {
        case .failure(let error):
            trace.note("\(time) \(node.name) append failed: \(error.code)")
            transcript.failedAppends.append(time)
        case .success(let verdicts):
            noteStored(appends, verdicts)
            crashAfterClose(appends, of: node)
        }
        if transcript.failures[node.name] != nil { report("failed log", "\(node.name) appends although its log has failed") }
        if case .failure(let error) = result, [.io, .outcomeUnknown].contains(error.code) {
            transcript.failures[node.name] = time
            if options.bug == .failureIgnored {
                result = .success(appends.map { .appended(responsePositions: $0.responses.map { _ in 1 }) })
            }
        }
        plan(on: node, in: pause()) { $0.appended(result, on: $1) }
    }

    /// Records for the auditor when events were stored; those that did not follow the log's head were not.
    func noteStored(_ appends: [RoomAppend], _ verdicts: [AppendVerdict]) {
        for (append, verdict) in zip(appends, verdicts) {
            guard case .appended = verdict else { continue }
            for event in append.events { transcript.storedAt[append.room, default: [:]][event.seq] = time }
        }
    }

    /// On a shared log no failure is permanent, and every reply carries the log's clock.
    private func appendShared(_ appends: [RoomAppend], from node: SimulatedNode) {
        let fault = appendFault()
        if let cut = links[node.name.node] { return appendOverCutLink(appends, from: node, cut) }
        var asked = appends
        // The planted bug skips the head check of refusals, so that they may be decided on an outdated room.
        if options.bug == .refusedWithoutCheck { asked = appends.filter { !$0.isHeadCheck } }
        var result = log.append(asked, fault)
        trace.note(
            "\(time) \(node.name) appends \(appends.map(\.traced)): \(result)"
        )
        if case .success(let verdicts) = result {
            notifyOtherNodes(asked, verdicts, by: node.name)
            crashAfterClose(appends, of: node)
            let error = process.amount(-15...15)
            clocks[node.name.node].estimate(error: options.faults.contains(.clockError) ? error : 0)
            if asked.count < appends.count { result = .success(spread(verdicts, over: appends)) }
        } else {
            transcript.failedAppends.append(time)
            if case .outcomeUnknown(committed: true) = fault { notifyOtherNodes(asked, stored(asked), by: node.name) }
        }
        plan(on: node, in: pause()) { $0.appended(result, on: $1) }
    }

    /// Verdicts of an append whose outcome the process does not learn.
    private func stored(_ appends: [RoomAppend]) -> [AppendVerdict] {
        appends.map { append in
            let head = (try? log.log.heads(of: [append.room]))?.first ?? RoomHead.none
            return head == append.newHead ? .appended(responsePositions: []) : .conflict(actual: head)
        }
    }

    /// Verdicts for all appends: those from the log, and success for skipped head checks.
    private func spread(_ verdicts: [AppendVerdict], over appends: [RoomAppend]) -> [AppendVerdict] {
        var rest = verdicts[...]
        return appends.map { $0.isHeadCheck ? .appended(responsePositions: []) : rest.removeFirst() }
    }

    private func appendFault() -> SimulatedLog.AppendFault? {
        let (kind, isCommitted, occurs) = (faults.roll(1...8), faults.once(in: 2), faults.once(in: 25))
        guard occurs, !isFaultFree else { return nil }
        switch kind {
        case 1...3: return options.faults.contains(.statement) ? .statement : nil
        case 4...5: return options.faults.contains(.fullDisk) ? .full : nil
        case 6: return options.faults.contains(.diskFailure) ? .outcomeUnknown(committed: isCommitted) : nil
        default:
            guard options.faults.contains(.diskFailure) else { return nil }
            return isShared ? .unavailable : .io(committed: isCommitted)
        }
    }

    func appended(_ result: Result<[AppendVerdict], EventLogError>, on node: SimulatedNode) {
        perform(node.committer.appended(result), on: node)
    }

    private func finish(_ batch: Batch, _ verdicts: [RoomVerdict], on node: SimulatedNode) {
        let readAt = options.bug == .confirmedTooLate ? uptime : node.turnBegan * 1_000_000
        let verdicts = isShared ? verdicts : zip(batch.rooms, verdicts).map { afterFullDisk($0, $1, on: node) }
        deliver(node.publisher.publish(batch, verdicts, readAt: readAt), from: node)
        post(.completed(batch, verdicts), to: node)
    }

    /// Records that a room's append found the disk full, so that no bid can be placed; the planted bug makes it a conflict.
    private func afterFullDisk(_ part: RoomBatch, _ verdict: RoomVerdict, on node: SimulatedNode) -> RoomVerdict {
        guard case .failed(let error) = verdict, error.code == .full else { return verdict }
        note(.outage, at: now(node).wall, of: part.append.room)
        return options.bug == .fullDiskForgotten ? .conflict : verdict
    }

    func deliver(_ deliveries: Deliveries, from node: SimulatedNode) {
        deliveries.forEach { deliver($1, to: $0, of: node) }
    }

    /// Plans one message to an event loop; messages to a loop keep their order.
    private func deliver(_ delivery: Delivery, to loop: Int, of node: SimulatedNode) {
        var (delivery, loop) = (delivery, loop)
        switch options.bug {
        case .repliesToFirstLoop where !delivery.responses.isEmpty: loop = 0
        case .eventsToFirstLoop where loop > 0: delivery.events = []
        case .acceptedReportedAsRefused: delivery.responses = delivery.responses.map { ($0, refusingAccepted($1, $0)) }
        default: break
        }
        node.loops[loop].deliveryDue = max(node.loops[loop].deliveryDue, time + pause())
        plan(on: node, at: node.loops[loop].deliveryDue) { $0.receive(delivery, on: $1, loop: loop) }
    }

    /// With the planted bug, some accepted bids get the response of a refused one.
    private func refusingAccepted(_ response: CommandResponse, _ exchange: UInt64) -> CommandResponse {
        let attempt = transcript.attempts[Int(exchange)]
        guard response.status == 200, attempt.seed.isMultiple(of: 5),
            case .placeBid = transcript.requests[attempt.request].command
        else { return response }
        return CommandResponse(status: 409, body: Array("{\"code\":\"bid.below_minimum\"}".utf8))
    }

    func receive(_ delivery: Delivery, on node: SimulatedNode, loop: Int) {
        // An event loop does not know the exchanges of others.
        for (exchange, response) in delivery.responses where self.loop(of: exchange) == loop {
            send(AddressedResponse(reply: ReplyAddress(loop: loop, exchange: exchange), response: response), from: node)
        }
        for (exchange, error) in delivery.loadFinished where self.loop(of: exchange) == loop {
            loadFinished(exchange, error, on: node)
        }
        for (room, events) in delivery.events {
            perform(node.loops[loop].subscriptions.published(room, events), on: node, loop)
        }
    }

    /// Planted bugs that deliver responses or events before the commit.
    private func submitEarly(_ batch: Batch, on node: SimulatedNode) {
        for part in batch.rooms {
            if options.bug == .responsesBeforeCommit {
                let accepted = part.entries.filter(\.isAccepted)
                let responses = accepted.map { AddressedResponse(reply: $0.request.reply, response: $0.response) }
                deliver(node.publisher.deliver(responses), from: node)
            }
            if options.bug == .feedBeforeCommit { feedEarly += part.append.events.map { (part.append.room, $0) } }
            if options.bug == .eventsBeforeCommit, let room = node.rooms[part.append.room] {
                var delivery = Delivery()
                delivery.events = [(room, part.append.events)]
                for loop in node.loops.indices { deliver(delivery, to: loop, of: node) }
            }
        }
    }
}

extension RoomAppend {
    /// Whether it appends nothing and only checks that the head is still the expected one.
    fileprivate var isHeadCheck: Bool { events.isEmpty }
}

extension RoomAppend {
    fileprivate var traced: String {
        "\(room) from \(expected.seq) to \(newHead.seq): \(events.map(\.type).joined(separator: " "))"
    }
}

import Foundation
import StateMachines

@testable import AuctionClientCore

extension SimulatedWorld {
    func perform(_ action: Action) {
        switch action {
        case .request(let call, let origin, let isStream): receive(call, origin, isStream: isStream)
        case .deliver(let delivery, let origin): deliver(delivery, origin)
        case .act: act()
        case .read: read()
        case .placeBid: placeBid()
        case .resend(let index): resend(index)
        case .fault: breakSomething()
        case .notice(let origin): sendNotice(origin)
        case .wake: wake()
        case .restartApp: restartApp()
        case .heal: heal()
        }
    }

    private func act() {
        if downUntil <= now {
            service.act(random.next(), at: now + service.clockOffset)
            pumpAll()
        }
        if !isHealed { schedule(.act, in: delay(50, 4000)) }
    }

    // MARK: - The device

    /// A response or bytes reach the device, or wait until it has woken up.
    private func deliver(_ delivery: Delivery, _ origin: Origin) {
        if asleepUntil > now { return schedule(.deliver(delivery, origin), at: asleepUntil) }
        switch origin {
        case .room(let number, let id): if number == run { deliver(delivery, toRoom: id) }
        case .bid(let index, let id): deliver(delivery, toBid: index, id)
        }
    }

    private func deliver(_ delivery: Delivery, toRoom id: CallID) {
        switch delivery {
        case .response(let response):
            let before = connection.calls.current
            feed(.response(id, withPlantedBug(response)))
            // Unless a deadline at the same instant has made it a late response.
            if before == id, case .waiting(.service, _) = checks.published { noteRetryAfter(response.head) }
        case .failed(let error): feed(.failed(id, error))
        case .head(let head):
            feed(.head(id, withPlantedBug(HTTPResponse(head: head)).head))
            if connection.stream.isRefusal, connection.calls.current == id { noteRetryAfter(head) }
        case .bytes(let bytes): feed(.bytes(id, bytes))
        case .ended: feed(.ended(id))
        case .token(let credential): feed(.token(id, credential))
        case .tokenFailed: feed(.tokenFailed(id, "the provider failed", isFinal: false))
        }
    }

    private func noteRetryAfter(_ head: HTTPHead) {
        guard let seconds = head.header("Retry-After").flatMap(Int64.init) else { return }
        checks.askedToWait(seconds * 1000, at: now)
    }

    /// The response as a client with the planted bug takes it.
    private func withPlantedBug(_ response: HTTPResponse) -> HTTPResponse {
        guard bug == .ignoresRetryAfter else { return response }
        var response = response
        response.head.headers.removeAll { $0.name == "Retry-After" }
        return response
    }

    func wake() {
        checks.isDelayOver = true
        defer { checks.isDelayOver = false }
        if isPaused {
            isPaused = false
            checks.resumed()
            feed(.resume)
        } else if noNetworkUntil <= now {
            feed(.networkReturned)
        }
    }

    // MARK: - The room

    func feed(_ input: RoomConnection.Input) {
        carryOut(connection.handle(input, at: Self.instant(now)))
        if bug == .adoptsReadingsEarly, let ahead = connection.followed.ahead {
            connection.followed.state = ahead
            connection.followed.ahead = nil
        }
        noteDeadline()
        let waiting = connection.followed.waitingUpdates
        if waiting > checks.maximumBuffered + 20 { checks.note("\(waiting) updates wait") }
    }

    private func carryOut(_ directives: [RoomConnection.Directive]) {
        for directive in directives {
            switch directive {
            case .askForToken(let id, let rejected):
                checks.attempted(at: now)
                if bug == .reconnectsAtOnce { connection.reconnection.retryAt = Self.instant(now) }
                provide(rejected, .room(run: run, id))
            case .send(let id, let call): transmit(call, .room(run: run, id), isStream: false)
            case .open(let id, let call): transmit(call, .room(run: run, id), isStream: true)
            case .cancel(let id): streams[.room(run: run, id)] = nil
            case .observe: break
            case .publish(let state):
                checks.publish(state, at: now)
                if case .waiting = state { afterInterruption() }
            }
        }
    }

    private func afterInterruption() {
        switch bug {
        case .deliversAnEventAgain:
            let followed = connection.followed
            guard let cursor = followed.cursor, cursor > 1, let state = followed.state, state.seq == cursor else { return }
            connection.followed.cursor = cursor - 1
            connection.followed.state?.seq = cursor - 1
        case .skipsAnEvent:
            if let cursor = connection.followed.cursor, cursor < service.seq { connection.followed.cursor = cursor + 1 }
        case .reconnectsAtOnce: connection.reconnection.retryAt = Self.instant(now)
        default: break
        }
    }

    private func read() {
        for _ in 0..<1 + random.next() % 4 {
            let (update, directives) = connection.takeUpdate(at: Self.instant(now))
            carryOut(directives)
            noteDeadline()
            guard let update else { break }
            checks.took(update, service)
        }
        schedule(.read, in: delay(1, isHealed ? 200 : slowestRead))
    }

    /// The app ends and starts again with what it has stored: the seq of the last event, and its commands.
    private func restartApp() {
        guard let delivered = checks.delivered else { return }
        run += 1
        streams = [:]
        isPaused = false
        checks.appRestarted()
        connection = RoomConnection(
            room: "room_1", start: .after(delivered), settings: settings, language: "en", seed: random.next(),
            at: Self.instant(now))
        feed(.start)
        for index in bids.indices where bids[index].exchange != nil {
            bids[index].exchange = nil
            bidDeadlines[index] = nil
            bids[index].outcome = .unknown(bids[index].command, .cancelled)
            schedule(.resend(index), in: delay(10, 5000))
        }
    }

    // MARK: - Tokens

    private func provide(_ rejected: RejectedCredential?, _ origin: Origin) {
        if !isHealed, chance(3) { return schedule(.deliver(.tokenFailed, origin), in: 5) }
        let isRefused = rejected != nil && rejected?.credential == credential
        if credential == nil || isRefused && bug != .keepsTheRefusedToken {
            credential = Credential(token: service.issueToken(at: now, lifetime: delay(40_000, 90_000)))
        }
        schedule(.deliver(.token(credential), origin), in: delay(0, 30))
    }

    // MARK: - Bids

    private func placeBid() {
        guard let state = connection.state, state.phase == .auctioning, let minimum = state.nextMinimum?.minorUnits
        else { return }
        let index = bids.count
        let amount = minimum / 100 * 100 + 100 + Int64(index)
        let body: JSONValue = [
            "amount": .string(Money(minorUnits: amount, currency: "CNY").decimal), "round": .number(String(state.round)),
        ]
        let command = PendingCommand(
            key: "key-\(index)", kind: .placeBid, room: "room_1", createdAt: ServerTime(milliseconds: now), currency: "CNY",
            subject: nil, method: "POST", target: "/v1/rooms/room_1/bids", body: body.text)
        bids.append(SimulatedBid(command: command, amount: amount))
        bidDeadlines.append(nil)
        send(index, command, isResent: false)
    }

    private func resend(_ index: Int) {
        guard bids[index].exchange == nil, bids[index].outcome?.isUnknown ?? true else { return }
        send(index, bids[index].command, isResent: true)
    }

    private func send(_ index: Int, _ command: PendingCommand, isResent: Bool) {
        bids[index].exchange = Exchange(
            ExchangeRequest(command, language: "en"), settings: commandSettings, seed: random.next(), isResent: isResent,
            at: Self.instant(now))
        bids[index].notBefore = 0
        feed(index, .start)
    }

    private func deliver(_ delivery: Delivery, toBid index: Int, _ id: CallID) {
        // The numbers of calls of one command go on over its exchanges.
        let offset = CallID(bids[index].attempts / 1000)
        guard id / 1000 == offset else { return }
        switch delivery {
        case .response(let response):
            // A deadline at the same instant comes first and makes it a late response.
            let isInTime = bidDeadlines[index].map { $0 > now } ?? true
            let isCurrent = isInTime && bids[index].exchange?.call == id % 1000
            feed(index, .response(id % 1000, withPlantedBug(response)))
            if isCurrent, bids[index].exchange != nil, let seconds = response.head.header("Retry-After").flatMap(Int64.init) {
                bids[index].notBefore = now + seconds * 1000
            }
        case .failed(let error): feed(index, .failed(id % 1000, error))
        case .token(let credential): feed(index, .token(id % 1000, credential))
        case .tokenFailed: feed(index, .tokenFailed(id % 1000, "the provider failed", isFinal: false))
        default: break
        }
    }

    func feed(_ index: Int, _ input: Exchange.Input) {
        guard let directives = bids[index].exchange?.handle(input, at: Self.instant(now)) else { return }
        bidDeadlines[index] = bids[index].exchange?.nextDeadline?.milliseconds
        for directive in directives {
            switch directive {
            case .askForToken(let id, let rejected): provide(rejected, .bid(index, origin(index, id)))
            case .send(let id, let call): transmit(attempt(call, of: index), .bid(index, origin(index, id)), isStream: false)
            case .abandon, .observe: break
            case .finish(let result): finish(index, result)
            }
        }
    }

    private func origin(_ index: Int, _ id: CallID) -> CallID { CallID(bids[index].attempts / 1000 * 1000) + id }

    private func attempt(_ call: HTTPCall, of index: Int) -> HTTPCall {
        if now < bids[index].notBefore { checks.note("a bid was sent again before the end of Retry-After") }
        guard bug == .newKeyForEveryAttempt else { return call }
        var call = call
        call.headers.removeAll { $0.name == "Idempotency-Key" }
        call.headers.append(HTTPHeader("Idempotency-Key", "key-\(random.next())"))
        return call
    }

    private func finish(_ index: Int, _ result: ExchangeResult) {
        var result = result
        switch (bug, result) {
        case (.guessesThatLostCommandsFailed, .failed(let failure, _)):
            result = .failed(failure, mayHaveBeenCarriedOut: false)
        case (.trustsEveryRefusal, .refused(let refusal)):
            result = .refused(Refusal(problem: refusal.problem, mayStillBeCarriedOut: false))
        default: break
        }
        bids[index].exchange = nil
        bidDeadlines[index] = nil
        bids[index].attempts += 1000
        bids[index].outcome = BidOutcome(result, of: bids[index].command, in: "CNY")
        if bids[index].outcome?.isUnknown == true { schedule(.resend(index), in: delay(500, 20_000)) }
    }
}

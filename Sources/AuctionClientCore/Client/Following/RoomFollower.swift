import StateMachines

/// The shell around `RoomConnection`: carries out its directives and feeds it what happens.
actor RoomFollower {
    private var core: RoomConnection
    private let context: ClientContext
    private let statuses: StatusHub
    private var calls: [RoomConnection.CallID: Task<Void, Never>] = [:]
    private var timer: Task<Void, Never>?
    private var timerDeadline: MachineTimestamp?
    private var readers: [CheckedContinuation<Void, Never>] = []

    init(
        room: String, start: FollowStart, settings: ConnectionSettings, context: ClientContext, statuses: StatusHub,
        seed: UInt64
    ) {
        core = RoomConnection(
            room: room, start: start, settings: settings, language: context.language, seed: seed, at: context.clock.now())
        self.context = context
        self.statuses = statuses
    }

    /// The latest state, whether or not its update was taken; nil until the room was read.
    var state: RoomState? { core.state }

    func feed(_ input: RoomConnection.Input) {
        perform(core.handle(input, at: context.clock.now()))
    }

    /// The next update; nil at the end that the app or the archive made.
    func next() async throws(StopReason) -> RoomUpdate? {
        feed(.start)
        while true {
            let (update, directives) = core.takeUpdate(at: context.clock.now())
            perform(directives)
            if let update {
                if update.event == nil { context.currencies[core.room] = update.state.currency }
                if core.stopReason == nil {
                    let shown = ShownRounds.Shown(round: update.state.round, item: update.state.item?.id)
                    context.rounds.note(shown, in: core.room, by: ObjectIdentifier(self))
                }
                return update
            }
            if let reason = core.stopReason {
                if reason == .requested || reason == .archived { return nil }
                throw reason
            }
            if Task.isCancelled { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { readers.append($0) }
            } onCancel: {
                Task { await self.wakeReaders() }
            }
        }
    }

    private func wakeReaders() {
        let waiting = readers
        readers = []
        for reader in waiting { reader.resume() }
    }

    private func perform(_ directives: [RoomConnection.Directive]) {
        for directive in directives {
            switch directive {
            case .askForToken(let id, let rejected): askForToken(id, rejected)
            case .send(let id, let call): send(id, call)
            case .open(let id, let call): open(id, call)
            case .cancel(let id): calls.removeValue(forKey: id)?.cancel()
            case .observe(let sample):
                context.serverClock.observe(sample)
                // A stream may stay open for longer than its token is accepted, and nothing else asks for a token meanwhile.
                Task { [tokens = context.tokens] in await tokens.renewIfDue() }
            case .publish(let state):
                if case .stopped = state { context.rounds.forget(core.room, by: ObjectIdentifier(self)) }
                statuses.publish(state)
                context.log(state, core.room)
            }
        }
        setTimer()
        wakeReaders()
    }

    private func askForToken(_ id: RoomConnection.CallID, _ rejected: RejectedCredential?) {
        calls[id] = Task { [tokens = context.tokens] in
            let input: RoomConnection.Input
            do {
                input = .token(id, try await tokens.token(rejected: rejected))
            } catch AuctionError.failed(.network(.invalidAddress(let address))) {
                input = .failed(id, .invalidAddress(address))
            } catch {
                input = .tokenFailed(id, String(describing: error), isFinal: error is SignedOut)
            }
            finish(id, input)
        }
    }

    private func send(_ id: RoomConnection.CallID, _ call: HTTPCall) {
        calls[id] = Task { [transport = context.transport] in
            let input: RoomConnection.Input
            do throws(TransportError) {
                input = .response(id, try await transport.send(call))
            } catch {
                input = .failed(id, error)
            }
            finish(id, input)
        }
    }

    private func open(_ id: RoomConnection.CallID, _ call: HTTPCall) {
        calls[id] = Task { [transport = context.transport] in
            let input: RoomConnection.Input
            do throws(TransportError) {
                let stream = try await transport.open(call)
                feed(.head(id, stream.head))
                while let bytes = try await stream.next() { feed(.bytes(id, bytes)) }
                input = .ended(id)
            } catch {
                input = .failed(id, error)
            }
            finish(id, input)
        }
    }

    private func finish(_ id: RoomConnection.CallID, _ input: RoomConnection.Input) {
        calls[id] = nil
        feed(input)
    }

    private func setTimer() {
        let deadline = core.nextDeadline
        guard deadline != timerDeadline else { return }
        timer?.cancel()
        timerDeadline = deadline
        timer = deadline.map { deadline in
            Task { [clock = context.clock] in
                await clock.sleep(until: deadline)
                if !Task.isCancelled { timePassed() }
            }
        }
    }

    private func timePassed() {
        timerDeadline = nil
        feed(.timePassed)
    }
}

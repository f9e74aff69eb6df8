package import AuctionDomain
package import AuctionService
package import EventLog
package import Logging
package import MicroHTTP

/// The whole server on one thread, without sockets and without a clock of its own: whoever owns it hands in requests, moves the
/// clock, and takes each step. The same seeds and the same steps give the same answers, byte for byte.
///
/// Everything from the head of a request on is what a started `AuctionServer` runs; left out are libmicrohttpd, the threads, and what
/// nodes do that share a log. Used on the thread that made it.
package final class SteppedServer {
    private let front: DetachedLoop
    private let shared: SharedParts
    private let service: ServiceStepper
    private let handler: LoopHandler

    /// - Parameters:
    ///   - secret: what tokens are signed with, at least 32 bytes.
    ///   - seeds: what ids and draws are made of.
    package init(
        options: ServerOptions, log: any EventLog, secret: [UInt8], rulebook: RoomRulebook, logger: Logger,
        clock: any ServiceClock, seeds: @escaping @Sendable () -> UInt64
    ) throws {
        let signer = TokenSigner(secret: secret)
        try options.identity.check(beside: signer)
        shared = SharedParts(
            options: options, log: log, signer: signer, keyedRoomIDs: KeyedRoomIDs(secret: secret), rulebook: rulebook,
            logger: logger, clock: clock, readerThreads: 0, onLogFailure: { _ in })
        front = try DetachedLoop(limits: options.http.limits, logger: logger)
        handler = LoopHandler(shared: shared, loop: front.loop, seeds: SeedSource(fixed: seeds))
        shared.registry.register(handler)
        front.use(handler)
        service = try ServiceStepper(shared.service)
        takeTime()
    }

    /// Takes one step of each part; false where none had anything to do.
    package func step() -> Bool {
        takeTime()
        let isLoopBusy = front.step()
        return service.step() || isLoopBusy
    }

    /// In how many milliseconds from now something happens by itself; nil: not before something else does.
    package var millisecondsUntilDue: Int64? {
        let now = shared.clock.now()
        let timer = front.nextDue.map { Int64(clamping: $0) - now.monotonic / 1_000_000 }
        let tick = service.nextTick.map { $0.milliseconds(since: now.wall) }
        return [timer, tick].compactMap(\.self).min().map { max(0, $0) }
    }

    /// Hands in a request; its answer may need steps.
    /// - Returns: names it, for `hangUp`.
    @discardableResult
    package func send(
        _ request: DetachedLoop.Request, _ onOutcome: @escaping (DetachedLoop.Outcome) -> Void
    ) -> ExchangeID {
        takeTime()
        return front.send(request, onOutcome)
    }

    /// The client of a held long-poll is gone; false where it holds none.
    @discardableResult
    package func hangUp(_ id: ExchangeID) -> Bool { front.hangUp(id) }

    /// One round of what is done now and then: see `ServiceStepper`.
    package func keepHouse() { service.keepHouse() }

    /// Answers what is held and ends the streams, as at a stop; `finish` comes after the steps that this needs.
    package func drain() { handler.drain() }

    /// Nothing works afterwards. The log stays open: another server may go on with it.
    package func finish() {
        front.finish()
        shared.registry.clear()
    }

    private func takeTime() { front.milliseconds = UInt64(clamping: shared.clock.now().monotonic / 1_000_000) }
}

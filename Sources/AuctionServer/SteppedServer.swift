package import AuctionDomain
package import AuctionService
package import EventLog
package import Logging
package import MicroHTTP

/// The complete server on one thread, without sockets and without a clock of its own: the owner hands in requests, advances the
/// clock and runs each step. The same seeds and steps give the same responses, byte for byte.
///
/// Request handling is the code that a started `AuctionServer` runs. Left out are libmicrohttpd, threads, and coordination of nodes
/// on a shared log. Must be used on the thread that created it.
package final class SteppedServer {
    private let front: DetachedLoop
    private let shared: SharedParts
    private let service: ServiceStepper
    private let handler: LoopHandler

    /// - Parameters:
    ///   - secret: key for signing tokens, at least 32 bytes.
    ///   - seeds: source of seeds for ids and tie draws.
    /// - Throws: as `AuctionServer.init`.
    package init(
        options: ServerOptions, log: any EventLog, secret: [UInt8], rulebook: RoomRulebook, logger: Logger,
        clock: any ServiceClock, seeds: @escaping @Sendable () -> UInt64
    ) throws {
        let signer = TokenSigner(secret: secret)
        try options.identity.check(beside: signer, signsInUsers: options.adminToken != nil)
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

    /// Runs one step of the event loop and of the service; false if neither had work to do.
    package func step() -> Bool {
        takeTime()
        let isLoopBusy = front.step()
        return service.step() || isLoopBusy
    }

    /// Milliseconds until the next timer is due, 0 if one is due already; nil if no timer is set.
    package var millisecondsUntilDue: Int64? {
        let now = shared.clock.now()
        let timer = front.nextDue.map { Int64(clamping: $0) - now.monotonic / 1_000_000 }
        let tick = service.nextTick.map { $0.milliseconds(since: now.wall) }
        return [timer, tick].compactMap(\.self).min().map { max(0, $0) }
    }

    /// Hands in a request; producing its response may take several steps.
    /// - Parameter onOutcome: called with the response, stream or upgrade.
    /// - Returns: the identifier to pass to `hangUp`.
    @discardableResult
    package func send(
        _ request: DetachedLoop.Request, _ onOutcome: @escaping (DetachedLoop.Outcome) -> Void
    ) -> ExchangeID {
        takeTime()
        return front.send(request, onOutcome)
    }

    /// Simulates the disconnect of a held long-poll's client; false if the exchange is not a held long-poll.
    @discardableResult
    package func hangUp(_ id: ExchangeID) -> Bool { front.hangUp(id) }

    /// Runs one round of periodic maintenance; see `ServiceStepper`.
    package func runHousekeeping() { service.runHousekeeping() }

    /// Answers held long-polls and closes streams as a stop does; call `finish` after the steps this needs.
    package func drain() { handler.drain() }

    /// Releases everything; no method may be called afterwards. The log stays open, so that another server can continue with it.
    package func finish() {
        front.finish()
        shared.registry.clear()
    }

    private func takeTime() { front.milliseconds = UInt64(clamping: shared.clock.now().monotonic / 1_000_000) }
}

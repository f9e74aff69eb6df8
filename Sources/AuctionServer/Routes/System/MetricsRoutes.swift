internal import AuctionContract
internal import AuctionService
internal import MicroHTTP

extension Routes {
    static let metrics: [Route] = [
        Route(
            .readMetrics,
            .operator { context in
                let (id, requestID, index) = (context.exchange.id, context.requestID, context.loop.loop.index)
                let (shared, registry) = (context.loop.shared, context.loop.shared.registry)
                let operators = shared.operators
                let webhooks = operators.tokens.isOn ? operators.webhooks.outlet.counters : nil
                let voice = operators.voice?.outlet.counters
                shared.metrics.read(shared.service, pending: shared.limits.pending, webhooks: webhooks, voice: voice) { text in
                    let headers = [("Content-Type", MetricsText.mediaType), ("Cache-Control", "no-store")]
                    let response = Response(status: 200, headers: headers, body: text)
                    registry.post(to: index) { $0.finish(id, response, requestID) }
                }
                return .later
            })
    ]
}

extension LoopHandler {
    /// Records once a second how late the loop runs its timers.
    func measureLag() {
        let due = shared.clock.now().monotonic + 1_000_000_000
        _ = loop.schedule(afterMilliseconds: 1000) { [weak self] in
            guard let self else { return }
            metrics.late(nanoseconds: shared.clock.now().monotonic - due)
            measureLag()
        }
    }
}

/// Handles the requests of one event loop. Every method is called on that loop's thread.
package protocol ExchangeHandler: AnyObject {
    /// Called once per request, after its whole body was received. It may respond at once, or keep `exchange.id` and respond
    /// later on the same loop.
    func handle(_ exchange: Exchange)

    /// Renders an error that the server itself detects. `exchange` is nil if the request could not be parsed.
    func refuse(_ refusal: RequestRefusal, _ exchange: Exchange?) -> Response

    /// Called once the head of a request is complete whose body is larger than `HTTPLimits.bodyBytes`, or once a chunked one becomes
    /// larger, before such a body is read. `regular` unless implemented.
    func bodyAllowance(of exchange: Exchange) -> BodyAllowance

    /// The server is stopping: respond to all pending exchanges.
    func drain()

    /// Called at the end of each turn of the loop in which `handle` was called, to hand over to other threads in one batch what
    /// those calls collected. Does nothing unless implemented.
    func turnEnded()

    /// Called once for each exchange that `handle` was called with, when its response was queued, or when it ended without one
    /// (`status` is nil). Does nothing unless implemented.
    func finished(_ exchange: Exchange, status: Int?)
}

extension ExchangeHandler {
    /// No large bodies.
    package func bodyAllowance(of exchange: Exchange) -> BodyAllowance { .regular }
    /// Does nothing.
    package func turnEnded() {}
    /// Does nothing.
    package func finished(_ exchange: Exchange, status: Int?) {}
}

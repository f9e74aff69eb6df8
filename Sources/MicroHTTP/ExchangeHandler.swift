/// What answers the requests of one event loop. Every call comes on that loop's thread.
public protocol ExchangeHandler: AnyObject {
    /// Called once per request, when its whole body is there. It may respond at once, or keep `exchange.id` and
    /// respond later on the same loop.
    func handle(_ exchange: Exchange)

    /// Renders an error that the server itself finds. There is no exchange where the request could not be read.
    func refuse(_ refusal: RequestRefusal, _ exchange: Exchange?) -> Response

    /// The server is stopping: answer what you hold.
    func drain()

    /// Called at the end of each turn of the loop in which `handle` was called: the moment to pass on, in one go, what those
    /// calls collected for other threads. Does nothing unless implemented.
    func turnEnded()

    /// Called once for each exchange that `handle` was called with: its answer was queued, or it ended without one (`status` is
    /// nil). Does nothing unless implemented.
    func finished(_ exchange: Exchange, status: Int?)
}

extension ExchangeHandler {
    public func turnEnded() {}
    public func finished(_ exchange: Exchange, status: Int?) {}
}

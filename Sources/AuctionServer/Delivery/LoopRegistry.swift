internal import AuctionService
internal import MicroHTTP
internal import Synchronization

/// The handlers of all event loops, for the service's deliveries and jobs posted from other threads.
final class LoopRegistry: DeliveryPort {
    private struct Entry {
        let loop: EventLoop
        let handler: Unchecked
    }

    /// `@unchecked Sendable`: the handler is used only in jobs posted to its own loop.
    private struct Unchecked: @unchecked Sendable {
        let handler: LoopHandler
    }

    let loopCount: Int
    private let entries = Mutex<[Int: Entry]>([:])

    init(loopCount: Int) { self.loopCount = loopCount }

    func register(_ handler: LoopHandler) {
        let entry = Entry(loop: handler.loop, handler: Unchecked(handler: handler))
        entries.withLock { $0[handler.loop.index] = entry }
    }

    /// Runs a job with the loop's handler on the loop's thread; drops it if the loop is not registered.
    func post(to loop: Int, _ job: @escaping @Sendable (LoopHandler) -> Void) {
        guard let entry = entries.withLock({ $0[loop] }) else { return }
        let handler = entry.handler
        entry.loop.post { job(handler.handler) }
    }

    /// The same on every loop.
    func postToAll(_ job: @escaping @Sendable (LoopHandler) -> Void) {
        for loop in 0..<loopCount { post(to: loop, job) }
    }

    /// Passes a delivery to the loop's handler; as `post`, with one closure instead of two, because every command's response comes by it.
    func deliver(_ delivery: Delivery, to loop: Int) {
        guard let entry = entries.withLock({ $0[loop] }) else { return }
        let handler = entry.handler
        entry.loop.post { handler.handler.receive(delivery) }
    }

    /// Unregisters all loops once the server has stopped; later deliveries are dropped.
    func clear() { entries.withLock { $0 = [:] } }
}

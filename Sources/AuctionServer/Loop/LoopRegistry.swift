internal import MicroHTTP
internal import Synchronization

/// Finds the handler of a loop from the service's threads.
final class LoopRegistry: Sendable {
    private struct Entry {
        let loop: EventLoop
        let handler: Unchecked
    }

    /// `@unchecked Sendable`: the handler is only touched inside a job that was posted to its own loop.
    private struct Unchecked: @unchecked Sendable {
        let handler: LoopHandler
    }

    private let entries = Mutex<[Int: Entry]>([:])

    func register(_ handler: LoopHandler) {
        let entry = Entry(loop: handler.loop, handler: Unchecked(handler: handler))
        entries.withLock { $0[handler.loop.index] = entry }
    }

    /// Runs a job with the loop's handler on the loop's thread.
    func post(to loop: Int, _ job: @escaping @Sendable (LoopHandler) -> Void) {
        guard let entry = entries.withLock({ $0[loop] }) else { return }
        let handler = entry.handler
        entry.loop.post { job(handler.handler) }
    }

    /// The server has stopped: nobody is delivered to any more.
    func clear() { entries.withLock { $0 = [:] } }
}

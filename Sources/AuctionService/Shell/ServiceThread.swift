internal import Dispatch
internal import Foundation

/// A named thread that can be waited for.
final class ServiceThread: Sendable {
    private let running = DispatchGroup()
    private let name: String

    init(name: String) { self.name = name }

    func start(_ body: @escaping @Sendable () -> Void) {
        running.enter()
        let thread = Thread { [running, name] in
            // From within, the kernel learns it too: what `top -H` shows.
            Thread.current.name = name
            body()
            running.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Returns once the body has ended, at once if it never began; so it may be called again, and by several.
    func join() { running.wait() }
}

/// A few threads that read the log for whoever must not wait for a disk.
final class Readers: Sendable {
    private let queue: OperationQueue

    init(count: Int) {
        queue = OperationQueue()
        queue.name = "readers"
        queue.maxConcurrentOperationCount = count
    }

    func run(_ job: @escaping @Sendable () -> Void) { queue.addOperation(job) }

    /// Returns once everything that was asked for is done.
    func finish() { queue.waitUntilAllOperationsAreFinished() }
}

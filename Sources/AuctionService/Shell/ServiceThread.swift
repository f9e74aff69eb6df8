internal import Dispatch
internal import Foundation

/// A named thread that can be waited for.
final class ServiceThread: Sendable {
    private let finished = DispatchSemaphore(value: 0)
    private let name: String

    init(name: String) { self.name = name }

    func start(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread { [finished] in
            body()
            finished.signal()
        }
        thread.name = name
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Returns once the body has ended. Call it once.
    func join() { finished.wait() }
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

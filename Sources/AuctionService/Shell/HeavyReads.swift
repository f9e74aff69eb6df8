internal import Synchronization

/// Reads that a client waits for and no command does: on threads of their own, so that they hold up no command's room; at most so many
/// wait, and of one caller an eighth of that.
package final class HeavyReads: Sendable {
    private struct Waiting {
        var count = 0
        var ofCaller: [String: Int] = [:]
    }

    private let readers: Readers
    private let limit: Int
    private let share: Int
    private let waiting = Mutex(Waiting())

    package init(threads: Int, limit: Int) {
        readers = Readers(count: threads, name: "heavy reads")
        self.limit = limit
        share = max(1, limit / 8)
    }

    /// False where too many wait; then the job does not run.
    package func run(for caller: String, _ job: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < limit, waiting.ofCaller[caller, default: 0] < share else { return false }
            waiting.count += 1
            waiting.ofCaller[caller, default: 0] += 1
            return true
        }
        guard isTaken else { return false }
        readers.run { [self] in
            job()
            waiting.withLock { waiting in
                waiting.count -= 1
                let left = (waiting.ofCaller[caller] ?? 1) - 1
                waiting.ofCaller[caller] = left > 0 ? left : nil
            }
        }
        return true
    }

    /// For what is bounded by its callers' number already: each has one at most.
    package func run(_ job: @escaping @Sendable () -> Void) { readers.run(job) }

    /// See `Readers.step`.
    func step() -> Bool { readers.step() }

    /// Returns once everything that was taken is done.
    package func finish() { readers.finish() }
}

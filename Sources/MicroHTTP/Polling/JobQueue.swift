internal import Synchronization

/// Queue of jobs from any thread to a loop.
///
/// Only the first caller of `post` that finds the loop asleep has to wake it: a burst costs one wake-up.
final class JobQueue: Sendable {
    /// A closure in a structure: an array of plain closures would wrap each in another, with an allocation of its own.
    struct Job: Sendable {
        let run: @Sendable () -> Void
    }

    private struct State {
        var jobs: [Job] = []
        var isAsleep = false
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Appends a job; true if the caller has to wake the loop. Drops the job once the queue is closed.
    func post(_ job: Job) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
    }

    /// Swaps the queued jobs into `emptied`, an empty array whose storage is reused.
    func take(leaving emptied: inout [Job]) {
        state.withLock { state in
            state.isAsleep = false
            swap(&state.jobs, &emptied)
        }
    }

    /// Drops queued and later jobs: a job may retain its loop, and the loop retains this queue.
    func close() {
        let dropped = state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
        // Released here, outside the lock: the `deinit` of a captured object may post.
        withExtendedLifetime(dropped) {}
    }

    /// Marks the loop as about to sleep; false if a job is queued and it must not.
    func goToSleep() -> Bool {
        state.withLock { state in
            guard state.jobs.isEmpty else { return false }
            state.isAsleep = true
            return true
        }
    }
}

internal import Synchronization

/// Jobs on their way to a loop from any thread.
///
/// Only a poster that finds the loop asleep has to wake it, and only the first: a burst costs one wake-up.
final class Mailbox: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var isAsleep = false
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a job; true where the caller has to wake the loop.
    func post(_ job: @escaping Job) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.jobs.append(job)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
    }

    /// Takes everything, leaving `emptied`, whose storage is used again.
    func take(leaving emptied: inout [Job]) {
        state.withLock { state in
            state.isAsleep = false
            swap(&state.jobs, &emptied)
        }
    }

    /// Drops every job, those to come too: a job may hold its loop, and the loop holds this.
    func close() {
        let dropped = state.withLock { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
        // Freed here, outside the lock: what a job captured may post when it goes.
        withExtendedLifetime(dropped) {}
    }

    /// Announces that the loop is about to sleep; false where there is a job, and it must not.
    func goToSleep() -> Bool {
        state.withLock { state in
            guard state.jobs.isEmpty else { return false }
            state.isAsleep = true
            return true
        }
    }
}

internal import Glibc
internal import Synchronization

/// A thread with a libmicrohttpd daemon, its connections, its timers, and a queue of jobs from other threads.
///
/// `@unchecked Sendable`: the job queue and the thread's identifier are thread-safe. The descriptor never changes and closes with the loop.
/// Everything else is in `core`, which only the loop's own thread accesses once it runs. Before, only the thread that builds the server
/// does, and starting a thread orders the two.
package final class EventLoop: @unchecked Sendable {
    /// Which of the server's loops this is, from 0.
    package let index: Int

    let core: LoopCore
    private let jobQueue: JobQueue
    private let wakeDescriptor: Int32
    private let thread = Atomic<UInt>(0)

    init(index: Int, core: LoopCore) {
        self.index = index
        self.core = core
        jobQueue = core.turns.jobQueue
        wakeDescriptor = core.poller.wakeDescriptor
        core.use(self)
    }

    /// Runs a job on the loop's thread; may be called from any thread. Jobs run in the order posted, and are dropped once the loop
    /// has ended.
    package func post(_ job: @escaping @Sendable () -> Void) {
        guard jobQueue.post(JobQueue.Job(run: job)) else { return }
        var one: UInt64 = 1
        // SAFETY: eight bytes of a local; an eventfd takes all eight, and a full counter means that a wake-up is pending already.
        _ = unsafe write(wakeDescriptor, &one, 8)
    }

    /// Whether this is called on the loop's own thread.
    package var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// Runs a job on this loop after the given number of milliseconds, never earlier. On the loop's thread only.
    package func schedule(afterMilliseconds milliseconds: Int, _ job: @escaping () -> Void) -> TimerID {
        checkThread()
        return core.turns.schedule(due: core.turns.clockMilliseconds + UInt64(max(0, milliseconds)) + 1, job)
    }

    /// Cancels a timer; does nothing if it has run. On the loop's thread only.
    package func cancel(_ timer: TimerID) {
        checkThread()
        core.turns.cancel(timer)
    }

    /// The exchange with that identifier; nil once it has a response or its connection ended. On the loop's thread only.
    package func exchange(_ id: ExchangeID) -> Exchange? {
        checkThread()
        return core.exchanges.pending(id)
    }

    /// Runs the loop until it was requested to stop and has no work left.
    func run() {
        adoptThread()
        core.run()
    }

    /// Makes the calling thread the loop's own thread.
    func adoptThread() { thread.store(pthread_self(), ordering: .relaxed) }

    func checkThread() {
        assert(isCurrent, "only on the event loop's own thread")
    }
}

/// The turns of a loop: their time, the timers and posted jobs that run in them, and whether libmicrohttpd has to run. Used on the
/// loop's thread only.
final class Turns {
    /// Jobs from other threads.
    let jobQueue = JobQueue()
    /// The time at which this turn started, in milliseconds of the monotonic clock.
    private(set) var now = monotonicMilliseconds()
    /// Number of this turn. A turn may call libmicrohttpd several times.
    private(set) var number: UInt64 = 0
    /// Whether the daemon has work that no descriptor will report: a connection was resumed, cut off, or got a response.
    private(set) var needsRun = true
    /// Replaces the monotonic clock, in milliseconds, on a loop whose owner runs its steps.
    private var simulatedTime: UInt64?
    private var timers = TimerQueue()
    private var jobs: [JobQueue.Job] = []
    private var lastSerial: UInt64 = 0
    /// Whether the handler was called in this turn.
    private var hasHandled = false

    // MARK: - Time

    /// Begins the next turn.
    func begin() {
        number += 1
        now = monotonicMilliseconds()
    }

    /// Milliseconds of the monotonic clock, or of the simulated one.
    var clockMilliseconds: UInt64 { simulatedTime ?? monotonicMilliseconds() }

    /// Sets the simulated clock, which replaces the monotonic one from the first call on.
    func simulate(_ milliseconds: UInt64) {
        simulatedTime = milliseconds
        now = milliseconds
    }

    /// A number that this loop has not used before, for the identifiers of connections and exchanges.
    func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    // MARK: - What runs

    /// Has libmicrohttpd run in this turn, or in the next one without a wait.
    func requestRun() { needsRun = true }

    /// Whether libmicrohttpd has to run now; the request is taken.
    func takeRunRequest() -> Bool {
        guard needsRun else { return false }
        needsRun = false
        return true
    }

    /// The handler is being called: its `turnEnded` follows.
    func handlerCalled() { hasHandled = true }

    /// Whether the handler was called since the last `takeHandlerCalls`.
    func takeHandlerCalls() -> Bool {
        guard hasHandled else { return false }
        hasHandled = false
        return true
    }

    /// Runs the posted jobs; false if there were none.
    @discardableResult
    func runJobs() -> Bool {
        jobQueue.take(leaving: &jobs)
        let hasJobs = !jobs.isEmpty
        // By index: a job may post, which changes the queue but never this array.
        for index in jobs.indices { jobs[index].run() }
        jobs.removeAll(keepingCapacity: true)
        return hasJobs
    }

    /// Runs the timers that are due; false if there were none.
    @discardableResult
    func runTimers() -> Bool {
        var hasRun = false
        while let job = timers.popDue(now) {
            hasRun = true
            job()
        }
        return hasRun
    }

    // MARK: - Timers

    /// When the next timer is due, in milliseconds; may be early. Nil without timers.
    var nextDue: UInt64? { timers.nextDue }

    @discardableResult
    func schedule(due: UInt64, _ job: @escaping () -> Void) -> TimerID { timers.schedule(due: due, job) }

    func cancel(_ timer: TimerID) { timers.cancel(timer) }

    /// Drops all timers and jobs, also later ones.
    func close() {
        timers = TimerQueue()
        jobQueue.close()
    }
}

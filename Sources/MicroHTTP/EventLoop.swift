internal import Glibc
internal import Synchronization

/// A thread with a libmicrohttpd daemon, its connections, its timers, and a mailbox for jobs from other threads.
///
/// `@unchecked Sendable`: the mailbox and the thread's number are made for many threads, the descriptor never changes and
/// closes with the loop; everything else is in `core`, which only the loop's own thread touches once it runs (before, only
/// the thread that builds the server does, and starting a thread orders the two).
public final class EventLoop: @unchecked Sendable {
    /// Which of the server's loops this is, from 0.
    public let index: Int

    let core: LoopCore
    private let mailbox: Mailbox
    private let wakeDescriptor: Int32
    private let thread = Atomic<UInt>(0)

    init(index: Int, core: LoopCore) {
        self.index = index
        self.core = core
        mailbox = core.mailbox
        wakeDescriptor = core.poller.wakeDescriptor
        core.loop = self
    }

    /// Runs a job on the loop's thread, from any thread, in the order posted. Once the loop has ended jobs are dropped.
    public func post(_ job: @escaping @Sendable () -> Void) {
        guard mailbox.post(job) else { return }
        var one: UInt64 = 1
        // Safe: eight bytes of a local; an eventfd takes them whole, and a full counter means that it was woken anyway.
        _ = unsafe write(wakeDescriptor, &one, 8)
    }

    /// Whether this is called on the loop's own thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// Runs a job on this loop after so many milliseconds (a little later, never earlier). On the loop's thread only.
    public func schedule(afterMilliseconds milliseconds: Int, _ job: @escaping () -> Void) -> TimerID {
        checkThread()
        return core.timers.schedule(due: core.clockMilliseconds + UInt64(max(0, milliseconds)) + 1, job)
    }

    /// Forgets a timer; one that has run is no error. On the loop's thread only.
    public func cancel(_ timer: TimerID) {
        checkThread()
        core.timers.cancel(timer)
    }

    /// The exchange of that name; nil once it is answered or gone. On the loop's thread only.
    public func exchange(_ id: ExchangeID) -> Exchange? {
        checkThread()
        if id.isDetached { return core.detached[id.rawValue] }
        guard let exchange = core.table[id.slot]?.exchange, exchange.id == id else { return nil }
        switch exchange.phase {
        case .answered, .streaming, .gone: return nil
        case .head, .receiving, .handling, .waiting, .held: return exchange
        }
    }

    /// Connections of this loop. On the loop's thread only.
    public var openConnections: Int {
        checkThread()
        return core.table.count
    }

    /// Exchanges that wait for their answer longer than a turn. On the loop's thread only.
    public var heldExchanges: Int {
        checkThread()
        return core.heldExchanges
    }

    /// The loop itself; returns once it was told to stop and has nothing left to do.
    func run() {
        adoptThread()
        core.run()
    }

    /// From now on the calling thread is the loop's own.
    func adoptThread() { thread.store(pthread_self(), ordering: .relaxed) }

    func checkThread() {
        assert(isCurrent, "only on the event loop's own thread")
    }
}

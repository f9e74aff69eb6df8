internal import CScheduling
internal import Dispatch
internal import Glibc

/// A named thread that can be joined.
final class ServiceThread: Sendable {
    private let running = DispatchGroup()
    private let name: String

    init(name: String) { self.name = name }

    /// - Parameter isLatencySensitive: Whether clients wait for each of its turns. Its turns are short, so it may preempt threads that
    ///   send events to thousands of subscribers; otherwise a bid waits several milliseconds per thread for the scheduler.
    func start(isLatencySensitive: Bool = false, _ body: @escaping @Sendable () -> Void) {
        running.enter()
        Self.detach { [running, name] in
            // SAFETY: the name is copied during the call.
            unsafe scheduling_name_thread(name)
            // If the system refuses, it runs as an ordinary thread.
            if isLatencySensitive { _ = scheduling_prefer_short_turns(ServiceThread.turnNanoseconds) }
            body()
            running.leave()
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static let stackBytes = 1 << 20

    private static func detach(_ body: @escaping @Sendable () -> Void) {
        var (thread, attributes) = (pthread_t(), pthread_attr_t())
        // SAFETY: initialised before their use, destroyed after it. The thread takes the body, which was retained for it.
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let failure = unsafe pthread_create(
            &thread, &attributes,
            { body in
                if let body = unsafe body { unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(failure == 0, "the system starts no thread: errno \(failure)")
    }

    /// The shortest time slice that Linux accepts.
    private static let turnNanoseconds: UInt64 = 100_000

    /// Returns once the body has ended, at once if it never began. May be called repeatedly and from several threads.
    func join() { running.wait() }
}

internal import CScheduling
internal import Dispatch
internal import Foundation

/// A named thread that can be joined.
final class ServiceThread: Sendable {
    private let running = DispatchGroup()
    private let name: String

    init(name: String) { self.name = name }

    /// - Parameter isLatencySensitive: Whether clients wait for each of its turns. Its turns are short, so it may preempt threads that
    ///   send events to thousands of subscribers; otherwise a bid waits several milliseconds per thread for the scheduler.
    func start(isLatencySensitive: Bool = false, _ body: @escaping @Sendable () -> Void) {
        running.enter()
        let thread = Thread { [running, name] in
            Thread.current.name = name
            // The name that `top -H` shows; Foundation does not always set it. SAFETY: the name is copied during the call.
            unsafe scheduling_name_thread(name)
            // If the system refuses, it runs as an ordinary thread.
            if isLatencySensitive { _ = scheduling_prefer_short_turns(ServiceThread.turnNanoseconds) }
            body()
            running.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// The shortest time slice that Linux accepts.
    private static let turnNanoseconds: UInt64 = 100_000

    /// Returns once the body has ended, at once if it never began. May be called repeatedly and from several threads.
    func join() { running.wait() }
}

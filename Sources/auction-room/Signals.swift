// Which module of the C library declares the signal types depends on the order of imports.
internal import CMicroHTTPDShims
internal import Dispatch
internal import Glibc

/// Handles signals on a dispatch queue.
enum Signals {
    /// Runs the handler on each of these signals, which then no longer end the program. Returns once Dispatch has registered them, which
    /// it does on another thread; signals that arrive before are delivered afterwards.
    ///
    /// Must be called before other threads are started that could receive the signals.
    /// - Returns: the sources, which must be retained.
    static func watch(_ numbers: Int32..., handler: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        // Signals that arrive before the registration stay pending.
        var waiting = sigset_t()
        // SAFETY: the set is a local variable that outlives the calls.
        unsafe sigemptyset(&waiting)
        for number in numbers { unsafe sigaddset(&waiting, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &waiting, nil)
        let registered = DispatchGroup()
        let sources = numbers.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handler() }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
            return source
        }
        registered.wait()
        unsafe pthread_sigmask(SIG_UNBLOCK, &waiting, nil)
        return sources
    }
}

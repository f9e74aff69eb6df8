internal import Dispatch
internal import Glibc

/// Signals as events.
enum Signals {
    /// From here on each of these signals runs the handler instead of ending the program. None is lost on the way: Dispatch begins to
    /// listen some time after it was asked to, on a thread of its own, which on a busy machine is after the server is ready.
    ///
    /// Called while no other thread of the program would take them.
    /// - Returns: to be kept.
    static func watch(_ numbers: Int32..., handler: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        // Until then they wait.
        var waiting = sigset_t()
        // Safe: the set is a local that outlives the calls.
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

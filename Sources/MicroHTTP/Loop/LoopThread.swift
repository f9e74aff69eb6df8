internal import CMicroHTTPDShims
internal import CScheduling
internal import Glibc

/// The thread that runs a loop.
///
/// `@unchecked Sendable`: both properties are constants; `join` is called once, under the server's lock.
final class LoopThread: @unchecked Sendable {
    /// Nanoseconds of a time slice: a request preempts threads that work in the background, such as those of webhooks, and is preempted by
    /// the threads that decide and commit.
    private static let turnNanoseconds: UInt64 = 500_000

    let loop: EventLoop
    private let thread: pthread_t

    init(running loop: EventLoop) throws(HTTPServerError) {
        self.loop = loop
        var attributes = pthread_attr_t()
        var thread = pthread_t()
        // SAFETY: the attributes outlive the calls; the thread takes the loop's reference over and releases it.
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstacksize(&attributes, 2 << 20)
        let argument = unsafe Unmanaged.passRetained(loop)
        let failure = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let loop = unsafe Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue()
                unsafe micro_name_thread("http-loop-\(loop.index)")
                // If the system refuses, it runs as an ordinary thread.
                _ = scheduling_prefer_short_turns(LoopThread.turnNanoseconds)
                loop.run()
                return nil
            }, argument.toOpaque())
        unsafe pthread_attr_destroy(&attributes)
        guard failure == 0 else {
            unsafe argument.release()
            throw HTTPServerError(.resource, "no thread for an event loop: \(systemError(failure))")
        }
        self.thread = thread
    }

    /// Waits for the loop to end.
    func join() {
        _ = pthread_join(thread, nil)
    }
}

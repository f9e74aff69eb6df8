internal import CMicroHTTPDShims
internal import Glibc

/// The thread that runs a loop.
///
/// `@unchecked Sendable`: both properties are constants; `join` is called once, under the server's lock.
final class LoopThread: @unchecked Sendable {
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

internal import CCurl
internal import CScheduling
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Sends requests to other servers, on one thread of its own that waits for all of them (libcurl's multi interface).
///
/// No redirect is followed and no proxy of the environment is used; certificates are verified with the system's authorities; no cookie
/// is kept. Every address is checked before it is connected to.
package final class OutboundClient: Sendable {
    private let queue: RequestQueue
    private let thread: OutboundThread
    /// Most URLs that are kept.
    private static let urlLimit = 64
    /// Those of former requests.
    private let urls = Mutex<[String: OutboundURL]>([:])

    /// - Parameters:
    ///   - name: of the thread, at most 15 bytes.
    ///   - yields: Whether the process's other threads go first.
    ///   - authorities: A file of certificates in PEM to trust instead of the system's; nil: the system's.
    ///   - resolve: The addresses of a host in place of the system's, for tests; nil, or an empty answer: the system's.
    package init(
        name: String, limits: OutboundLimits = .init(), yields: Bool = false, authorities: String? = nil,
        resolve: (@Sendable (String) -> [String])? = nil
    ) throws(OutboundFailure) {
        guard Self.library == CURLE_OK else { throw .resources("libcurl does not start") }
        let waker = try MultiWaker(limits)
        let queue = RequestQueue(limits, waker)
        self.queue = queue
        thread = try OutboundThread(name: name) {
            // A failure leaves it as fast as the others.
            if yields { _ = scheduling_yield_to_others() }
            TransferLoop(queue, waker, TransferSettings(limits: limits, authorities: authorities, resolve: resolve)).run()
        }
    }

    deinit { stop() }

    /// Sends a request, unless it is refused at once.
    /// - Parameter completion: Called once, on the client's thread, which it must not block; it may send further requests, and must not
    ///   call `stop`.
    /// - Throws: What is wrong with the request, that too many are in flight, or that the client has been stopped.
    package func send(
        _ request: OutboundRequest, completion: @escaping @Sendable (Result<OutboundResponse, OutboundFailure>) -> Void
    ) throws(OutboundFailure) {
        let url: OutboundURL
        do throws(DestinationRefusal) {
            url = try read(request.url)
            try request.policy.check(url)
        } catch {
            throw .refused(error)
        }
        try queue.add(OutboundJob(request: request, url: url, completion: completion))
    }

    /// A URL's parts; most requests are to one of a few.
    private func read(_ text: String) throws(DestinationRefusal) -> OutboundURL {
        if let url = urls.withLock({ $0[text] }) { return url }
        let url = try OutboundURL(text)
        urls.withLock { urls in
            if urls.count >= Self.urlLimit { urls = [:] }
            urls[text] = url
        }
        return url
    }

    /// Ends all requests in flight, which fail as stopped, and the thread. Returns when both have ended; may be called repeatedly.
    package func stop() {
        queue.stop()
        thread.join()
    }

    /// Prepares the library, once in a process.
    private static let library: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
}

/// A request with what waits for its response.
struct OutboundJob: Sendable {
    let request: OutboundRequest
    let url: OutboundURL
    let completion: @Sendable (Result<OutboundResponse, OutboundFailure>) -> Void
}

/// The thread of a client.
final class OutboundThread: Sendable {
    private let running = DispatchGroup()

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    init(name: String, _ body: @escaping @Sendable () -> Void) throws(OutboundFailure) {
        running.enter()
        let body = Body { [running] in
            // SAFETY: the name is copied during the call.
            unsafe scheduling_name_thread(name)
            Self.blockSignals()
            body()
            running.leave()
        }
        var (thread, attributes) = (pthread_t(), pthread_attr_t())
        // SAFETY: initialised before their use, destroyed after it. The thread takes the body, which was retained for it.
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let retained = unsafe Unmanaged.passRetained(body)
        let failure = unsafe pthread_create(
            &thread, &attributes,
            { body in
                if let body = unsafe body { unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        guard failure == 0 else {
            unsafe retained.release()
            running.leave()
            throw .resources("no thread: errno \(failure)")
        }
    }

    /// Signals are for other threads, and a connection that breaks is an error here, not SIGPIPE.
    private static func blockSignals() {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    }

    /// Returns once the body has ended.
    func join() { running.wait() }
}

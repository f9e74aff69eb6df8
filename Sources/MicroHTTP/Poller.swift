internal import CMicroHTTPDShims
internal import Glibc

/// A loop's epoll descriptor with the eventfd that wakes it from other threads.
///
/// `@safe`: the events' union is written and read as u64 only.
@safe
struct Poller: ~Copyable {
    /// What is ready: a token given to `watch`, and epoll's bits.
    struct Event {
        let token: UInt64
        let bits: UInt32
    }

    /// The token of the eventfd.
    static let wakeToken: UInt64 = 1

    private let epoll: Int32
    private let wake: Int32
    private var ready = unsafe [epoll_event](repeating: epoll_event(), count: 128)

    init() throws(HTTPServerError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // Edge-triggered: every write wakes, and nobody ever has to read the counter.
        guard epoll >= 0, wake >= 0, watch(wake, EPOLLIN.rawValue | EPOLLET.rawValue, token: Poller.wakeToken) else {
            throw HTTPServerError(.resource, "no descriptor for an event loop: \(systemError(errno))")
        }
    }

    deinit {
        if epoll >= 0 { _ = close(epoll) }
        if wake >= 0 { _ = close(wake) }
    }

    /// For `Waker`, which may be used from other threads while this lives.
    var wakeDescriptor: Int32 { wake }

    /// The peer closed its sending side, or the connection ended.
    static var hangUpBits: UInt32 { EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue }

    /// False where the system refuses.
    func watch(_ descriptor: Int32, _ bits: UInt32, token: UInt64) -> Bool {
        var event = unsafe epoll_event(events: bits, data: epoll_data_t(u64: token))
        // Safe: the event lives through the call, and the kernel copies it.
        return unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    /// Watches for other bits from now on.
    func rewatch(_ descriptor: Int32, _ bits: UInt32, token: UInt64) {
        var event = unsafe epoll_event(events: bits, data: epoll_data_t(u64: token))
        // Safe: the event lives through the call, and the kernel copies it.
        _ = unsafe epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Each change is announced once, not for as long as it lasts.
    static var onceBits: UInt32 { EPOLLET.rawValue }
    /// There is something to read.
    static var readBits: UInt32 { EPOLLIN.rawValue }
    /// There is room to write.
    static var writeBits: UInt32 { EPOLLOUT.rawValue }

    func unwatch(_ descriptor: Int32) {
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Waits at most so long (-1: for ever) and says how many events there are.
    mutating func wait(milliseconds: Int32) -> Int {
        // Safe: the pointer and the count are those of the same array, through the call only.
        let count = unsafe ready.withUnsafeMutableBufferPointer { buffer in
            unsafe epoll_wait(epoll, buffer.baseAddress, Int32(buffer.count), milliseconds)
        }
        return max(0, Int(count))  // an interrupted wait is an empty one
    }

    /// An event of the last wait.
    func event(_ index: Int) -> Event {
        // Safe: the union was written as u64 by `watch`, and is only ever that.
        unsafe Event(token: ready[index].data.u64, bits: ready[index].events)
    }
}

/// Milliseconds of the monotonic clock.
func monotonicMilliseconds() -> UInt64 {
    var time = timespec()
    // Safe: the structure lives through the call.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
}

/// The system's text for an `errno`.
func systemError(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    // Safe: the text is written within the size given, ended with NUL, and copied.
    return unsafe text.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return "error \(code)" }
        unsafe micro_error_text(code, start, buffer.count)
        return unsafe String(cString: start)
    }
}

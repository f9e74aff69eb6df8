internal import CMicroHTTPDShims
internal import CScheduling
internal import Glibc

/// A loop's epoll descriptor, and the eventfd with which other threads wake it. Used on the loop's thread only.
///
/// `@safe`: the union in the events is written and read as u64 only.
@safe
final class Poller {
    /// A ready descriptor: the token passed to `watch`, and epoll's bits.
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
        // Edge-triggered: every write wakes the loop, and the counter never has to be read.
        guard epoll >= 0, wake >= 0, watch(wake, EPOLLIN.rawValue | EPOLLET.rawValue, token: Poller.wakeToken) else {
            throw HTTPServerError(.resource, "no descriptor for an event loop: \(systemError(errno))")
        }
    }

    deinit {
        if epoll >= 0 { _ = close(epoll) }
        if wake >= 0 { _ = close(wake) }
    }

    /// The eventfd; other threads may write to it while this poller exists.
    var wakeDescriptor: Int32 { wake }

    /// Set if the peer closed its sending side, or the connection ended.
    static var hangUpBits: UInt32 { EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue }

    /// Adds a descriptor; false if the system refuses.
    func watch(_ descriptor: Int32, _ bits: UInt32, token: UInt64) -> Bool {
        var event = unsafe epoll_event(events: bits, data: epoll_data_t(u64: token))
        // SAFETY: the event lives through the call, and the kernel copies it.
        return unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    /// Replaces the bits that a descriptor is watched for.
    func rewatch(_ descriptor: Int32, _ bits: UInt32, token: UInt64) {
        var event = unsafe epoll_event(events: bits, data: epoll_data_t(u64: token))
        // SAFETY: the event lives through the call, and the kernel copies it.
        _ = unsafe epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Edge-triggered: each change is reported once.
    static var onceBits: UInt32 { EPOLLET.rawValue }
    /// Ready for reading.
    static var readBits: UInt32 { EPOLLIN.rawValue }
    /// Ready for writing.
    static var writeBits: UInt32 { EPOLLOUT.rawValue }

    func unwatch(_ descriptor: Int32) {
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Waits at most `milliseconds` (-1: without limit) and returns the number of events.
    func wait(milliseconds: Int32) -> Int {
        // SAFETY: the pointer and the count are those of the same array, used during the call only.
        let count = unsafe ready.withUnsafeMutableBufferPointer { buffer in
            guard let first = buffer.baseAddress else { return Int32(0) }
            return unsafe epoll_wait(epoll, first, Int32(buffer.count), milliseconds)
        }
        return max(0, Int(count))  // an interrupted wait has no events
    }

    /// An event of the last `wait`.
    func event(_ index: Int) -> Event {
        // SAFETY: the union was written as u64 by `watch`, and is only ever that.
        unsafe Event(token: ready[index].data.u64, bits: ready[index].events)
    }
}

/// Milliseconds of the monotonic clock.
func monotonicMilliseconds() -> UInt64 { UInt64(clamping: scheduling_nanoseconds(CLOCK_MONOTONIC) / 1_000_000) }

/// The system's text for an `errno`.
func systemError(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    // SAFETY: the text is written within the size given, ended with NUL, and copied.
    return unsafe text.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return "error \(code)" }
        unsafe micro_error_text(code, start, buffer.count)
        return unsafe String(cString: start)
    }
}

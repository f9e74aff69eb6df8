// For epoll, which the C library's module lacks.
internal import CMicroHTTPDShims
internal import Glibc

/// Non-blocking connections to a port of this machine.
enum LoadSocket {
    /// Connects, then makes the socket non-blocking.
    ///
    /// - Parameter receiveBytes: size of the kernel's receive buffer; nil: the system's default.
    static func open(port: UInt16, receiveBytes: Int32? = nil) throws(LoadFailure) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw LoadFailure("no more sockets: raise the limit of open files") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var on: Int32 = 1
        // Closing resets the connection, so that no sockets in TIME_WAIT disturb the next run.
        var reset = linger(l_onoff: 1, l_linger: 0)
        // SAFETY: every pointer is to a local variable of the given size that outlives the call.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        if var receiveBytes {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, socklen_t(MemoryLayout<Int32>.size))
        }
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            _ = close(descriptor)
            throw LoadFailure("nobody listens on port \(port)")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return descriptor
    }

    /// Sends a request; false if the kernel did not accept all of it: requests are far smaller than its buffer.
    static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        // SAFETY: the pointer and the count are the array's and valid for the call.
        unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Number of bytes received; 0 if the connection is closed, -1 if none are available yet.
    static func receive(into buffer: inout [UInt8], from descriptor: Int32) -> Int {
        // SAFETY: the kernel writes at most the array's size into it.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? -1 : 0 }
        return count
    }

    /// Raises the limit of open descriptors to the maximum for this process.
    static func raiseLimit() {
        var limit = rlimit()
        // SAFETY: the structure outlives both calls.
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// Reports which sockets are readable (epoll).
///
/// `@safe`: the events' union is written and read as u64 only.
@safe
struct LoadPoller: ~Copyable {
    private let epoll: Int32
    private var ready = unsafe [epoll_event](repeating: epoll_event(), count: 512)

    init() throws(LoadFailure) {
        epoll = epoll_create1(0)
        guard epoll >= 0 else { throw LoadFailure("no descriptor to wait with") }
    }

    deinit { _ = close(epoll) }

    func watch(_ descriptor: Int32, token: Int) {
        var event = unsafe epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(token)))
        // SAFETY: the event outlives the call, and the kernel copies it.
        _ = unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }

    func unwatch(_ descriptor: Int32) { _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil) }

    /// Waits for events and returns their number. In nanoseconds, because busy-waiting for fractions of a millisecond would take
    /// processor time from the measured server.
    mutating func wait(nanoseconds: Int64) -> Int {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        // SAFETY: the pointer and the count are those of one array, the time outlives the call, and no signals are masked.
        let count = unsafe ready.withUnsafeMutableBufferPointer { buffer in
            guard let first = buffer.baseAddress else { return Int32(0) }
            return unsafe epoll_pwait2(epoll, first, Int32(buffer.count), &time, nil)
        }
        return max(0, Int(count))
    }

    /// Token of the socket that an event of the last `wait` is for.
    func token(_ index: Int) -> Int {
        // SAFETY: the union is only ever written as u64, by `watch`.
        unsafe Int(ready[index].data.u64)
    }
}

/// Nanoseconds of the monotonic clock.
func loadClock() -> Int64 {
    var time = timespec()
    // SAFETY: the structure outlives the call.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// An error that ends the measurement; `description` is one line.
struct LoadFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

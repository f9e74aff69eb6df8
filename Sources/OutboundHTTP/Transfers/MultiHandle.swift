internal import CCurl
internal import CCurlShims

/// Owns a handle of libcurl, and ends the wait of the client's thread for it.
///
/// `@unchecked Sendable`: the pointer never changes, and libcurl allows the one call that is made here from any thread. The last owner frees
/// the handle, when all transfers were removed. `@safe`: the handle is valid as long as the object.
@safe final class MultiWaker: @unchecked Sendable {
    fileprivate let handle: UnsafeMutableRawPointer

    init(_ limits: OutboundLimits) throws(OutboundFailure) {
        guard let handle = unsafe curl_multi_init() else { throw .resources("no handle of libcurl") }
        unsafe self.handle = handle
        unsafe outbound_set_multi_number(handle, CURLMOPT_MAXCONNECTS, limits.idleConnections)
        unsafe outbound_set_multi_number(handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.requests)
    }

    deinit { unsafe curl_multi_cleanup(handle) }

    /// Ends `MultiHandle.wait`, or the next one.
    func wake() { unsafe curl_multi_wakeup(handle) }
}

/// A handle of libcurl that drives several transfers and keeps their connections: what is done with it on the client's thread, whose loop
/// makes this and keeps it to itself.
struct MultiHandle: ~Copyable {
    private let waker: MultiWaker

    init(_ waker: MultiWaker) { self.waker = waker }

    /// Waits for a socket, a time limit of a transfer, or `MultiWaker.wake`.
    func wait() { unsafe curl_multi_poll(waker.handle, nil, 0, Self.waitMilliseconds, nil) }

    /// Long: libcurl itself knows when its transfers have to go on.
    private static let waitMilliseconds: Int32 = 60_000

    func add(_ transfer: Transfer) -> Bool { unsafe curl_multi_add_handle(waker.handle, transfer.handle) == CURLM_OK }

    func remove(_ transfer: Transfer) { unsafe curl_multi_remove_handle(waker.handle, transfer.handle) }

    /// Does what can be done without waiting.
    func perform() {
        var running: Int32 = 0
        unsafe curl_multi_perform(waker.handle, &running)
    }

    /// The `id` of a transfer that has ended, with its result; nil: no further one.
    func nextEnded() -> (id: UInt, result: CURLcode)? {
        var rest: Int32 = 0
        // SAFETY: a message is valid until the next call for this handle.
        while let message = unsafe curl_multi_info_read(waker.handle, &rest) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else { continue }
            return unsafe (UInt(bitPattern: easy), message.pointee.data.result)
        }
        return nil
    }
}

internal import CCurl
internal import CCurlShims

/// A handle of libcurl that drives several transfers and keeps their connections.
///
/// `@unchecked Sendable`: `wake` may be called from any thread (curl_multi_wakeup), everything else is called on the client's thread
/// only; the last owner frees it, when all transfers were removed. `@safe`: the handle is valid as long as the object.
@safe final class MultiHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    init(_ limits: OutboundLimits) throws(OutboundFailure) {
        guard let handle = unsafe curl_multi_init() else { throw .resources("no handle of libcurl") }
        unsafe self.handle = handle
        unsafe outbound_set_multi_number(handle, CURLMOPT_MAXCONNECTS, limits.idleConnections)
        unsafe outbound_set_multi_number(handle, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.requests)
    }

    deinit { unsafe curl_multi_cleanup(handle) }

    /// Ends `wait`, or the next one.
    func wake() { unsafe curl_multi_wakeup(handle) }

    /// Waits for a socket, a time limit of a transfer, or `wake`.
    func wait() { unsafe curl_multi_poll(handle, nil, 0, Self.waitMilliseconds, nil) }

    /// Long: libcurl itself knows when its transfers have to go on.
    private static let waitMilliseconds: Int32 = 60_000

    func add(_ transfer: Transfer) -> Bool { unsafe curl_multi_add_handle(handle, transfer.handle) == CURLM_OK }

    func remove(_ transfer: Transfer) { unsafe curl_multi_remove_handle(handle, transfer.handle) }

    /// Does what can be done without waiting.
    func perform() {
        var running: Int32 = 0
        unsafe curl_multi_perform(handle, &running)
    }

    /// The `id` of a transfer that has ended, with its result; nil: no further one.
    func nextEnded() -> (id: UInt, result: CURLcode)? {
        var rest: Int32 = 0
        // SAFETY: a message is valid until the next call for this handle.
        while let message = unsafe curl_multi_info_read(handle, &rest) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else { continue }
            return unsafe (UInt(bitPattern: easy), message.pointee.data.result)
        }
        return nil
    }
}

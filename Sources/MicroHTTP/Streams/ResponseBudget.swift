internal import Synchronization

/// Counts the bytes of all responses and streams that clients have not read yet. A buffer counts once, however many connections
/// share it, from its creation until its last reference is released. Small responses, which the kernel takes at once, do not count.
package final class ResponseBudget: Sendable {
    /// In bytes; 0: no limit.
    package let limit: Int
    private let pending = Atomic<Int>(0)

    /// - Parameter limit: in bytes; 0: no limit.
    package init(limit: Int) { self.limit = limit }

    /// Bytes that are pending now.
    package var pendingBytes: Int { pending.load(ordering: .relaxed) }

    /// Whether more bytes are pending than the limit: then no large response is started, and slow clients with most pending bytes
    /// are cut off.
    package var isExceeded: Bool { limit > 0 && pendingBytes > limit }

    func add(_ bytes: Int) { pending.add(bytes, ordering: .relaxed) }
    func remove(_ bytes: Int) { pending.subtract(bytes, ordering: .relaxed) }
}

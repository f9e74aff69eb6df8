internal import Synchronization

/// The bytes of responses that wait for their readers, all together. A buffer counts once, however many connections it is sent on,
/// from when it is made until none of them needs it any more. Small responses, which the kernel takes at once, do not count.
public final class ResponseBudget: Sendable {
    /// 0: no limit.
    public let limit: Int
    private let held = Atomic<Int>(0)

    /// - Parameter limit: in bytes; 0: none.
    public init(limit: Int) { self.limit = limit }

    /// What waits now.
    public var heldBytes: Int { held.load(ordering: .relaxed) }

    /// Whether more waits than should: then nothing large is begun, and the slowest readers that hold most are cut off.
    public var isExceeded: Bool { limit > 0 && heldBytes > limit }

    func add(_ bytes: Int) { held.add(bytes, ordering: .relaxed) }
    func remove(_ bytes: Int) { held.subtract(bytes, ordering: .relaxed) }
}

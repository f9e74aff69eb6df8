import AuctionTestKit
import Glibc

/// The CPU time that a step may use, relative to what ordinary requests use in this build on this machine.
package struct FuzzBudget: Sendable {
    /// CPU time of a small request, in nanoseconds.
    let small: Int64
    /// CPU time of a request with a large plain body of `largeBytes`, in nanoseconds.
    let large: Int64
    let largeBytes: Int

    /// The limit of a step, as a multiple of an ordinary request's time.
    static let factor: Int64 = 20

    /// The limit for a step with this many bytes, request and response together.
    func nanoseconds(bytes: Int) -> Int64 {
        Self.factor * (4 * small + large * Int64(bytes) / Int64(largeBytes))
    }

    /// CPU time of the calling thread since it started, in nanoseconds.
    static func spent() -> Int64 {
        var time = timespec()
        // SAFETY: the pointer is to a local that outlives the call, and the clock always exists.
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

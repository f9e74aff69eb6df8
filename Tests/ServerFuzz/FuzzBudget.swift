import AuctionTestKit
import Glibc

/// The processor time that a step may take, by what an ordinary request takes in this build on this machine.
package struct FuzzBudget: Sendable {
    /// For a small request, in nanoseconds.
    let small: Int64
    /// For a large plain body, in nanoseconds.
    let large: Int64
    let largeBytes: Int

    /// How many times the time of a plain request a step may take.
    static let factor: Int64 = 20

    /// For so many bytes, in and out together.
    func nanoseconds(bytes: Int) -> Int64 {
        Self.factor * (4 * small + large * Int64(bytes) / Int64(largeBytes))
    }

    /// Of the calling thread since it began.
    static func spent() -> Int64 {
        var time = timespec()
        // Safe: the pointer is to a local that outlives the call, and the clock always exists.
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

import Glibc

/// Polls a condition until it holds, at most for `seconds`; false if it never held. The limit only ends a test that fails: it is long
/// enough for a machine that is busy with other tests.
package func eventually(seconds: Double = 20, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = now() + seconds
    while now() < end {
        if try condition() { return true }
        usleep(2000)
    }
    return try condition()
}

/// Seconds of the monotonic clock.
package func now() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

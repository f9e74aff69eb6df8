import Foundation
import Glibc

/// Swift seeds its hashes per process; a run must not depend on that, and if it did, this makes it repeatable all the same.
enum Hashing {
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    /// Starts the program anew with the variable that the runtime reads once, unless it is set already.
    static func makeDeterministic() throws {
        guard ProcessInfo.processInfo.environment[variable] == nil else { return }
        // Safe: both strings live as long as the call, no other thread runs yet, and the argument vector is the process's own.
        unsafe setenv(variable, "1", 1)
        unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
        throw HashingError(code: errno)
    }

    struct HashingError: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "the program cannot start itself anew: error \(code)" }
    }
}

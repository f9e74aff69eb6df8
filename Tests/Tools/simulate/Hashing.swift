import Foundation
import Glibc

/// Swift seeds its hashes per process. Fixing the seed keeps a run repeatable even if it depends on hash order by mistake.
enum Hashing {
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    /// Executes the program again with the environment variable that the Swift runtime reads at start, unless it is set already.
    static func makeDeterministic() throws {
        guard ProcessInfo.processInfo.environment[variable] == nil else { return }
        // SAFETY: both strings live as long as the call, no other thread runs yet, and the argument vector is the process's own.
        unsafe setenv(variable, "1", 1)
        unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
        throw HashingError(code: errno)
    }

    struct HashingError: Error, CustomStringConvertible {
        let code: Int32
        var description: String { "the program cannot execute itself again: error \(code)" }
    }
}

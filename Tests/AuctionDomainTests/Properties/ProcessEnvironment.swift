import Foundation

/// Environment variables of the process.
enum ProcessEnvironment {
    static func number(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) }
}

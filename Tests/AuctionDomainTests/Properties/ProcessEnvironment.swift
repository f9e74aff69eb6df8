import Foundation

/// What the process was told from outside.
enum ProcessEnvironment {
    static func number(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) }
}

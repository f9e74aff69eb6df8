import Foundation

/// How many cases the random tests try. `make test` sets `AUCTION_RANDOM_PERCENT` to 10; 1000 tries ten times as many as usual.
package enum RandomRuns {
    private static let percent = ProcessInfo.processInfo.environment["AUCTION_RANDOM_PERCENT"].flatMap(UInt64.init) ?? 100

    /// The chosen part of the usual number, at least one.
    package static func count(of usual: UInt64) -> UInt64 { max(1, usual * percent / 100) }
}

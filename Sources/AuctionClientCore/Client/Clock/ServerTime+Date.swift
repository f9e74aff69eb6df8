#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ServerTime {
    /// The same instant as a date, to show it or to compute with a calendar. For countdowns use `AuctionClient.remaining(until:)`: the
    /// device's date may be wrong.
    public var date: Date { Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000) }

    /// The same instant by its date, whole milliseconds; clamped to the years 0 to 9999.
    public init(_ date: Date) {
        let seconds = min(max(date.timeIntervalSince1970, -62_167_219_200), 253_402_300_799)
        // Both bounds fit into 64 bits, also in milliseconds.
        self.init(milliseconds: Int64(seconds * 1000))  // proven: clamped above
    }
}

import EventLog
import Testing

struct LogFullnessTests {
    private static let mebibyte: Int64 = 1 << 20

    private static let sizes: [(Int64, LogFullness)] = [
        (0, .nothing), (899, .nothing), (900, .rooms), (949, .rooms), (950, .commands), (999, .commands), (1000, .bids),
        (.max, .bids),
    ]
    private static let free: [(Int64, LogFullness)] = [
        (32, .nothing), (31, .rooms), (24, .rooms), (23, .commands), (16, .commands), (15, .bids), (0, .bids),
    ]

    @Test(arguments: sizes)
    func `a log that fills up refuses rooms first, then commands, and bids last`(_ bytes: Int64, _ expected: LogFullness) {
        #expect(LogFullness(LogSize(bytes: bytes), limit: 1000) == expected)
        #expect(LogFullness(LogSize(bytes: bytes), limit: 0) == .nothing, "without a limit")
    }

    @Test(arguments: free)
    func `so does one whose disk fills up, whatever its limit`(_ mebibytes: Int64, _ expected: LogFullness) {
        let size = LogSize(bytes: 1, freeBytes: mebibytes * Self.mebibyte)
        #expect(LogFullness(size, limit: 0) == expected && LogFullness(size, limit: .max) == expected)
    }

    @Test func `the smallest limits divide by nothing`() {
        #expect(LogFullness(LogSize(bytes: 0), limit: 1) == .nothing)
        #expect(LogFullness(LogSize(bytes: 20), limit: 1) == .bids)
    }
}

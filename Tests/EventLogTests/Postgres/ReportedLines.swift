import Synchronization

/// The lines that a log reported, for `report` of its options.
final class ReportedLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var report: @Sendable (String) -> Void {
        { [self] line in lines.withLock { $0.append(line) } }
    }
}

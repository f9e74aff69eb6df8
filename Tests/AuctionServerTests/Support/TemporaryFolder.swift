import Foundation

/// A temporary folder for a log, removed when the test ends.
final class TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "auction-room-\(UUID().uuidString)")

    /// Path of the log's file.
    var log: String { url.appending(path: "rooms.db").path }

    deinit {
        do { try FileManager.default.removeItem(at: url) } catch { print("\(url.path) stays: \(error)") }
    }
}

internal import EventLog
internal import FoundationEssentials
internal import Glibc

/// Calls `body` with the path of a new folder, which only this user can read, and removes it afterwards with all that is in it.
/// - Throws: what `body` throws, or `EventLogError` if the folder cannot be made.
func withTemporaryFolder(_ body: (_ path: String) throws -> Void) throws {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/auction-room-XXXXXX".utf8CString)
    // SAFETY: the template is a local array that ends with a zero byte and outlives the call.
    guard unsafe mkdtemp(&template) != nil else {
        // SAFETY: the text is copied before the next call.
        let reason = unsafe String(cString: strerror(errno))
        throw EventLogError(.unavailable, "no temporary folder can be made in \(parent): \(reason)")
    }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            complain("the temporary folder \(path) was not removed: \(error)")
        }
    }
    try body(path)
}

internal import FoundationEssentials
internal import Glibc

/// Memory and descriptors of this process from /proc; nil if there is no /proc.
struct ProcessFigures {
    let residentBytes: Int64?
    let openDescriptors: Int64?

    /// Reads the figures. Too slow for an event loop: takes a millisecond per few thousand descriptors.
    static func read() -> ProcessFigures {
        let pages = FileManager.default.contents(atPath: "/proc/self/statm").flatMap { data in
            String(decoding: data, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int64($0) }
        }
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return ProcessFigures(
            residentBytes: pages.map { $0 * Int64(sysconf(Int32(_SC_PAGESIZE))) },
            // One descriptor is the open directory itself.
            openDescriptors: descriptors.map { Int64($0.count - 1) })
    }
}

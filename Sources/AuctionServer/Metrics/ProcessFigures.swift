internal import FoundationEssentials
internal import Glibc

/// Processor time of this process, and its memory and descriptors from /proc; nil if there is no /proc.
struct ProcessFigures {
    let processorSeconds: Double
    let residentBytes: Int64?
    let openDescriptors: Int64?

    /// Reads the figures. Too slow for an event loop: takes a millisecond per few thousand descriptors.
    static func read() -> ProcessFigures {
        let pages = FileManager.default.contents(atPath: "/proc/self/statm").flatMap { data in
            String(decoding: data, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int64($0) }
        }
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        var time = timespec()
        // SAFETY: fills a local structure.
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return ProcessFigures(
            processorSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9,
            residentBytes: pages.map { $0 * Int64(sysconf(Int32(_SC_PAGESIZE))) },
            // One descriptor is the open directory itself.
            openDescriptors: descriptors.map { Int64($0.count - 1) })
    }
}

internal import Glibc

/// The memory that this process may use.
package enum MachineMemory {
    /// Bytes of the machine's memory; nil if the system does not tell. By a system call: a service with `ProcSubset=pid` has no
    /// `/proc/meminfo`.
    package static var physical: Int? {
        let (pages, pageBytes) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        guard pages > 0, pageBytes > 0 else { return nil }
        let (bytes, isTooLarge) = pages.multipliedReportingOverflow(by: pageBytes)
        return isTooLarge ? nil : bytes
    }

    /// Bytes of the machine, or of the least limit of the process' control group and the groups above it; nil if none of them is known.
    /// - Parameter read: the text of a file; nil if it cannot be read.
    package static func bytes(physical: Int?, read: (String) -> String?) -> Int? {
        let groups = (read("/proc/self/cgroup") ?? "").split(separator: "\n").flatMap(limitFiles)
        return ([physical] + groups.map { read($0).flatMap(number) }).compactMap { $0 }.min()
    }

    /// "max", and what is no number, is no limit.
    private static func number(_ text: String) -> Int? {
        Int(text.filter { !$0.isWhitespace }).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The files of one line of `/proc/self/cgroup`, `ID:CONTROLLERS:PATH`: the group's own, and those of the groups above it. A container
    /// sees its own group at the top, whatever the path says.
    private static func limitFiles(_ line: Substring) -> [String] {
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return [] }
        let isFirstVersion = fields[1].split(separator: ",").contains("memory")
        guard isFirstVersion || fields[1].isEmpty else { return [] }
        let (top, file) = isFirstVersion ? ("/sys/fs/cgroup/memory", "memory.limit_in_bytes") : ("/sys/fs/cgroup", "memory.max")
        let names = fields[2].split(separator: "/").prefix(32)
        return (0...names.count).map { ([top] + names.prefix($0).map(String.init) + [file]).joined(separator: "/") }
    }
}

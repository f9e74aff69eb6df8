/// The memory that this process may use, from the files in which Linux tells it.
package enum MachineMemory {
    /// Bytes of the machine, or of the least limit of the process' control group and the groups above it; nil if none of them is known.
    /// - Parameter read: the text of a file; nil if it cannot be read.
    package static func bytes(read: (String) -> String?) -> Int? {
        let groups = (read("/proc/self/cgroup") ?? "").split(separator: "\n").flatMap(limitFiles)
        return ([machine(read)] + groups.map { read($0).flatMap(number) }).compactMap { $0 }.min()
    }

    private static func machine(_ read: (String) -> String?) -> Int? {
        let line = read("/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        return line.flatMap { number(String($0.filter(\.isWholeNumber))) }.map { min($0, 1 << 50) * 1024 }
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

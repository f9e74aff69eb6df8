internal import Foundation

/// Memory and processor time of processes, summed, from /proc.
struct ProcessFigures {
    /// Resident memory in kilobytes.
    let memory: Int
    /// Maximum resident memory so far in kilobytes.
    let peak: Int
    let seconds: Double

    init(_ processes: [Int]) {
        var (memory, peak, ticks) = (0, 0, 0)
        for process in processes {
            for line in Self.text("/proc/\(process)/status").split(separator: "\n") {
                let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
                guard words.count > 1, let value = Int(words[1]) else { continue }
                if words[0] == "VmRSS:" { memory += value }
                if words[0] == "VmHWM:" { peak += value }
            }
            // The name in parentheses may contain spaces; the numbers follow it.
            let fields = Self.text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
            if fields.count > 12 { ticks += (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) }
        }
        self.memory = memory
        self.peak = peak
        seconds = Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func text(_ path: String) -> String {
        guard let data = FileManager.default.contents(atPath: path) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}

/// Writes the Prometheus text format 0.0.4: families and samples in the order of the calls.
struct MetricsText {
    typealias Labels = KeyValuePairs<String, String>

    enum Kind: String { case counter, gauge, histogram }

    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// Begins a family; its samples follow.
    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ name: String, _ labels: Labels, _ value: Int64) { line(name, labels, String(value)) }

    mutating func sample(_ name: String, _ labels: Labels, seconds value: Double) {
        line(name, labels, Self.number(value))
    }

    /// Writes a family of one sample without labels.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Int64) {
        family(name, kind, help)
        sample(name, [:], value)
    }

    /// Writes a histogram's samples; the counts of its buckets are cumulative.
    mutating func histogram(
        _ name: String, _ labels: Labels, _ buckets: Buckets, _ blocks: [CounterBlock], at start: Int = 0
    ) {
        var total: Int64 = 0
        for (index, end) in buckets.ends.enumerated() {
            total += blocks.sum(start + index)
            line(name + "_bucket", labels, String(total), le: Self.number(Double(end) / buckets.scale))
        }
        total += blocks.sum(start + buckets.ends.count)
        line(name + "_bucket", labels, String(total), le: "+Inf")
        let sum = blocks.sum(start + buckets.ends.count + 1)
        line(name + "_sum", labels, Self.number(Double(sum) / buckets.scale))
        line(name + "_count", labels, String(total))
    }

    private mutating func line(_ name: String, _ labels: Labels, _ value: String, le: String? = nil) {
        var all = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
        if let le { all.append("le=\"\(le)\"") }
        text += name
        if !all.isEmpty { text += "{" + all.joined(separator: ",") + "}" }
        text += " \(value)\n"
    }

    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value), whole.magnitude < 1_000_000_000_000_000 { return String(whole) }
        return String(value)
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x5C || $0 == 0x22 || $0 == 0x0A }) else { return value }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

internal import ExactJSON

/// Writes values as YAML, as people would: short collections in one line, others as blocks, long texts over several lines.
///
/// It uses only the part of YAML that `Sources/Page/docs/yaml.js` reads.
struct YAMLWriter {
    /// The last column of a collection in one line.
    private static let flowWidth = 100
    /// The last column of the lines of a text.
    private static let textWidth = 140

    private(set) var lines: [String] = []

    /// The lines of a value, each indented by `indent` spaces.
    static func lines(_ value: JSONValue, indent: Int = 0) -> [String] {
        var writer = YAMLWriter()
        writer.block(value, indent: indent)
        return writer.lines
    }

    private mutating func block(_ value: JSONValue, indent: Int) {
        let margin = String(repeating: " ", count: indent)
        switch value {
        case .object(let members) where !members.isEmpty:
            for member in members {
                write(member.value, after: margin + YAMLScalar.text(member.name, inFlow: false) + ":", indent: indent)
            }
        case .array(let elements) where !elements.isEmpty:
            for element in elements { write(element: element, indent: indent) }
        default: lines.append(margin + flow(value))
        }
    }

    private mutating func write(_ value: JSONValue, after head: String, indent: Int) {
        if case .string(let text) = value { return write(text: text, after: head, indent: indent + 2) }
        guard isBlock(value, from: head.count + 1) else {
            lines.append(head + " " + flow(value))
            return
        }
        lines.append(head)
        if case .array = value { block(value, indent: indent) } else { block(value, indent: indent + 2) }
    }

    private mutating func write(element: JSONValue, indent: Int) {
        let mark = String(repeating: " ", count: indent) + "-"
        if case .string(let text) = element { return write(text: text, after: mark, indent: indent + 2) }
        guard isBlock(element, from: indent + 2) else {
            lines.append(mark + " " + flow(element))
            return
        }
        let first = lines.count
        block(element, indent: indent + 2)
        lines[first] = mark + " " + lines[first].dropFirst(indent + 2)
    }

    /// Whether a value takes lines of its own when the first one begins in this column.
    private func isBlock(_ value: JSONValue, from column: Int) -> Bool {
        guard value.depth > 0 else { return false }
        let end = column + flow(value).count
        return value.hasLineBreak || end > (value.depth > 2 ? Self.flowWidth - 40 : Self.flowWidth)
    }

    private func flow(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): String(value)
        case .number(let literal): literal
        case .string(let text): YAMLScalar.text(text, inFlow: true)
        case .array(let elements): "[" + elements.map(flow).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { YAMLScalar.text($0.name, inFlow: true) + ": " + flow($0.value) }.joined(separator: ", ") + "}"
        }
    }

    private mutating func write(text: String, after head: String, indent: Int) {
        let margin = String(repeating: " ", count: indent)
        if let literal = YAMLScalar.literal(text) {
            lines.append(head + " " + literal.mark)
            lines += literal.lines.map { $0.isEmpty ? "" : margin + $0 }
            return
        }
        let scalar = YAMLScalar.text(text, inFlow: false)
        guard head.count + 1 + scalar.count > Self.textWidth, YAMLScalar.mayFold(text, scalar) else {
            lines.append(head + " " + scalar)
            return
        }
        var line = head
        for word in scalar.split(separator: " ") {
            if line.count + 1 + word.count > Self.textWidth, line.count > head.count {
                lines.append(line)
                line = margin + word
            } else {
                line += " " + word
            }
        }
        lines.append(line)
    }
}

extension JSONValue {
    /// How deep collections are nested in it; 0 for a scalar and an empty collection.
    fileprivate var depth: Int {
        switch self {
        case .array(let elements): (elements.map { $0.depth + 1 }.max() ?? 0)
        case .object(let members): (members.map { $0.value.depth + 1 }.max() ?? 0)
        default: 0
        }
    }

    fileprivate var hasLineBreak: Bool {
        switch self {
        case .string(let text): text.contains("\n")
        case .array(let elements): elements.contains { $0.hasLineBreak }
        case .object(let members): members.contains { $0.value.hasLineBreak }
        default: false
        }
    }
}

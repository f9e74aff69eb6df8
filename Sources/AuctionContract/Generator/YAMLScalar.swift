/// Texts as scalars of YAML.
enum YAMLScalar {
    /// A text in one line: plain if no reader can take it for something else, otherwise in quotes.
    static func text(_ text: String, inFlow: Bool) -> String {
        if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) { return doubleQuoted(text) }
        if isPlain(text, inFlow: inFlow) { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    /// A text of several lines as they are, below a mark; nil if it has one line, or cannot be written so.
    static func literal(_ text: String) -> (mark: String, lines: [Substring])? {
        let isControlled = text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }
        guard text.contains("\n"), !isControlled, !text.hasPrefix(" "), !text.hasPrefix("\n"), !text.hasSuffix("\n\n") else {
            return nil
        }
        let endsLine = text.hasSuffix("\n")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (endsLine ? "|" : "|-", endsLine ? lines.dropLast() : lines)
    }

    /// Whether a scalar may be broken at its spaces, each of which a reader then puts back.
    static func mayFold(_ text: String, _ scalar: String) -> Bool { !scalar.hasPrefix("\"") && !text.contains("  ") }

    private static let words: Set<String> = ["", "~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<"]
    private static let marks: Set<Character> = [
        "-", "?", ":", ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`", " ",
    ]
    /// All characters of numbers, times and dates in any version of YAML that do not stand for themselves in words.
    private static let digits: Set<Character> = Set("0123456789_:.+-TZeEx")
    private static let brackets: Set<Character> = [",", "?", "[", "]", "{", "}"]

    private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        guard let first = text.first, let last = text.last, !words.contains(text.lowercased()), !marks.contains(first) else {
            return false
        }
        if last == " " || last == ":" || text.contains(": ") || text.contains(" #") { return false }
        if (first.isNumber || first == "." || first == "+") && text.allSatisfy(digits.contains) { return false }
        return !inFlow || !text.contains(where: brackets.contains)
    }

    private static func doubleQuoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

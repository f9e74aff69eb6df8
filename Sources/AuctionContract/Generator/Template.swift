internal import ExactJSON

/// A document by hand in which lines such as `# made: paths` stand for what is generated.
enum Template {
    private static let mark = "# made: "

    /// The document with each mark replaced by the lines of the part of its name, indented like the mark.
    /// - Throws: `MissingPart` for a mark without a part, or a part without a mark.
    static func filled(_ text: String, with parts: [String: JSONValue]) throws(MissingPart) -> String {
        var missing = Set(parts.keys)
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            guard content.hasPrefix(mark) else {
                lines.append(String(line))
                continue
            }
            let name = String(content.dropFirst(mark.count))
            guard let part = parts[name] else { throw MissingPart(name: name) }
            missing.remove(name)
            lines += YAMLWriter.lines(part, indent: line.count - content.count)
        }
        if let name = missing.min() { throw MissingPart(name: name) }
        return lines.joined(separator: "\n")
    }
}

/// A part that is generated and has no place in the document by hand, or the other way round.
package struct MissingPart: Error, CustomStringConvertible {
    let name: String

    package var description: String { "the mark and the part \"\(name)\" do not go together" }
}

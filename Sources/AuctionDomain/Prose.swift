package import Permissions

/// Texts that people write in sentences, such as chat, descriptions and reasons: they may have several lines.
package enum Prose {
    /// The text with line feeds as its line breaks, and spaces in place of tabs: pasted texts have others.
    package static func normalized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 != "\n" && isTabOrBreak($0) }) else { return text }
        return String(text.map { $0.isNewline ? "\n" : $0 == "\t" ? " " : $0 })
    }

    /// The same for a cell or a number that is one line: a space in place of tabs and line breaks, none of them at its ends.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isTabOrBreak) else { return text }
        return text.split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
    }

    /// The predicate of a sentence about what no text may contain, such as "must not contain control characters"; nil if it is valid.
    ///
    /// Other marks of direction are part of texts in Arabic and Hebrew, and end with their line. An override shows a text in another order
    /// than it is stored in.
    package static func problem(in text: String) -> LocalizedText? {
        for scalar in text.unicodeScalars {
            if scalar == "\u{202D}" || scalar == "\u{202E}" {
                return LocalizedText(
                    "must not contain characters that reverse the text after them", "不得包含使其后文字反向显示的字符")
            }
            if scalar.properties.generalCategory == .control, scalar != "\n" {
                return LocalizedText("must not contain control characters", "不得包含控制字符")
            }
        }
        return nil
    }

    private static func isTabOrBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

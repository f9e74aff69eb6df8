package import Permissions

/// Validation of names of users, rooms and items: a name must be visible and must not change how text around it is displayed.
///
/// Decided by Unicode's general categories. All emoji sequences are allowed, and so are the joiners that Persian and Indic
/// scripts need inside words.
package enum DisplayName {
    /// The predicate of a sentence about the name's first problem, such as "must not be blank"; nil if the name is valid.
    package static func problem(in name: String) -> LocalizedText? {
        var previous: Unicode.Scalar?
        var isVisible = false
        for scalar in name.unicodeScalars {
            guard allows(scalar, after: previous) else {
                let number = String(scalar.value, radix: 16, uppercase: true)
                let code = "U+" + String(repeating: "0", count: max(0, 4 - number.utf8.count)) + number
                return LocalizedText(
                    "must not contain \(code), which shows nothing or changes how other text is shown",
                    "不得包含 \(code):该字符不显示内容或会改变其他文字的显示")
            }
            isVisible = isVisible || shows(scalar)
            previous = scalar
        }
        return isVisible ? nil : blank
    }

    /// That a text must not be blank, as `problem` says it.
    package static let blank = LocalizedText("must not be blank", "不能为空白")

    /// The name without disallowed code points, truncated between characters to at most `limit` code points; nil if the rest is
    /// not visible.
    package static func cleaned(_ name: String, limit: Int) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where allows(scalar, after: scalars.last) { scalars.append(scalar) }
        var (text, count) = ("", 0)
        for character in String(scalars) {
            count += character.unicodeScalars.count
            guard count <= limit else { break }
            text.append(character)
        }
        // The first character alone has more code points than the limit.
        if text.isEmpty { text = String(String.UnicodeScalarView(scalars.prefix(limit))) }
        return isVisible(text) ? text : nil
    }

    /// Whether a text shows anything: neither blanks nor invisible characters do.
    package static func isVisible(_ text: String) -> Bool { text.unicodeScalars.contains(where: shows) }

    private static func allows(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
        case .format: return allowsFormat(scalar, after: previous)
        default:
            guard properties.isDefaultIgnorableCodePoint else { return true }
            // A variation selector sets the presentation of the preceding character; the others are fillers.
            return properties.isVariationSelector && previous?.properties.isVariationSelector == false
        }
    }

    private static func allowsFormat(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
        switch scalar.value {
        // Visible signs of Arabic, Syriac and Kaithi that enclose a number.
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: return true
        // The joiners, after a character that can join.
        case 0x200C, 0x200D: return previous.map(joins) ?? false
        // Tags after a black flag spell the code of the region whose flag is shown.
        case 0xE0020...0xE007F: return previous.map { $0.value == 0x1F3F4 || (0xE0020...0xE007E).contains($0.value) } ?? false
        default: return false
        }
    }

    /// Whether a joiner may follow: letters and marks of the scripts after Latin, Greek, Cyrillic and Armenian, and emoji.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x0590 else { return false }
        switch scalar.properties.generalCategory {
        case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: return true
        default: return scalar.properties.isEmoji
        }
    }

    private static func shows(_ scalar: Unicode.Scalar) -> Bool {
        // Fillers of Korean are letters by their category.
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber, .letterNumber,
            .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            // Two symbols are blank by design: a Braille cell without dots, and a note without a head.
            return scalar.value != 0x2800 && scalar.value != 0x1D159
        default: return false
        }
    }
}

/// A text shown to users, in every language of the product.
package struct LocalizedText: Hashable, Sendable, Codable {
    /// Text returned for `Language.english`.
    package let english: String
    /// Text returned for `Language.chinese`.
    package let chinese: String

    package init(_ english: String, _ chinese: String) {
        self.english = english
        self.chinese = chinese
    }

    /// The text in one language; every text exists in all languages.
    package subscript(language: Language) -> String {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }
}

/// A language of the product; the raw value is its ISO 639-1 code.
package enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh"
}

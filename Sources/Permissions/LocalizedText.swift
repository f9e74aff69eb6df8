/// A text shown to users, in every language of the product.
public struct LocalizedText: Hashable, Sendable, Codable {
    /// Text returned for `Language.english`.
    public let english: String
    /// Text returned for `Language.chinese`.
    public let chinese: String

    public init(_ english: String, _ chinese: String) {
        self.english = english
        self.chinese = chinese
    }

    /// The text in one language; every text exists in all languages.
    public subscript(language: Language) -> String {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }
}

/// A language of the product; the raw value is its ISO 639-1 code.
public enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh"
}

/// A text shown to users, in every language of the product.
public struct LocalizedText: Hashable, Sendable {
    private let make: @Sendable (Language) -> String

    public init(_ english: String, _ chinese: String) {
        make = { language in
            switch language {
            case .english: english
            case .chinese: chinese
            }
        }
    }

    /// A text with values, which is made when it is read: of most texts, one language is.
    /// - Parameter make: Always returns the same text of a language.
    public init(_ make: @escaping @Sendable (Language) -> String) { self.make = make }

    /// Text returned for `Language.english`.
    public var english: String { make(.english) }
    /// Text returned for `Language.chinese`.
    public var chinese: String { make(.chinese) }
    /// The text in one language; every text exists in all languages.
    public subscript(language: Language) -> String { make(language) }

    public static func == (left: Self, right: Self) -> Bool { left.english == right.english && left.chinese == right.chinese }
    public func hash(into hasher: inout Hasher) { hasher.combine(english) }
}

/// A language of the product; the raw value is its ISO 639-1 code.
public enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh"
}

/// A sentence for people, in the languages that the product speaks.
public struct LocalizedText: Hashable, Sendable, Codable {
    public let english: String
    public let chinese: String

    public init(_ english: String, _ chinese: String) {
        self.english = english
        self.chinese = chinese
    }

    public subscript(language: Language) -> String {
        switch language {
        case .english: english
        case .chinese: chinese
        }
    }
}

/// A language of the product.
public enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh"
}

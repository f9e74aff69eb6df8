public import Permissions

/// A sentence that the room itself says, in both languages.
public struct SystemMessage: Hashable, Sendable {
    /// Names the sentence, such as `item.sold`, for clients with words of their own.
    public let key: String
    public let text: LocalizedText

    public init(key: String, text: LocalizedText) {
        self.key = key
        self.text = text
    }
}

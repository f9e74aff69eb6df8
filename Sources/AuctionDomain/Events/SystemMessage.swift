public import Permissions

/// A message from the service to all clients of a room, in English and Chinese.
public struct SystemMessage: Hashable, Sendable {
    /// Stable name of the sentence, such as `item.sold`, for clients with their own texts.
    public let key: String
    /// The sentence in English and Chinese.
    public let text: LocalizedText

    public init(key: String, text: LocalizedText) {
        self.key = key
        self.text = text
    }
}

package import Permissions

/// A message from the service to all clients of a room, in English and Chinese.
package struct SystemMessage: Hashable, Sendable {
    /// Stable name of the sentence, such as `item.sold`, for clients with their own texts.
    package let key: String
    /// The sentence in English and Chinese.
    package let text: LocalizedText

    package init(key: String, text: LocalizedText) {
        self.key = key
        self.text = text
    }
}

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

    /// An item has a buyer.
    static func sold(_ item: String, to buyer: Person, for price: Money, in currency: Currency) -> SystemMessage {
        let amount = "\(currency.text(price)) \(currency.code)"
        return SystemMessage(
            key: "item.sold",
            text: LocalizedText(
                // `renamingBuyer` finds the nickname in it.
                "Sold: \(item) goes to \(buyer.nickname) for \(amount).", "成交:\(buyer.nickname) 以 \(amount) 拍得“\(item)”。"))
    }

    /// One of the texts of `sold` with another nickname of the buyer; other texts stay as they are.
    package static func renamingBuyer(_ nickname: String, _ pseudonym: String, in text: String) -> String {
        let (chinese, english) = ("成交:\(nickname) 以 ", " goes to \(nickname) for ")
        if text.hasPrefix(chinese) { return "成交:\(pseudonym) 以 " + text.dropFirst(chinese.count) }
        guard text.hasPrefix("Sold: ") else { return text }
        // The last place, since the item's name stands before the buyer's.
        var end = text.endIndex
        while end > text.startIndex {
            if text[..<end].hasSuffix(english) {
                return text[..<end].dropLast(english.count) + " goes to \(pseudonym) for " + text[end...]
            }
            end = text.index(before: end)
        }
        return text
    }
}

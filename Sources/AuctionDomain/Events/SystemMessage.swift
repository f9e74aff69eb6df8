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
                "Sold: \(item) goes to \(buyer.nickname) for \(amount).", "成交:\(buyer.nickname) 以 \(amount) 拍得“\(item)”。"))
    }
}

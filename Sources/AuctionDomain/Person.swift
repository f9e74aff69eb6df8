/// A user's public identity: `{"id","nickname"}` in every response and event.
package struct Person: Hashable, Sendable, Codable {
    /// Identifier of the user, the same in every room.
    package let id: UserID
    /// At most `nicknameLimit` code points, as `DisplayName` allows them; not unique.
    package let nickname: String

    /// The longest nickname, in code points.
    package static let nicknameLimit = 40

    package init(id: UserID, nickname: String) {
        self.id = id
        self.nickname = nickname
    }
}

extension UserID {
    /// The people who bid in the hall or by telephone: no user, and no member of any room.
    package static let floor = UserID(bits: 0)
}

extension Person {
    /// The bidder of bids that the host or an auctioneer enters.
    package static let floor = Person(id: .floor, nickname: "Floor")
}

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

// Programs of the operator, which act in rooms by service tokens. They are no users and members of no room; their ids are in the range of
// users' ids so that whatever names who acts can name them.
extension UserID {
    /// The highest 16 bits of all of them: ids of guests begin with the time, and have these from the year 6429 on; ids that are derived from
    /// a subject have a higher bit set.
    private static let operatorPrefix: UInt128 = 0x7FFF
    /// What the id of every service token but that of the operator's file begins with, …
    private static let tokenPrefix = "token_"
    /// … before as many hexadecimal digits.
    private static let tokenDigits = 28
    /// Id of the token of the operator's file.
    package static let fileToken = "file"

    /// Whether it stands for a service token, and for no user.
    package var isOperator: Bool { bits >> 112 == Self.operatorPrefix }

    // No initializers: references to those of all identifiers would find these.

    /// An id that stands for a service token.
    /// - Parameter random: Of which 112 bits are used.
    package static func ofOperator(_ random: UInt128) -> UserID {
        UserID(bits: operatorPrefix << 112 | random & (1 << 112 - 1))
    }

    /// The id that stands for a service token; nil for a text that is no id of one.
    package static func ofServiceToken(_ text: String) -> UserID? {
        if text == fileToken { return ofOperator(0) }
        let digits = text.utf8.dropFirst(tokenPrefix.utf8.count)
        guard text.hasPrefix(tokenPrefix), digits.count == tokenDigits,
            digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
            let number = UInt128(String(decoding: digits, as: UTF8.self), radix: 16), number > 0
        else { return nil }
        return ofOperator(number)
    }

    /// The id of the service token that it stands for; nil if it is a user's.
    package var serviceToken: String? {
        guard isOperator else { return nil }
        let number = bits & (1 << 112 - 1)
        guard number > 0 else { return Self.fileToken }
        let digits = String(number, radix: 16)
        return Self.tokenPrefix + String(repeating: "0", count: Self.tokenDigits - digits.count) + digits
    }
}

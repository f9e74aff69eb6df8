/// A user's public identity: `{"id","nickname"}` in every response and event.
public struct Person: Hashable, Sendable, Codable {
    /// Identifier of the user, the same in every room.
    public let id: UserID
    /// At most `nicknameLimit` code points, as `DisplayName` allows them; not unique.
    public let nickname: String

    /// The longest nickname, in code points.
    public static let nicknameLimit = 40

    public init(id: UserID, nickname: String) {
        self.id = id
        self.nickname = nickname
    }
}

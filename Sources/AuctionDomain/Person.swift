/// A person as everybody sees them: `{"id","nickname"}` in every answer and event.
public struct Person: Hashable, Sendable, Codable {
    public let id: UserID
    public let nickname: String

    /// In code points.
    public static let nicknameLimit = 40

    public init(id: UserID, nickname: String) {
        self.id = id
        self.nickname = nickname
    }
}

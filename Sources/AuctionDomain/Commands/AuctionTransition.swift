/// What the caller of a step knows of the room, and why they take it.
package struct AuctionTransition: Hashable, Sendable {
    /// Free text from the caller, at most `reasonLimit` Unicode scalars; nil if none was given.
    package let reason: String?
    /// The state the caller expects; the command is refused if the room is in another one. Nil: any.
    package let expectedState: RoomState?
    /// The round the caller expects; nil: any.
    package let expectedRound: Int?
    /// The item the caller expects; nil: any.
    package let expectedItem: ItemID?

    /// Longest reason, in Unicode scalars; of a retraction too.
    package static let reasonLimit = 500

    package init(
        reason: String? = nil, expectedState: RoomState? = nil, expectedRound: Int? = nil, expectedItem: ItemID? = nil
    ) {
        self.reason = reason
        self.expectedState = expectedState
        self.expectedRound = expectedRound
        self.expectedItem = expectedItem
    }
}

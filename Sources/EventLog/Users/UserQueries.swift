package import AuctionDomain

/// A page of the rooms of one user, newest room first.
package struct UserRoomQuery: Hashable, Sendable {
    /// Which of the user's rooms are listed.
    package enum Selection: Hashable, Sendable {
        /// Rooms of which the user is a member, banned ones left out.
        case memberships
        /// Rooms in whose current round the user has bid, while that round is not over.
        case standingBids
        /// Rooms with a row of the user, as a member, a bidder, or one about whom the host has decided something, and those with a sale to the user, archived ones too.
        case linkable
    }

    /// Identifier of the user whose rooms are listed.
    package let user: UserID
    /// Which of the user's rooms are listed.
    package let selection: Selection
    /// `UserRoomPage.next` of the previous page; nil for the first page.
    package let after: Int64?
    /// Maximum number of rows.
    package let limit: Int

    /// Rooms of the user that one query reads at most; a page may be shorter because of it, and still have a `next`. `linkable` reads
    /// all sales to the user in addition, each of which took a round.
    package static let scanLimit = 2_000

    package init(user: UserID, _ selection: Selection, after: Int64? = nil, limit: Int) {
        (self.user, self.selection, self.after, self.limit) = (user, selection, after, limit)
    }
}

/// A room of a user, with the user's role in it.
package struct UserRoomRow: Hashable, Sendable {
    /// The room, as in lists of rooms.
    package let room: RoomRow
    /// Raw value of the user's `Role`; nil if the user is no member any more, or banned.
    package let role: String?

    package init(room: RoomRow, role: String?) { (self.room, self.role) = (room, role) }
}

/// A page of the rooms of one user.
package struct UserRoomPage: Hashable, Sendable {
    /// At most as many rows as asked for, newest room first.
    package let rows: [UserRoomRow]
    /// The `after` of the next page; nil if there is none.
    package let next: Int64?

    package init(rows: [UserRoomRow], next: Int64?) { (self.rows, self.next) = (rows, next) }

    /// A page from one row more than wanted, if there are that many.
    /// - Parameter scanned: position of the last row of the index that was read, if more may follow; else nil.
    package init(_ rows: [UserRoomRow], limit: Int, scanned: Int64?) {
        let isCut = rows.count > limit
        self.rows = isCut ? Array(rows.prefix(limit)) : rows
        next = isCut ? self.rows.last?.room.position : scanned
    }
}

/// A page of the sales to one user, newest first.
package struct WinQuery: Hashable, Sendable {
    /// Identifier of the buyer whose sales are listed.
    package let user: UserID
    /// Place of the previous page's last row; nil for the first page.
    package let after: WinPlace?
    /// Maximum number of rows.
    package let limit: Int

    package init(user: UserID, after: WinPlace? = nil, limit: Int) {
        (self.user, self.after, self.limit) = (user, after, limit)
    }
}

/// A sale's place in the list of its buyer's sales, ordered by time, room and round.
package struct WinPlace: Hashable, Sendable, Comparable {
    /// `Win.at`, in milliseconds since 1970.
    package let at: Int64
    /// Position of the room in lists.
    package let room: Int64
    /// Round of the room.
    package let round: Int64

    package init(at: Int64, room: Int64, round: Int64) { (self.at, self.room, self.round) = (at, room, round) }

    package static func < (left: Self, right: Self) -> Bool {
        (left.at, left.room, left.round) < (right.at, right.room, right.round)
    }

    /// Greater than every sale's place.
    package static let end = WinPlace(at: .max, room: .max, round: .max)
}

/// A sale, with what lists show of its room.
package struct WinRow: Hashable, Sendable {
    /// What was sold, to whom and for how much.
    package let win: Win
    /// Identifier of the room.
    package let room: RoomID
    /// The room's name.
    package let roomName: String
    /// ISO 4217 code.
    package let currency: String
    /// The row's place in the list.
    package let place: WinPlace

    package init(win: Win, room: RoomID, roomName: String, currency: String, place: WinPlace) {
        self.win = win
        self.room = room
        self.roomName = roomName
        self.currency = currency
        self.place = place
    }
}

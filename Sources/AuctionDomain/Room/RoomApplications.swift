/// The request of a user to bid in a room whose host approves bidders.
package struct BidderApplication: Hashable, Sendable, Codable {
    /// The user, with their nickname at that time.
    package fileprivate(set) var person: Person
    /// When it was made.
    package let at: Timestamp
    /// The seq of the event that made it.
    package let seq: Int
    /// Whether the host has declined it; they may still approve it.
    package var isDeclined: Bool { declinedSeq != nil }
    /// The seq of the event that declined it; nil while it is open.
    package fileprivate(set) var declinedSeq: Int?
    /// What the host gave as the reason for declining it; nil if it is open, or the host gave none.
    package fileprivate(set) var reason: String?

    /// Longest reason, in Unicode scalars.
    package static let reasonLimit = 500
    /// The size of a reason as the room's storage counts it, whatever the reason is: a sum that others see must not tell of it.
    static let reasonBytes = 3000
}

/// The applications of a room that are open or were declined; one that is approved is kept no longer.
package struct RoomApplications: Hashable, Sendable {
    /// The most open ones: while there are as many, no other user applies.
    package static let openLimit = 500
    /// The most declined ones: with one more the one that was declined first is forgotten, and its user may apply again.
    package static let declinedLimit = 200

    private var byUser = UserTable<BidderApplication>()
    /// Number of open ones.
    package private(set) var openCount = 0

    package init() {}

    /// The application of a user; nil if they have none.
    package subscript(user: UserID) -> BidderApplication? { byUser[user] }

    /// The applications of one state, oldest first.
    package func list(isDeclined: Bool) -> [BidderApplication] {
        byUser.values.filter { $0.isDeclined == isDeclined }.sorted { $0.seq < $1.seq }
    }

    var isEmpty: Bool { byUser.count == 0 }
    private var declinedCount: Int { byUser.count - openCount }

    fileprivate mutating func set(_ application: BidderApplication) {
        remove(application.person.id)
        if !application.isDeclined {
            openCount += 1
        } else if declinedCount >= Self.declinedLimit,
            let first = byUser.values.filter(\.isDeclined).min(by: { ($0.declinedSeq ?? 0) < ($1.declinedSeq ?? 0) })
        {
            remove(first.person.id)
        }
        byUser[application.person.id] = application
    }

    @discardableResult
    fileprivate mutating func remove(_ user: UserID) -> BidderApplication? {
        guard let old = byUser[user] else { return nil }
        byUser[user] = nil
        if !old.isDeclined { openCount -= 1 }
        return old
    }
}

extension RoomApplications: Codable {
    /// Decodes a list of applications; of several for one user the last is kept.
    package init(from decoder: any Decoder) throws {
        for application in try [BidderApplication](from: decoder) { set(application) }
    }

    package func encode(to encoder: any Encoder) throws { try byUser.sorted.map(\.value).encode(to: encoder) }
}

/// What happened to an application. An approval is an event of the member: the host gives them a role.
package enum ApplicationEvent: Hashable, Sendable {
    /// The person is private: only they and the host see it.
    case made(Person)
    /// The first person is private, and so is the reason; the second is the host at that time.
    case declined(Person, by: Person, reason: String?)
}

extension Room {
    /// The applications that are open or were declined.
    package var applications: RoomApplications { fields.value.hand?.applications ?? RoomApplications() }

    /// The application of a user; nil if they have none.
    package func application(of user: UserID) -> BidderApplication? { fields.value.hand?.applications?[user] }
}

extension RoomFields {
    mutating func apply(_ happened: ApplicationEvent, in event: Event) {
        switch happened {
        case .made(let person):
            changeApplications { $0.set(BidderApplication(person: person, at: event.at, seq: event.seq)) }
        case .declined(let person, _, let reason):
            changeApplications { applications in
                guard var declined = applications[person.id] else { return }
                // A repeat changes nothing.
                (declined.declinedSeq, declined.reason) = (declined.declinedSeq ?? event.seq, reason)
                applications.set(declined)
            }
        }
    }

    /// The host has decided otherwise about the user: as if they had never applied.
    mutating func endApplication(of user: UserID) {
        if hand?.applications?[user] != nil { changeApplications { $0.remove(user) } }
    }

    /// Who leaves takes their application back; that it was declined is kept.
    mutating func takeApplicationBack(of user: UserID) {
        if hand?.applications?[user]?.isDeclined == false { endApplication(of: user) }
    }

    /// Makes the application of a guest that of the user, unless the user has one or needs none.
    mutating func moveApplication(from guest: UserID, to user: Person) {
        guard hand?.applications != nil else { return }
        changeApplications { applications in
            if var moved = applications.remove(guest), applications[user.id] == nil {
                moved.person = user
                applications.set(moved)
            }
        }
        if let member = members[user.id], member.isBanned || member.isInvited && member.role != .viewer {
            endApplication(of: user.id)
        }
    }

    private mutating func changeApplications(_ change: (inout RoomApplications) -> Void) {
        changeHand { hand in
            // Taken out, so that the change does not copy what nothing else refers to.
            var applications = hand.applications ?? RoomApplications()
            hand.applications = nil
            change(&applications)
            if !applications.isEmpty { hand.applications = applications }
        }
    }
}

/// A user has left the service for good: a pseudonym stands for their nickname from now on, in the room and in its earlier events.
///
/// The first such event of a user changes the room. Others follow while earlier events are rewritten, and the last says that all are.
package struct MemberErased: Hashable, Sendable {
    /// The user with the pseudonym.
    package let person: Person
    /// Earlier events whose bytes are replaced once this event is durable: private; may be empty.
    package let rewritten: [RewrittenEvent]

    package init(_ person: Person, rewritten: [RewrittenEvent] = []) { (self.person, self.rewritten) = (person, rewritten) }
}

/// The bytes that an earlier event has after a nickname in it was replaced.
package struct RewrittenEvent: Hashable, Sendable {
    /// The event's sequence number.
    package let seq: Int
    /// Digest of its bytes in hexadecimal digits.
    package let digest: String

    /// Bytes of one in the private part of its event, at most.
    static let storedBytes = 96

    package init(seq: Int, digest: String) { (self.seq, self.digest) = (seq, digest) }
}

/// Ends what users have in a room, and replaces their nicknames. Only the service makes it, once their tokens are revoked.
package struct EraseMembers: Hashable, Sendable {
    /// A user, and the guests who were linked to them, with the pseudonym; at most `limit`.
    package let people: [Person]
    /// See `MemberErased.rewritten`; at most `rewrittenLimit`.
    package let rewritten: [RewrittenEvent]

    /// The most people of one erasure.
    package static let limit = 64
    /// The most events that one event of an erasure names.
    package static let rewrittenLimit = 128

    package init(_ people: [Person], rewritten: [RewrittenEvent] = []) { (self.people, self.rewritten) = (people, rewritten) }
}

// Folds an erasure. Earlier events have the pseudonym as well once they are rewritten: both ways lead to the same room.
extension RoomFields {
    mutating func apply(_ erased: MemberErased) {
        let person = erased.person
        members.erase(person)
        if host.id == person.id { host = person }
        if bids.contains(bidder: person.id) { bids.rename(person) }
        if let currentBid, currentBid.bidder.id == person.id { self.currentBid = currentBid.placed(by: person) }
        if let item, item.owner.id == person.id { self.item = item.owned(by: person) }
        renameOwner(person)
        changeAbsentees { $0.rename(person) }
        results.move(from: person.id, to: person)
        moveOffers(from: person.id, to: person)
        endApplication(of: person.id)
        if stage.names(person.id) { stage.rename(person) }
        if links.contains(where: { $0.to.id == person.id }) {
            links = links.map {
                $0.to.id == person.id ? RecordedLink(from: $0.from, to: person, seq: $0.seq, won: $0.won) : $0
            }
        }
    }
}

extension Room {
    /// The guests whose part in the room became the user's.
    package func guestsLinked(to user: UserID) -> [UserID] { fields.value.links.filter { $0.to.id == user }.map(\.from) }

    /// The same room with the storage counted in another one. An earlier event that was rewritten counts less for who reads it afterwards.
    package func counting(as other: Room) -> Room {
        var room = self
        room.change { $0.storage = other.storage }
        return room
    }
}

/// A guest turned out to be a user of an identity provider: what the guest had in the room belongs to that user from now on.
///
/// The outcome was decided when the event was made; the fold does not merge the two users' roles and standings again.
package struct MemberLinked: Hashable, Sendable {
    /// The guest, who is no member any more.
    package let from: Person
    /// The user to whom the guest's membership, bids, wins and item belong.
    package let to: Person
    /// The user's role after the link; nil if neither was a member.
    package let role: Role?
    /// The host's decisions about the user after the link. The credit limit is private.
    package let standing: Standing

    package init(from: Person, to: Person, role: Role?, standing: Standing) {
        self.from = from
        self.to = to
        self.role = role
        self.standing = standing
    }
}

/// A link that the room has recorded, for readers of bids in its older events and for the guest's credit.
struct RecordedLink: Hashable, Sendable, Codable {
    let from: UserID
    let to: Person
    /// The seq of the link's event: bids from before it belong to `to`.
    let seq: Int
    /// What the guest had won; it still counts against the guest's credit limit.
    let won: Money
}

extension Room {
    /// Sum of the prices of the items that count against the user's credit limit: what they won in this room, and what they won as a
    /// guest before a link. Otherwise a guest could spend the same limit again after each link.
    func amountOwed(by user: UserID) -> Money {
        fields.value.links.reduce(results.amountWon(by: user)) { $1.from == user ? $0 + $1.won : $0 }
    }

    /// What the user would owe with a bid of at most `liability`. Without the bound of `+`, so that the sum exceeds a limit of the largest
    /// amount, too. It is below 2^54.
    func debt(of user: UserID, with liability: Money) -> Money {
        Money(minorUnits: amountOwed(by: user).minorUnits + liability.minorUnits)
    }

    /// Whether the user was ever linked as a guest.
    package func wasLinked(_ guest: UserID) -> Bool { fields.value.links.contains { $0.from == guest } }

    /// Whether the guest was linked since the current round began.
    func wasLinkedThisRound(_ guest: UserID) -> Bool {
        fields.value.links.contains { $0.from == guest && $0.seq >= fields.value.roundFirstSeq }
    }

    /// The user to whom a bid, a message or a report belongs now.
    /// - Parameters:
    ///   - bidder: As the bid's event has it.
    ///   - seq: The seq of that event.
    package func owner(ofBidBy bidder: Person, at seq: Int) -> Person {
        var owner = bidder
        for link in fields.value.links where link.seq > seq && link.from == owner.id { owner = link.to }
        return owner
    }
}

// Folds a link.
extension RoomFields {
    mutating func apply(_ link: MemberLinked, in event: Event) {
        let (old, own) = (members[link.from.id], members[link.to.id])
        // A ban stays with the guest too, so that the guest's token is no way around it.
        members.remove(link.from.id)
        if let role = link.role {
            // `grantedBy` and `roleSince` are taken from those of both members who have the role already, not from a grant of another role.
            let holders = [own, old].compactMap { $0?.role == role ? $0 : nil }
            let joinedAt = [old, own].compactMap { $0?.joinedAt }.min()
            members.set(
                Member(
                    person: link.to, role: role, grantedBy: holders.lazy.compactMap(\.grantedBy).first,
                    roleSince: holders.map(\.roleSince).min() ?? event.at, joinedAt: joinedAt ?? event.at,
                    standing: link.standing))
            if role == .host { host = link.to }
        } else {
            members.setStanding(of: link.to) { $0 = link.standing }
        }
        members.moveDeparture(from: link.from.id, to: link.to)
        moveBids(link)
        if let item, item.owner.id == link.from.id { self.item = item.owned(by: link.to) }
        if hasLots { changeLots { $0.move(from: link.from.id, to: link.to) } }
        changeAbsentees { $0.move(from: link.from.id, to: link.to) }
        // Like a ban, also where the guest's bids come to a user who was banned before.
        if link.standing.isBanned { voidAbsentees(of: link.to.id, because: .banned) }
        links.append(
            RecordedLink(from: link.from.id, to: link.to, seq: event.seq, won: results.amountWon(by: link.from.id)))
        results.move(from: link.from.id, to: link.to)
        moveReports(from: link.from.id, to: link.to.id)
        moveOffers(from: link.from.id, to: link.to)
        moveApplication(from: link.from.id, to: link.to)
    }

    private mutating func moveBids(_ link: MemberLinked) {
        guard bids.contains(bidder: link.from.id) else { return }
        bids.move(from: link.from.id, to: link.to)
        if let currentBid, currentBid.bidder.id == link.from.id { self.currentBid = currentBid.placed(by: link.to) }
    }
}

extension Bid {
    /// The same bid of another bidder.
    package func placed(by bidder: Person) -> Bid {
        Bid(
            id: id, seq: seq, at: at, amount: amount, bidder: bidder, leading: leading, origin: origin, maximum: maximum,
            beatenMaximum: beatenMaximum, ownAmount: ownAmount)
    }
}

extension AuctionItem {
    func owned(by owner: Person) -> AuctionItem {
        AuctionItem(
            id: id, name: name, description: description, media: media, estimate: estimate, condition: condition, owner: owner,
            rules: rules, lot: lot)
    }
}

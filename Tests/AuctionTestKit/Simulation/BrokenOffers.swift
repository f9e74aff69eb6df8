internal import AuctionDomain

/// How simulated processes offer items of voided sales: as the product does, but for a shorter time, so that offers end within a run;
/// changed by the planted bug, if any.
struct SimulatedOffers: OfferPolicy {
    let bug: SimulationBug?

    /// For this long an offer stands.
    static let life = Seconds(90)

    var life: Seconds { bug == .offerStandsTooLong ? Seconds(120) : Self.life }
    var leastRemaining: Seconds { Seconds(bug == .offerLostInOutage ? 0 : 60) }

    func nextBidder(of row: RoundResult, in room: Room) -> Afterwards.RunnerUp? {
        let next = row.afterwards.runnerUp
        guard bug == .offeredToAnother, let next else { return next }
        let other = room.members.sorted.first { member in
            ![room.host.id, row.seller.id, next.person.id, row.winner?.id].contains(member.person.id) && !member.isBanned
        }
        return other.map { Afterwards.RunnerUp(person: $0.person, amount: next.amount) } ?? next
    }
}

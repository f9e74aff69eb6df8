import AuctionDomain
import AuctionService
import AuctionTestKit
import EventLog

/// Opens a room with a host, an auctioneer, two bidders and a started auction, through the sequencer.
struct Auction {
    static let room = RoomID(bits: 7)
    let host = Person(id: UserID(bits: 1), nickname: "Hana")
    let auctioneer = Person(id: UserID(bits: 2), nickname: "Anna")
    let bidder = Person(id: UserID(bits: 3), nickname: "Xu")
    let rival = Person(id: UserID(bits: 4), nickname: "Yves")

    /// - Parameter item: What is auctioned; nil: `item(biddingSeconds:)`.
    func open(
        _ harness: ServiceHarness, room: RoomID = Self.room, biddingSeconds: Int = 15, item: UploadItem? = nil
    ) {
        let open = OpenRoom(name: "Tonight", currency: .cny, visibility: .public)
        _ = harness.response(to: .openRoom(open), of: room, by: host)
        _ = harness.response(to: .join(JoinRoom(role: nil, inviteCode: nil)), of: room, by: auctioneer)
        _ = harness.response(to: .changeMember(auctioneer.id, MemberChanges(role: .auctioneer)), of: room, by: host)
        for person in [bidder, rival] {
            _ = harness.response(to: .join(JoinRoom(role: .bidder, inviteCode: nil)), of: room, by: person)
        }
        let item = item ?? self.item(biddingSeconds: biddingSeconds)
        _ = harness.response(to: .uploadItem(item), of: room, by: auctioneer)
        _ = harness.response(to: .startAuction(AuctionTransition()), of: room, by: host)
    }

    /// A harness with the opened room.
    func opened(biddingSeconds: Int = 15, limits: ServiceLimits = ServiceLimits()) throws -> ServiceHarness {
        let harness = try ServiceHarness(limits: limits)
        open(harness, biddingSeconds: biddingSeconds)
        return harness
    }

    /// Two nodes over one shared log that have the opened room in memory; each learns of the other's events only when it polls the log
    /// or conflicts.
    func openedNodes(
        biddingSeconds: Int = 15
    ) throws -> (here: ServiceHarness, there: ServiceHarness, clock: HarnessClock) {
        let (here, clock) = try ServiceHarness.onSharedLog()
        open(here, biddingSeconds: biddingSeconds)
        let there = try here.otherNode()
        _ = there.response(to: bid(1), of: Self.room, by: bidder)
        return (here, there, clock)
    }

    func item(biddingSeconds: Int) -> UploadItem {
        let rules = AuctionRules(
            startingPrice: Money(minorUnits: 100), increment: .fixed(Money(minorUnits: 100)), listing: Seconds(0),
            bidding: Seconds(biddingSeconds))
        return UploadItem(name: "Phone", description: "", media: [], rules: rules)
    }

    func bid(_ minorUnits: Int64) -> Command { .placeBid(PlaceBid(amount: Money(minorUnits: minorUnits))) }
}

package import AuctionDomain

// Written by hand from section 3 of the product's specification, never from the responses of the code.
//
// Columns, the progress of the round:
//   empty    preparing, no item          open    auctioning, no bid
//   item     preparing, with an item     bids    auctioning, the leader has bid
//   listing  listing                     paused  paused while auctioning, the leader has bid
//                                        closed  the round is over, sold to the leader
// Rows, kinds of callers: host; owner, the auctioneer whose item is on offer (in `empty`: who would upload it); auctioneer, another
// one; bidder; leader, the bidder whose bid leads where there is one; viewer; muted and banned, two bidders; stranger, not a
// member; others: all that the lines above do not name.
// Headings that follow each other share the lines below. A cell that stands alone is that of every column.
// Cells: ok, or the letter of the rule that refuses. The request is the general one of GET …/permissions, without an amount, a
// target or a bid to retract; no lot is queued.
extension PermissionTable {
    static let text = """
                     empty  item  listing  open  bids  paused  closed

        uploadItem   S=item.not_preparing B=item.banned R=item.not_auctioneer T=item.taken
        owner        ok     ok    S        S     S     S       S
        auctioneer   ok     T     S        S     S     S       S
        banned       B      B     S        S     S     S       S
        others       R      R     S        S     S     S       S

        adjustRules  S=rules.not_preparing B=rules.banned Y=rules.not_yours
        host         ok     ok    S        S     S     S       S
        owner        Y      ok    S        S     S     S       S
        banned       B      B     S        S     S     S       S
        others       Y      Y     S        S     S     S       S

        startAuction S=start.wrong_state H=start.not_host I=start.no_item
        host         I      ok    ok       S     S     S       ok
        others       H      H     H        S     S     S       H

        placeBid     S=bid.not_auctioning M=bid.not_member B=bid.banned V=bid.viewer H=bid.host O=bid.own_item \
        L=bid.already_leading
        host         S      S     S        H     H     S       S
        owner        S      S     S        O     O     S       S
        auctioneer   S      S     S        ok    ok    S       S
        bidder       S      S     S        ok    ok    S       S
        muted        S      S     S        ok    ok    S       S
        leader       S      S     S        ok    L     S       S
        viewer       S      S     S        V     V     S       S
        banned       S      S     S        B     B     S       S
        stranger     S      S     S        M     M     S       S

        retractBid   S=retract.wrong_state H=retract.not_host N=retract.not_latest
        host         S      S     S        N     ok    ok      S
        others       S      S     S        H     H     H       S

        endAuction   S=end.not_auctioning H=end.not_host
        extend       S=extend.not_auctioning H=extend.not_host
        warn         S=warn.not_auctioning H=warn.not_host
        host         S      S     S        ok    ok    S       S
        others       S      S     S        H     H     S       S

        pause        S=pause.not_running H=pause.not_host
        host         S      S     ok       ok    ok    S       S
        others       S      S     H        H     H     S       S

        resume       S=resume.not_paused H=resume.not_host
        host         S      S     S        S     S     ok      S
        others       S      S     S        S     S     H       S

        cancel       S=cancel.not_running H=cancel.not_host B=cancel.has_bids
        host         S      S     ok       ok    B     B       S
        others       S      S     H        H     H     H       S

        setRole      H=role.not_host
        kick         H=kick.not_host
        ban          H=ban.not_host
        mute         H=mute.not_host
        setCreditLimit H=credit.not_host
        removeMessage H=message.not_host
        manageStage  H=stage.not_host
        runSale      H=sale.not_host
        voidResult   H=void.not_host
        host         ok
        others       H

        sendMessage  N=message.not_member B=message.banned M=message.muted
        muted        M
        banned       B
        stranger     N
        others       ok

        configurePermissions S=permission.not_preparing H=permission.not_host
        host         ok     ok    S        S     S     S       S
        others       H      H     S        S     S     S       S

        requestStage N=stage.not_member B=stage.banned H=stage.host
        host         H
        banned       B
        stranger     N
        others       ok

        archiveRoom  H=room.not_host R=room.round_running
        host         ok     ok    R        R     R     R       ok
        others       H

        queueLot     B=lot.banned R=lot.not_auctioneer
        host,owner,auctioneer ok
        banned       B
        others       R

        changeLot    B=lot.change_banned Y=lot.not_yours Q=lot.not_queued
        withdrawLot  B=withdraw.banned Y=withdraw.not_yours Q=withdraw.not_queued
        host,owner,auctioneer Q
        banned       B
        others       Y

        changeAsk    S=ask.wrong_state H=ask.not_host
        host         S      S     S        ok    ok    ok      S
        others       S      S     S        H     H     H       S

        reofferLot   B=reoffer.banned Y=reoffer.not_yours N=reoffer.not_ended
        host,owner,auctioneer N
        banned       B
        others       Y

        placeAbsenteeBid M=absentee.not_member B=absentee.banned R=absentee.not_bidder Q=absentee.not_queued
        host,viewer  R
        banned       B
        stranger     M
        others       Q

        withdrawAbsenteeBid U=absentee.used
        others       U

        placeFloorBid S=floor.not_auctioning F=bid.floor_off R=floor.not_auctioneer
        host         S      S     S        F     F     S       S
        owner        S      S     S        F     F     S       S
        auctioneer   S      S     S        F     F     S       S
        others       S      S     S        R     R     S       S

        reportMessage N=report.not_member B=report.banned
        banned       B
        stranger     N
        others       ok

        decideApplication H=application.not_host
        host         ok     ok    ok       ok    ok    ok      ok
        others       H      H     H        H     H     H       H

        answerOffer  B=offer.banned N=offer.not_yours
        banned       B
        others       N
        """
}

// Differences of the formats from the general table; written by hand from section 4 of the specification.
extension PermissionTable {
    /// The formats in which tests check the table.
    package static let formats: [AuctionFormatName] = [.english, .dutch, .sealedFirstPrice, .vickrey]

    /// The situations that can occur in a format: the first Dutch bid closes its round, so `bids` cannot.
    package static func situations(of format: AuctionFormatName) -> [Situation] {
        format == .dutch ? Situation.allCases.filter { $0 != .bids } : Situation.allCases
    }

    /// The specification's table for one format.
    /// - Throws: `PermissionTableError` if the text is malformed.
    package static func specified(for format: AuctionFormatName) throws -> PermissionTable {
        let general = try specified()
        let known = situations(of: format)
        let changed = differences(of: format)
        return PermissionTable(
            cells: general.cells.filter { known.contains($0.situation) }.map { cell in
                guard
                    let rule = changed.first(where: { $0.0 == cell.action && $0.1 == cell.callerKind && $0.2 == cell.situation }
                    )
                else { return cell }
                return Cell(action: cell.action, situation: cell.situation, callerKind: cell.callerKind, rule: rule.3)
            })
    }

    private static func differences(of format: AuctionFormatName) -> [(RoomAction, CallerKind, Situation, String?)] {
        switch format {
        // While bids are sealed there is no leader, and each bidder may raise their own bid.
        case .sealedFirstPrice, .vickrey:
            [(.placeBid, .leader, .bids, nil)]
                + [.open, .bids, .paused].map { (.changeAsk, .host, $0, "ask.not_english") }
        // A paused Dutch round has no bid, so nothing can be retracted and it may be cancelled.
        // Nor has it a countdown.
        case .dutch:
            [
                (.retractBid, .host, .paused, "retract.not_latest"), (.cancel, .host, .paused, nil),
                (.extend, .host, .open, "extend.no_countdown"),
            ] + [.open, .paused].map { (.changeAsk, .host, $0, "ask.not_english") }
        default: []
        }
    }

    /// Auction rules in the format, with a starting price of 100.00.
    package static func rules(of format: AuctionFormatName) -> AuctionRules {
        let isDutch = format == .dutch
        return AuctionRules(
            startingPrice: Money(minorUnits: 10000), increment: .fixed(Money(minorUnits: 1000)),
            floorPrice: isDutch ? Money(minorUnits: 1000) : nil, dutchTick: isDutch ? Seconds(60) : nil, format: format)
    }
}

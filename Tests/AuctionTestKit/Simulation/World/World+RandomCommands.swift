internal import AuctionDomain
internal import AuctionService

// Random commands of every kind, permitted or not.
extension World {
    func randomCommand(_ clientView: ClientView, _ person: Person, _ host: Person, _ room: RoomID) -> (Command, Person) {
        let other = work.pick(people).id
        let master = work.once(in: 3) ? person : host
        if let decided = application(person, host, room) { return decided }
        switch work.roll(1...38) {
        case 1...2: return (.sendMessage(message()), person)
        case 3: return (.linkGuest(work.pick(people)), person)
        case 4...7:
            let step = work.once(in: 3) ? .ask(ask(clientView)) : work.pick(AuctionStep.simulated)
            return (.auction(step, AuctionTransition(reason: "Rain.")), master)
        case 8...10:
            guard let bid = clientView.latestBid, !clientView.bids.isEmpty else { return (.sendMessage(message()), person) }
            return (.retractBid(work.once(in: 3) ? work.pick(clientView.bids) : bid, reason: "A slip."), master)
        case 11: return (join(room, as: work.pick([.viewer, .bidder, nil])), person)
        case 12: return work.once(in: 3) ? (.leave, person) : (.kick(other), master)
        case 13: return (.changeMember(other, MemberChanges(isMuted: work.once(in: 2))), master)
        case 14: return (.changeMember(other, MemberChanges(isBanned: work.once(in: 3))), master)
        case 15:
            let limit: Money?? = work.once(in: 4) ? .some(nil) : money(clientView.minimum + work.amount(-500...5000))
            return (.changeMember(other, MemberChanges(creditLimit: limit)), master)
        case 16: return (.changeMember(other, MemberChanges(role: work.pick([.viewer, .bidder, .auctioneer]))), master)
        case 17: return (rule(), master)
        case 18:
            guard let item = clientView.item else { return (.uploadItem(item()), person) }
            return (.adjustRules(item, patch()), work.once(in: 2) ? person : host)
        case 19:
            guard let id = clientView.messages.last else { return (.sendMessage(message()), person) }
            guard work.once(in: 3) else { return (.removeMessage(id), master) }
            return (.reportMessage(id, reason: work.once(in: 2) ? "An insult." : nil), person)
        case 20: return (.uploadItem(item()), person)
        case 21: return (.startAuction(AuctionTransition()), person)
        case 22: return work.once(in: 6) ? (.archiveRoom, master) : (.sendMessage(message()), person)
        case 33...35: return (void(clientView), work.once(in: 4) ? person : host)
        case 36...38: return answer(clientView, person) ?? (void(clientView), host)
        case 23...26: return stage(clientView, person, other, host)
        case 27...28: return absentee(clientView, person) ?? (queueLot(), master)
        default: return (lot(clientView) ?? saleCommand(), work.once(in: 4) ? person : host)
        }
    }

    /// An answer to an offer, perhaps by another user than its bidder; nil without an offer.
    private func answer(_ clientView: ClientView, _ person: Person) -> (Command, Person)? {
        guard let offer = clientView.offers.last else { return nil }
        let bidder = people.first { $0.id.description == offer.to } ?? person
        return (.result(.answer(offer.id, accepts: !work.once(in: 3))), work.once(in: 3) ? person : bidder)
    }

    /// The host approves or declines a user, who perhaps has not applied. More often where bugs of applications are looked for.
    private func application(_ person: Person, _ host: Person, _ room: RoomID) -> (Command, Person)? {
        let isWanted = options.bug?.isOfApplications == true
        guard work.once(in: isWanted ? 4 : 30) else { return nil }
        if isWanted && work.once(in: 2) { return (join(room, as: .bidder), person) }
        let (applicant, decider) = (work.pick(people), work.once(in: 8) ? work.pick(people) : host)
        let limit = work.once(in: 3) ? money(work.amount(500...9000)) : nil
        return work.once(in: 3)
            ? (.application(.decline(applicant.id, reason: work.once(in: 2) ? "Not yet." : nil)), decider)
            : (.application(.approve(applicant.id, creditLimit: limit)), decider)
    }

    private func void(_ clientView: ClientView) -> Command {
        let round = max(1, clientView.round - work.roll(0...2))
        return .result(.void(round: round, reason: "Not paid.", offersNext: !work.once(in: 3)))
    }

    /// From a unit below the price, perhaps above the buy-now price.
    private func ask(_ clientView: ClientView) -> AskChange {
        work.once(in: 3) ? .increment(increment()) : .nextMinimum(money(max(1, clientView.minimum + work.amount(-250...900))))
    }

    private func lot(_ clientView: ClientView) -> Command? {
        guard let id = clientView.lots.isEmpty ? nil : work.pick(clientView.lots) else {
            return work.once(in: 3) ? nil : queueLot()
        }
        switch work.roll(1...11) {
        case 1...2: return queueLot()
        case 3: return importLots(work.roll(2...5))
        case 4: return .withdrawLot(id, reason: nil)
        case 5:
            var changes = LotChanges()
            changes.rules = patch()
            return .changeLot(id, changes)
        case 6:
            var changes = LotChanges()
            changes.target = work.once(in: 3) ? .end : .before(work.pick(clientView.lots))
            if work.once(in: 3) { changes.rules = patch() }
            return .changeLot(id, changes)
        case 7...8: return .reofferLot(id, work.once(in: 3) ? patch() : nil)
        default: return nil
        }
    }

    /// On any lot that there ever was, and by persons who may not.
    private func absentee(_ clientView: ClientView, _ person: Person) -> (Command, Person)? {
        guard !clientView.lots.isEmpty else { return nil }
        let lot = work.pick(clientView.lots)
        if work.once(in: 4) { return (.absentee(.withdraw(lot)), person) }
        return (.absentee(.place(lot, maximum: money(work.amount(100...6000)))), person)
    }

    private func queueLot() -> Command {
        .queueLot(QueueLot(item: item(), reference: work.once(in: 2) ? "A\(work.roll(1...30))" : nil))
    }

    /// Rows with the references of some lots that may be there, with others, and without.
    func importLots(_ count: Int) -> Command {
        let rows = (1...count).map { line in
            let item = item(number: line)
            return ImportLots.Row(
                line: line, lot: QueueLot(item: item, reference: work.once(in: 3) ? nil : "A\(line * 6 + work.roll(0...5))"))
        }
        return .importLots(ImportLots(rows: rows))
    }

    private func saleCommand() -> Command {
        switch work.roll(1...8) {
        case 1...3:
            let start =
                work.once(in: 2)
                ? now(nodes[0]).wall.advanced(byMilliseconds: Int64(work.roll(1...60)) * 1000) : nil
            let sale = Sale(
                mode: work.once(in: 5) ? .manual : .automatic, pause: Seconds(work.pick([0, 0, 1, 5, 20])), startsAt: start,
                premium: work.once(in: 3) ? Premium(rawValue: 1250) : nil, isAttended: work.once(in: 2))
            return .sale(.configure(sale))
        case 4...7: return .sale(.start)
        default: return .sale(.stop)
        }
    }

    private func stage(_ clientView: ClientView, _ person: Person, _ other: UserID, _ host: Person) -> (Command, Person) {
        let role = work.pick(StageRole.allCases)
        let actor = work.once(in: 2) ? person : host
        guard let id = clientView.stages.last, !work.once(in: 3) else {
            return work.once(in: 2) ? (.stage(.request(role)), person) : (.stage(.invite(other, role)), host)
        }
        switch work.roll(1...8) {
        case 1...3: return (.stage(.accept(id)), actor)
        case 4...5: return (.stage(.confirm(id)), actor)
        case 6: return (.stage(work.pick([.decline(id), .cancel(id), .fail(id)])), actor)
        case 7: return (.stage(work.once(in: 2) ? .leave : .seatMember(other, role)), work.once(in: 2) ? person : host)
        default:
            let seat = work.roll(1...3)
            return (
                .stage(
                    work.pick([.closeSeat(seat), .muteSeat(seat), .clearSeat(seat), .moveSeat(seat, to: work.roll(1...4))])),
                actor
            )
        }
    }

    private func message() -> String {
        let number = transcript.requests.count
        return work.once(in: 15) ? "\(SimulatedLog.poison) \(number)" : "Message \(number)"
    }

    private func rule() -> Command {
        let ids = [
            "bid.viewer", "bid.host", OptionalRule.newMember, OptionalRule.notApproved, "bid.own_item", "bid.below_minimum",
            "bid.floor_off",
            "no.such_rule",
        ]
        let (id, priority) = (work.pick(ids), work.roll(0...120))
        return .configureRule(
            ConfigureRule(rule: id, isEnabled: work.once(in: 2), priority: work.once(in: 2) ? priority : nil))
    }

    private func patch() -> RulesPatch {
        var patch = RulesPatch()
        if work.once(in: 2) { patch.bidding = Seconds(work.roll(2...25)) }
        if work.once(in: 2) { patch.countdown = work.pick(Countdown.allCases) }
        if work.once(in: 3) { patch.startingPrice = money(work.amount(100...3000)) }
        if work.once(in: 3) { patch.reservePrice = work.once(in: 3) ? .some(nil) : money(work.amount(100...5000)) }
        return patch
    }

    func item(number: Int = 0) -> UploadItem {
        UploadItem(name: "Vase \(transcript.requests.count).\(number)", description: "Blue.", media: [], rules: rules())
    }

    private func rules() -> AuctionRules {
        let start = work.amount(100...3000)
        let (listing, short) = (work.pick([0, 0, 1, 3, 5]), work.roll(2...20))
        // Some countdowns are so long that a service that starts leaves their rooms out of memory.
        let bidding = short > 18 ? 75 * (short - 17) : short
        let tie: TiePolicy = work.once(in: 2) ? .draw : .earliest
        let reserve = work.once(in: 2) ? money(start + work.amount(0...2500)) : nil
        switch work.roll(1...10) {
        case 1:
            return AuctionRules(
                startingPrice: money(start + 800), increment: .fixed(money(work.amount(90...300))), floorPrice: money(start),
                listing: Seconds(listing), dutchTick: Seconds(work.roll(1...4)), format: .dutch)
        case 2...4:
            return AuctionRules(
                startingPrice: money(start), increment: .fixed(money(100)), reservePrice: reserve, listing: Seconds(listing),
                bidding: Seconds(bidding), format: work.once(in: 2) ? .vickrey : .sealedFirstPrice, tie: tie)
        default:
            let buyNow = work.once(in: 3) ? (reserve ?? money(start)) + money(work.amount(0...4000)) : nil
            return AuctionRules(
                startingPrice: money(start), increment: increment(), reservePrice: reserve, buyNowPrice: buyNow,
                listing: Seconds(listing), bidding: Seconds(bidding), countdown: work.pick(Countdown.allCases),
                extendWindow: Seconds(work.roll(1...8)), extendBy: Seconds(work.roll(1...8)),
                maxDuration: work.once(in: 3) ? Seconds(work.roll(5...60)) : nil)
        }
    }

    private func increment() -> Increment {
        switch work.roll(1...3) {
        case 1: return .percent(basisPoints: work.roll(1...20) * 100)
        case 2:
            var (from, step): (Int64, Int64) = (0, 0)
            return .tiers(
                (0..<3).map { _ in
                    defer { from += work.amount(100...1500) }
                    step += work.amount(10...90)
                    return Increment.Tier(from: Money(minorUnits: from), step: money(step))
                })
        default: return .fixed(money(work.amount(10...200)))
        }
    }
}

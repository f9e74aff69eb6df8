internal import AuctionDomain
internal import AuctionService
internal import EventLog

// Sales: a queue and a schedule in some runs, and crashes between a close and the next lot.
extension World {
    /// In some runs: queues lots, and configures a sale that begins now or later; in some of these the host leaves without a successor.
    func openSale(in room: RoomID) {
        let (isSale, count, starts, pause) = (
            sales.once(in: 4), sales.roll(2...7), sales.once(in: 2), sales.pick([0, 1, 3, 10])
        )
        let (delay, hostLeaves, leaving) = (sales.amount(2000...40_000), sales.once(in: 3), sales.amount(1000...60_000))
        let isAttended = sales.once(in: 2)
        // Bugs of absentee bids are looked for where there are many.
        let wantsAbsenteeBids = options.bug?.isOfAbsentees == true
        guard isSale || wantsAbsenteeBids else { return }
        if sales.once(in: 3) { ask(importLots(count), of: room, by: people[1]) }
        for number in 0..<count {
            ask(.queueLot(QueueLot(item: lotItem(), reference: "B\(number)")), of: room, by: people[number % 3])
        }
        advance(to: time + 10)
        if sales.once(in: 3) || wantsAbsenteeBids { placeAbsenteeBids(in: room, isOften: wantsAbsenteeBids) }
        let start = starts ? now(nodes[0]).wall.advanced(byMilliseconds: delay) : nil
        let sale = Sale(mode: .automatic, pause: Seconds(pause), startsAt: start, isAttended: isAttended)
        ask(.sale(.configure(sale)), of: room, by: people[0])
        advance(to: time + 10)
        if start == nil { ask(.sale(.start), of: room, by: people[0]) }
        advance(to: time + 10)
        guard hostLeaves else { return }
        for person in people[1...2] { ask(.changeMember(person.id, MemberChanges(role: .bidder)), of: room, by: people[0]) }
        advance(to: time + 10)
        ask(.leave, of: room, by: people[0], in: leaving)
    }

    /// People leave bids on the lots that wait, change some, and take some back; one of them may leave or be banned before the sale.
    ///
    /// - Parameter isOften: Many bids, also of the same amount; each lot has one that is taken back late, and a bidder has left.
    private func placeAbsenteeBids(in room: RoomID, isOften: Bool) {
        let lots = readers.first { $0.room == room }?.clientView.lots ?? []
        let bidders = Array(people.dropFirst(3))
        for lot in lots {
            for _ in 0..<(isOften ? 4 : sales.roll(0...4)) {
                let person = isOften ? sales.pick(bidders) : sales.pick(people)
                let maximum = isOften ? sales.pick([3000, 5000]) : sales.amount(300...7000)
                ask(.absentee(.place(lot, maximum: money(maximum))), of: room, by: person)
                if sales.once(in: 8) { ask(.absentee(.withdraw(lot)), of: room, by: person, in: 5) }
            }
            if isOften { ask(.absentee(.withdraw(lot)), of: room, by: sales.pick(bidders), in: sales.amount(2000...60_000)) }
        }
        changeFormats(of: lots, in: room)
        advance(to: time + 20)
        let (gone, isBanned) = (sales.pick(bidders), sales.once(in: 2))
        guard sales.once(in: 3) || isOften else { return }
        if isBanned {
            ask(.changeMember(gone.id, MemberChanges(isBanned: true)), of: room, by: people[0])
            ask(.changeMember(gone.id, MemberChanges(isBanned: false)), of: room, by: people[0], in: 10)
        } else {
            ask(.leave, of: room, by: gone)
            ask(join(room, as: .bidder), of: room, by: gone, in: 10)
        }
        advance(to: time + 20)
    }

    /// In some sales a lot becomes another format's after bids were left on it, and a bidder may not bid any more, at some time.
    private func changeFormats(of lots: [LotID], in room: RoomID) {
        // Of its own, so that the rest of the run is what it would be without.
        var choices = SeededGenerator(seed: options.seed ^ 0xF0)
        if let lot = lots.last, choices.once(in: 3) {
            var changes = LotChanges()
            changes.rules = RulesPatch()
            changes.rules?.format = choices.pick([.vickrey, .sealedFirstPrice, .english])
            ask(.changeLot(lot, changes), of: room, by: people[0], in: 10)
        }
        guard options.bug?.isOfSealedAbsentees == true || choices.once(in: 3) else { return }
        for _ in 0..<3 {
            let gone = choices.pick(Array(people.dropFirst(3)))
            let limit = money(choices.amount(500...4000))
            let changes = choices.once(in: 2) ? MemberChanges(isBanned: true) : MemberChanges(creditLimit: limit)
            ask(.changeMember(gone.id, changes), of: room, by: people[0], in: choices.amount(30...60_000))
        }
    }

    /// An item, with sealed bids if a bug needs them.
    private func lotItem() -> UploadItem {
        let item = item()
        guard options.bug?.isOfSealedAbsentees == true else { return item }
        let start = min(item.rules.startingPrice, money(2000))
        let rules = AuctionRules(
            startingPrice: start, increment: .fixed(money(100)), listing: Seconds(1), bidding: Seconds(20),
            format: .sealedFirstPrice)
        return UploadItem(name: item.name, description: item.description, media: [], rules: rules)
    }

    /// Sometimes a process dies when it has closed a lot and before it has begun the next one.
    func crashAfterClose(_ appends: [RoomAppend], of node: SimulatedNode) {
        guard
            appends.contains(where: { append in append.events.contains { $0.type == "item.sold" || $0.type == "item.passed" } })
        else { return }
        let (dies, length) = (sales.once(in: 10), sales.amount(1...30_000))
        // In an idle period heartbeats are rare, so that a crash would look like an outage.
        guard dies, !isFaultFree, time >= idleUntil, options.faults.contains(.crash) else { return }
        crash(node.name.node, for: length)
    }

    /// Whether the room waits for the next lot of its sale.
    func isBetweenLots(_ room: RoomID) -> Bool {
        let last = log.history(of: room).last {
            $0.type == "state.changed" || $0.type.hasPrefix("item.") || $0.type == "sale.stopped"
        }
        return last?.type == "item.sold" || last?.type == "item.passed"
    }

    /// Whether the last that happened to an offer is that one was made.
    func hasOffer(_ room: RoomID) -> Bool {
        log.history(of: room).last { $0.type.hasPrefix("offer.") }?.type == "offer.made"
    }

    /// Whether the room waits for the start of its sale.
    func isScheduled(_ room: RoomID) -> Bool {
        log.history(of: room).last { $0.type.hasPrefix("sale.") }?.type == "sale.starting"
    }
}

internal import AuctionDomain
internal import AuctionService

// Client commands: mostly those that advance an auction, sometimes random ones.
extension World {
    /// Opens the first room with members, an item and a started auction, without faults.
    func settle() {
        advance(to: 10)
        open()
        addFeedReaders()
        advance(to: time + 10)
        guard let room = transcript.rooms.first else { return }
        for (number, person) in people.enumerated().dropFirst() where number != people.count - 1 {
            ask(join(room, as: number == people.count - 2 ? .viewer : .bidder), of: room, by: person)
        }
        advance(to: time + 10)
        for person in people[1...2] {
            ask(.changeMember(person.id, MemberChanges(role: .auctioneer)), of: room, by: people[0])
        }
        advance(to: time + 10)
        ask(.uploadItem(item()), of: room, by: people[1])
        advance(to: time + 50)
        if options.bug?.isOfApplications == true {
            let rule = ConfigureRule(rule: OptionalRule.notApproved, isEnabled: true, priority: nil)
            ask(.configureRule(rule), of: room, by: people[0])
            advance(to: time + 10)
        }
        ask(.startAuction(AuctionTransition()), of: room, by: people[0])
        advance(to: time + 10)
        openSale(in: room)
        isFaultFree = false
    }

    /// One step: time passes, faults may be injected, and a client sends a command.
    func act() {
        if step == idleStep { passIdlePeriod() }
        let (kind, short, usual, long) = (
            work.roll(1...20), work.amount(0...60), work.amount(50...1200), work.amount(2000...12_000)
        )
        advance(to: time + (kind <= 12 ? short : kind <= 19 ? usual : long))
        injectFaults()
        let opens = work.once(in: 30)
        if opens, transcript.rooms.count < options.rooms { return open() }
        let room = work.pick(transcript.rooms)
        let clientViews = readers.filter { $0.room == room && transcript.subscriptions[$0.subscription].start == 0 }
        let (joinsLate, late) = (work.once(in: 40), work.pick(people))
        if joinsLate, let view = nodes[0].rooms[room]?.view { addReader(late, of: room, after: view.room.seq) }
        let person = work.pick(people)
        let clientView = work.pick(clientViews).clientView
        guard clientView.isOpen else { return }
        let (command, caller) = choose(clientView, person, room)
        let (hasKey, reuses) = (work.once(in: 2), work.once(in: 25))
        let key = hasKey ? key(reuses: reuses, in: room) : nil
        ask(command, of: room, by: caller, key: key, in: arrival(of: command, clientView))
    }

    private func open() {
        // The service's identifiers begin with the time; these need only be distinct.
        let room = RoomID(bits: UInt128(1_767_225_600_000) << 80 | UInt128(work.word()))
        transcript.rooms.append(room)
        let host = transcript.rooms.count == 1 ? people[0] : work.pick(people)
        let isHidden = habits.once(in: 4)
        let command = Command.openRoom(OpenRoom(name: "Lot", currency: .cny, visibility: isHidden ? .private : .public))
        ask(command, of: room, by: host, key: work.once(in: 2) ? key(reuses: false, in: room) : nil)
        for person in [host, people[people.count - 2], people[people.count / 2]] { addReader(person, of: room) }
    }

    private func key(reuses: Bool, in room: RoomID) -> IdempotencyKey {
        let number = transcript.requests.count
        let used = transcript.requests.last { $0.room == room && $0.key != nil }?.key
        // Sometimes reuses a key with another body.
        return IdempotencyKey(
            key: reuses ? used?.key ?? UInt128(number) : UInt128(number) << 64 | UInt128(options.seed),
            fingerprint: UInt64(number))
    }

    /// Delay until a bid arrives: some bids aim at the countdown's deadline; nil for the usual latency.
    private func arrival(of command: Command, _ clientView: ClientView) -> Int64? {
        let (aims, spread) = (work.once(in: 5), work.amount(-2...2))
        guard aims, case .placeBid = command, let end = clientView.endsAt else { return nil }
        let wait = clocks[0].time(of: end, from: time) - time + spread
        return (1...20_000).contains(wait) ? wait : nil
    }

    private func choose(_ clientView: ClientView, _ person: Person, _ room: RoomID) -> (Command, Person) {
        let host = people.first { $0.id.description == clientView.host } ?? people[0]
        let choice = work.roll(1...100)
        if choice <= 18 { return randomCommand(clientView, person, host, room) }
        let isMember = clientView.members.contains(person.id.description)
        if !isMember, choice <= 60 { return (join(room, as: .bidder), person) }
        switch clientView.state {
        case "preparing":
            let auctioneers = people.filter { clientView.auctioneers.contains($0.id.description) }
            if work.once(in: 8) {
                return (.configureRule(ConfigureRule(rule: "bid.floor_off", isEnabled: false, priority: nil)), host)
            }
            if clientView.item != nil { return (.startAuction(AuctionTransition()), host) }
            guard let auctioneer = auctioneers.first else {
                return (.changeMember(person.id, MemberChanges(role: .auctioneer)), host)
            }
            return (.uploadItem(item()), auctioneer)
        case "listing":
            let listed = AuctionTransition(expectedState: .listing, expectedItem: clientView.item)
            return choice <= 60 ? (.startAuction(listed), host) : (bid(clientView), person)
        case "paused": return choice <= 70 ? (.resume(AuctionTransition()), host) : (bid(clientView), person)
        case "closed":
            // The guest who has won turns out to be a user of an identity provider.
            if choice > 96, let winner = people.first(where: { $0.id.description == clientView.leader }) {
                return (.linkGuest(winner), person)
            }
            return choice <= 75
                ? (.startAuction(AuctionTransition(expectedRound: clientView.round)), host) : (bid(clientView), person)
        default:
            // A ban ends the leader's maximum, and the host may take any of their bids back.
            guard choice == 100, let leader = clientView.leader.flatMap({ UserID($0) }) else {
                if work.once(in: 10) { return (floorBid(clientView), enters(clientView, person, host)) }
                return (bid(clientView), person)
            }
            return (.changeMember(leader, MemberChanges(isBanned: true)), host)
        }
    }

    func bid(_ clientView: ClientView) -> Command {
        let near = max(1, clientView.minimum)
        let (more, less, top) = (work.amount(0...400), work.amount(1...50), work.amount(0...3000))
        switch work.roll(1...12) {
        case 1: return .placeBid(PlaceBid(amount: money(near - less)))
        case 2...4: return .placeBid(PlaceBid(amount: money(near + more), maximum: money(near + more + top)))
        case 5: return .placeBid(PlaceBid(amount: nil, maximum: money(near + top)))
        case 6: return .placeBid(PlaceBid(amount: money(near + more), round: clientView.round, item: clientView.item))
        case 7: return .placeBid(PlaceBid(amount: money(near + top), maximum: money(near + more)))
        default: return .placeBid(PlaceBid(amount: money(near + (work.once(in: 2) ? 0 : more)), item: clientView.item))
        }
    }

    /// Who enters a floor bid: the host as a rule, or an auctioneer, who may own the item, or a person who may not enter any.
    private func enters(_ clientView: ClientView, _ person: Person, _ host: Person) -> Person {
        let auctioneers = people.filter { clientView.auctioneers.contains($0.id.description) }
        if work.once(in: 2) { return host }
        return work.once(in: 4) || auctioneers.isEmpty ? person : work.pick(auctioneers)
    }

    private func floorBid(_ clientView: ClientView) -> Command {
        let amount = max(1, clientView.minimum) + work.amount(-50...400)
        return .placeFloorBid(
            PlaceBid(amount: money(amount), item: clientView.item), paddle: work.once(in: 3) ? nil : String(work.roll(1...300)))
    }

    func money(_ units: Int64) -> Money { Money(minorUnits: max(1, units)) }
}

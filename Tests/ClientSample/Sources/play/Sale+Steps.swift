import AuctionClient

extension Sale {
    func play() async throws {
        for bidder in bidders { try await room(of: bidder).join(as: .bidder) }
        try await room(of: auctioneer).join()
        var changes = MemberChanges()
        changes.role = .auctioneer
        let member = try await room(of: host).change(member: auctioneer.person.id, changes)
        try check(member.role == .auctioneer, "the role is \(String(describing: member.role))")
        try await compare("joined")
        let item = try await room(of: auctioneer).uploadItem(NewItem(name: "Teapot", rules: try rules))
        try await compare("uploaded")
        var patch = NewRules(startingPrice: nil)
        patch.increment = .percent("7.5")
        if format != .dutch { try await room(of: auctioneer).adjustRules(patch, ofItem: item.id) }
        try await compare("adjusted")
        try await refusals()
        try await room(of: host).start(expecting: .init(phase: .preparing, round: 1))
        try await compare("started")
        while try await room(of: host).read().phase == .listing {}
        try await compare("opened")
        try await room(of: host).pause(reason: "tea", expecting: .init(round: 1))
        try await compare("paused")
        try await room(of: host).resume(expecting: .init(round: 1))
        try await compare("resumed")
        switch format {
        case .english: try await english()
        case .dutch: try await dutch()
        default: try await sealed()
        }
        try await compare("closed")
        try await lists()
        try await accounts()
        try await room(of: host).start(expecting: .init(phase: .closed, round: 1))
        try await compare("next round")
        try await room(of: host).archive()
        try await end()
    }

    private func refusals() async throws {
        guard case .refused(let refusal) = await room(of: bidders[0]).placeBid(try euros("100"), round: 1) else {
            throw CheckFailed(text: "a bid while preparing is not refused")
        }
        try check(refusal.refusal.code == .bidNotAuctioning, "\(refusal)")
        try check(refusal.refusal.problem.requestId != nil && refusal.receipt != nil, "\(refusal)")
        do {
            try await room(of: bidders[0]).start()
            throw CheckFailed(text: "a bidder starts")
        } catch AuctionError.refused(let refusal) {
            try check(refusal.code == "start.not_host" && refusal.allowedActions != nil, "\(refusal)")
        }
        let denial = try await room(of: bidders[0]).denial(of: .placeBid, amount: try euros("100"))
        try check(denial?.category == .state, "\(String(describing: denial))")
    }

    private func english() async throws {
        let (cy, di) = (room(of: bidders[0]), room(of: bidders[1]))
        guard case .refused(let refusal) = await cy.placeBid(try euros("99.99")) else {
            throw CheckFailed(text: "99.99 is accepted")
        }
        try check(refusal.requiredAmount == (try euros("100")), "\(refusal)")
        guard case .leading(let first) = await cy.placeBid(try euros("100"), maximum: try euros("200")) else {
            throw CheckFailed(text: "the first bid does not lead")
        }
        try check(first.currentPrice == (try euros("110")) && first.bid.maximum == (try euros("200")), "\(first)")
        try await compare("first bid")
        let standing = try await all(bidders[0].client.myBids())
        try check(standing.map(\.standing) == [.leading] && standing[0].maximum == (try euros("200")), "\(standing)")
        guard case .outbid(let beaten) = await di.placeBid(try euros("150")) else {
            throw CheckFailed(text: "150 is not outbid")
        }
        try check(beaten.bid.wasLeading == false && beaten.nextMinimum != nil, "\(beaten)")
        try await compare("outbid")
        guard case .leading(let second) = await di.placeBid(try euros("300")) else {
            throw CheckFailed(text: "300 does not lead")
        }
        try await compare("leading")
        try await room(of: host).retractBid(second.bid.id, reason: "a slip & a finger")
        try await compare("retracted")
        guard case .leading(let bought) = await di.placeBid(try euros("1000")) else {
            throw CheckFailed(text: "1000 does not buy")
        }
        try check(bought.phase == .closed, "\(bought)")
    }

    private func dutch() async throws {
        while try await room(of: host).read().currentPrice != euros("90") {}
        try await compare("dropped")
        guard case .leading(let bought) = await room(of: bidders[0]).placeBid(try euros("100")) else {
            throw CheckFailed(text: "the Dutch bid does not buy")
        }
        try check(bought.phase == .closed, "\(bought)")
    }

    private func sealed() async throws {
        for (bidder, amount) in zip(bidders, ["150", "140"]) {
            guard case .sealed(let bid) = await room(of: bidder).placeBid(try euros(amount)) else {
                throw CheckFailed(text: "the sealed bid is not accepted")
            }
            try check(bid.bid.amount == (try euros(amount)), "\(bid)")
            try await compare("sealed bid")
        }
        try await room(of: host).end(expecting: .init(round: 1))
    }

    private func lists() async throws {
        let bids = try await all(room(of: bidders[0]).bids(pageSize: 1))
        try check(!bids.isEmpty && bids.allSatisfy { ["Cy", "Di"].contains($0.bidder.nickname) }, "\(bids)")
        let members = try await all(room(of: host).members(pageSize: 1)).map(\.user.nickname)
        try check(members.sorted() == ["Ann", "Bo", "Cy", "Di"], "\(members)")
        let results = try await all(room(of: host).results())
        try check(results.map(\.itemName) == ["Teapot"] && results[0].outcome.sale != nil, "\(results)")
        let rooms = try await all(host.client.rooms(pageSize: 1)).count { $0.id == id }
        try check(rooms == 1, "the room is listed \(rooms) times")
        let message = try await room(of: bidders[0]).sendMessage("well done")
        try await room(of: bidders[1]).reportMessage(message, reason: "Too loud.")
        let reports = try await all(room(of: host).reports(pageSize: 1))
        try check(reports.map(\.message.id) == [message] && reports[0].reporter.nickname == "Di", "\(reports)")
        try check(reports[0].message.text == "well done" && reports[0].reason == "Too loud.", "\(reports)")
        try check(try await room(of: host).read().reports == 1, "the host is shown no report")
        try await room(of: host).removeMessage(message)
        let request = try await room(of: bidders[1]).requestStage(as: .bidder)
        try check(request.origin == "request" && request.state == "requested", "\(request)")
        try await room(of: host).stage(.accept, request.id)
        try await room(of: bidders[1]).stage(.confirm, request.id)
        try await room(of: bidders[1]).moveSeat(1, to: 3)
        let seat = try await room(of: host).stage().seats.first { $0.occupant?.nickname == "Di" }
        try check(
            seat?.seat == 3 && seat?.role == .bidder && seat?.since != nil, "Di is not on stage: \(String(describing: seat))")
    }

    private func accounts() async throws {
        var winners: [String] = []
        for bidder in bidders {
            for win in try await all(bidder.client.myWins(pageSize: 1)) {
                winners.append(bidder.person.nickname)
                try check(win.roomId == id && win.itemName == "Teapot" && win.price.currency == "EUR", "\(win)")
            }
        }
        try check(winners.count == 1, "the item has \(winners.count) winners: \(winners)")
        let roles = try await all(auctioneer.client.myRooms()).map(\.role)
        try check(roles == [.auctioneer], "\(roles)")
        try await blocks(bidders[0].client, bidders[1].person.id)
        try await bidders[0].client.setNickname("Cynthia")
        let account = try await bidders[0].client.me()
        try check(account.user == Person(id: bidders[0].person.id, nickname: "Cynthia") && account.roomCount == 1, "\(account)")
    }

    private func blocks(_ client: AuctionClient, _ user: String) async throws {
        let block = try await client.block(user)
        let blocks = try await all(client.blocks(pageSize: 1))
        try check(blocks == [block] && block.userId == user, "\(blocks)")
        try await client.unblock(user)
    }

    /// A list as a whole. Checks stand behind it, not in a loop over it, which would prove nothing of an empty list.
    private func all<List: AsyncSequence>(_ list: List) async throws -> [List.Element] {
        var elements: [List.Element] = []
        for try await element in list { elements.append(element) }
        return elements
    }

    /// The archive is the last event, and the updates end with it.
    private func end() async throws {
        var last: RoomEvent?
        while let update = try await next() { last = update.event ?? last }
        try check(last?.type == "room.archived", "the last event is \(String(describing: last?.type))")
    }
}

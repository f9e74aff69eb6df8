import Permissions

// Decides what is done about results of finished rounds.
extension RoomManager {
    func decideResult(
        _ step: ResultCommand, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        switch step {
        case .void(let round, let reason, let offersNext):
            try check(.voidResult, by: caller, in: context)
            let row = try sale(ofRound: round, in: context.room)
            let offer = offersNext ? try self.offer(of: row, in: &context) : []
            let voided = row.sale.map { void($0, of: row, reason, by: caller) } ?? []
            return Decision(events: voided + offer, outcome: .resultChanged(round: round))
        case .answer(let id, let accepts):
            guard let offer = context.room.offers.first(where: { $0.id == id }) else { throw .offerNotFound.naming(id) }
            let bid = accepts ? PlaceBid(amount: offer.price) : nil
            try check(.answerOffer, by: caller, in: context, RuleRequest(bid: bid, target: offer.to.id))
            // Since the offer was made, a link may have made its bidder the seller, and a succession the host.
            let seller = context.room.results.row(ofRound: offer.round)?.seller.id
            if accepts, caller.id == context.room.host.id || caller.id == seller { throw .ownOffer.naming(offer.round) }
            return Decision(
                events: accepts ? accept(offer, by: caller, in: context.room) : [.offer(.declined(id, by: caller))],
                outcome: .resultChanged(round: offer.round))
        }
    }

    private func accept(_ offer: ItemOffer, by buyer: Person, in room: Room) -> [EventBody] {
        let item = room.results.row(ofRound: offer.round)?.item.name ?? ""
        return [
            .offer(.accepted(offer.id, round: offer.round, lot: offer.lot, by: buyer, price: offer.price)),
            .systemMessage(.sold(item, to: buyer, for: offer.price, in: room.currency)),
        ]
    }

    /// The event that offers the item of a voided sale to the next bidder of its round, which happens once. Neither to the host, who would
    /// accept their own offer, nor to the seller, whom a link of a guest can make that bidder.
    private func offer(of row: RoundResult, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        let (room, afterwards) = (context.room, row.afterwards)
        if afterwards.wasOffered { throw .offerMadeBefore.naming(row.round) }
        if let again = row.lot.flatMap({ room.lots.standingSuccessor(of: $0) }) { throw .lotReoffered.naming(again.id) }
        let buyer = (row.sale ?? afterwards.void?.sale)?.buyer.id
        guard let next = rulebook.offers.nextBidder(of: row, in: room),
            ![buyer, room.host.id, row.seller.id].contains(next.person.id),
            room.member(next.person.id)?.isBanned == false
        else { throw .noBidderToOffer.naming(row.round) }
        guard room.offers.count < ItemOffer.limit else { throw .tooManyOffers }
        let offer = ItemOffer(
            id: context.identifiers.next(), round: row.round, lot: row.lot, to: next.person, price: next.amount,
            expiresAt: context.instant + rulebook.offers.life)
        return [.offer(.made(offer, cause: nil))]
    }

    // MARK: - The clock

    /// The events of offers whose time is over.
    func expiredOffers(in context: DecisionContext) -> [EventBody] {
        context.room.offers.prefix { $0.expiresAt <= context.instant }.map { .offer(.expired($0.id, to: $0.to)) }
    }

    /// The events by which offers stand for longer after time that no client could use.
    func offersAfterOutage(ready: Timestamp, _ cause: CountdownMoved.Cause, in room: Room) -> [EventBody] {
        let earliest = ready + rulebook.offers.leastRemaining
        return room.offers.prefix { $0.expiresAt < earliest }.map { offer in
            var longer = offer
            longer.expiresAt = earliest
            return .offer(.made(longer, cause: cause))
        }
    }

    /// The row of a round with a sale, which may be voided.
    private func sale(ofRound round: Int, in room: Room) throws(Refusal) -> RoundResult {
        guard let row = room.results.row(ofRound: round) else { throw .resultNotFound.naming(round) }
        guard row.outcome.isSold else { throw .resultNotSold.naming(round) }
        return row
    }

    private func void(
        _ sale: RoundResult.Sale, of row: RoundResult, _ reason: String, by host: Person
    ) -> [EventBody] {
        let text = LocalizedText("The sale of \(row.item.name) was voided.", "“\(row.item.name)”的成交已作废。")
        return [
            .itemVoided(
                ItemVoided(
                    round: row.round, lot: row.lot, item: NamedItem(id: row.item.id, name: row.item.name), winner: sale.buyer,
                    price: sale.price, reason: reason, by: host)),
            .systemMessage(SystemMessage(key: "item.voided", text: text)),
        ]
    }
}

extension Refusal {
    /// Refusal of a round that is not over, or never began.
    package static let resultNotFound = Refusal(
        .notFound, code: "result.not_found", LocalizedText("This room has no result of such a round.", "房间中没有该轮的结果。"))

    fileprivate static let resultNotSold = Refusal(
        .conflict, code: "result.not_sold", LocalizedText("This round ended without a sale.", "该轮没有成交。"))

    /// Refusal of an offer that there is not, or that is over.
    package static let offerNotFound = Refusal(
        .notFound, code: "offer.not_found", LocalizedText("There is no such offer, or it is over.", "没有该要约,或已失效。"))

    fileprivate static let noBidderToOffer = Refusal(
        .conflict, code: "offer.no_bidder",
        LocalizedText(
            "It can be offered to no bidder: the next one has to be a member who is not banned, and neither the host nor the seller.",
            "没有可以接手的竞拍者:下一位竞拍者须为未被封禁的成员,且不能是房主或卖家。"))

    fileprivate static let ownOffer = Refusal(
        .conflict, code: "offer.own",
        LocalizedText(
            "Neither the seller nor the host of the room buys its item; the offer can be declined.",
            "卖家与房主不能购买该物品,可以拒绝要约。"))

    fileprivate static let tooManyOffers = Refusal(
        .conflict, code: "offer.too_many",
        LocalizedText(
            "As many offers of this room stand as may at a time; one ends when it is answered, or after ten minutes.",
            "该房间未结束的要约数量已达上限;要约在答复后或十分钟后结束。"),
        required: String(ItemOffer.limit), actual: String(ItemOffer.limit + 1))

    fileprivate static let offerMadeBefore = Refusal(
        .conflict, code: "offer.made_before",
        LocalizedText(
            "The item of this round was offered to the next bidder already: that happens once.",
            "该轮拍品已向下一位竞拍者提出过要约,要约只提出一次。"))

    fileprivate static let lotReoffered = Refusal(
        .conflict, code: "offer.lot_reoffered", LocalizedText("This lot has been offered again.", "该拍品已再次上拍。"))
}

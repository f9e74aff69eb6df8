internal import AuctionDomain
internal import EventLog
internal import ExactJSON

/// The JSON of lots and of a room's sale.
enum LotRepresentation {
    /// Writes a lot as a value.
    /// - Parameters:
    ///   - caller: The owner of the lot sees its reserve price.
    ///   - own: Writes the caller's own bid on the lot; nil without a caller.
    static func write(
        _ lot: Lot, in room: Room, for caller: UserID?, _ own: OwnBidRepresentation?, to json: inout JSONWriter
    ) {
        let item = room.lots.item(of: lot)
        json.object { json in
            json.member("id", lot.id)
            json.member("position", room.lots.position(of: lot))
            json.member("number", lot.number)
            json.member("reference", lot.reference)
            json.member("state", lot.state.rawValue)
            // A lot that was prepared and waits again, or is withdrawn, was never auctioned in that round.
            json.member("round", lot.state == .queued || lot.state == .withdrawn ? nil : lot.round)
            json.member("item", object: { $0.members(of: item, in: room.currency) })
            json.name("rules")
            json.rules(item.rules, in: room.currency, showsReserve: item.owner.id == caller)
            json.member("result", result(of: lot, in: room)) { result, json in
                json.object { write(result, room.currency, to: &$0) }
            }
            json.member("offeredBefore", lot.content.offeredBefore?.description)
            json.member("offeredAgain", room.lots.standingSuccessor(of: lot.id)?.id.description)
            json.member("absenteeBids", room.absenteeCount(on: lot.id))
            guard let own else { return }
            json.member("myBid", room.absenteeBid(of: own.caller, on: lot.id)) { bid, json in
                json.object { own.write(bid, on: lot.id, to: &$0) }
            }
        }
    }

    /// Writes the members of a result that say what became of the item: `result`, `winner`, `price`, `premium`, `total`, `reason`, `voided` and
    /// `voidedBefore`.
    static func writeOutcome(of row: RoundResult, _ currency: Currency, to json: inout JSONWriter) {
        json.member("result", row.passReason == nil ? "sold" : "passed")
        json.member("winner", row.winner)
        json.member("price", row.price, in: currency)
        json.member("reason", row.passReason?.rawValue)
        json.member("premium", row.premiumAmount, in: currency)
        json.member("total", row.total, in: currency)
        func writeVoid(_ void: Afterwards.Void, to json: inout JSONWriter) {
            json.object { json in
                json.member("at", void.at)
                json.member("reason", void.reason)
                json.member("by", void.by)
                json.member("winner", void.sale.buyer)
                json.member("price", void.sale.price, in: currency)
            }
        }
        json.member("voided", row.afterwards.void, writeVoid)
        guard let earlier = row.afterwards.earlierVoid else { return }
        json.name("voidedBefore")
        writeVoid(earlier, to: &json)
    }

    private static func write(_ row: RoundResult, _ currency: Currency, to json: inout JSONWriter) {
        writeOutcome(of: row, currency, to: &json)
        json.member("bids", row.bidCount)
        json.member("closedAt", row.closedAt)
    }

    /// The result of the lot's round; nil until it is over.
    private static func result(of lot: Lot, in room: Room) -> RoundResult? {
        guard [.sold, .passed, .voided].contains(lot.state), let round = lot.round else { return nil }
        return room.results.row(ofRound: round)
    }

    /// Writes the sale as a value.
    static func writeSale(of room: Room, to json: inout JSONWriter) {
        let sale = room.sale
        json.object { json in
            json.member("mode", sale.mode.rawValue)
            json.member("pauseSeconds", sale.pause.count)
            json.member("startsAt", sale.startsAt)
            json.member("premium", sale.premium) { premium, json in json.object { premium.writePercent(to: &$0) } }
            json.member("attended", sale.isAttended)
            json.member("running", sale.isRunning)
            json.member("postponed", sale.isPostponed)
            json.member("nextLotAt", room.isBetweenLots ? room.endsAt : nil)
            json.member("lots", room.lots.count)
            json.member("queued", room.lots.queuedCount)
        }
    }
}

internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import Permissions

/// The JSON of a room. Most of it changes only with the room and is encoded once per change; the rest depends on caller and time.
struct RoomRepresentation {
    let rulebook: RoomRulebook

    /// The part that is equal for all callers until the room changes, as an object without its closing brace.
    ///
    /// Responses share these bytes, so they must contain nothing that only some callers may see.
    func lastingPart(_ room: Room) -> [UInt8] { lastingPart(room, for: nil) }

    /// Whether the caller needs a lasting part of their own: owners see the reserve of their item, bidders in a sealed round the
    /// minimum for their next bid.
    private func seesMore(_ caller: UserID, of room: Room) -> Bool {
        if room.itemOwner == caller { return true }
        return rulebook.format(of: room)?.isSealed == true && room.takesPart(caller)
    }

    private func lastingPart(_ room: Room, for caller: UserID?) -> [UInt8] {
        let currency = room.currency
        var json = JSONWriter(reserving: 1000)
        json.beginObject()
        json.member("id", room.id)
        json.member("name", room.details.name)
        json.member("host", room.host)
        json.member("currency", currency.code)
        json.member("visibility", room.details.visibility.rawValue)
        json.member("round", room.round)
        json.member("seq", room.seq)
        json.member("item", room.item) { item, json in json.object { $0.members(of: item, in: currency) } }
        let isOwner = caller != nil && room.itemOwner == caller
        json.member("rules", room.rules) { $1.rules($0, in: currency, showsReserve: isOwner) }
        writeBidding(room, nextMinimum: rulebook.nextMinimum(in: room, for: caller), to: &json)
        json.member("warning", room.warning)
        json.member(
            "members",
            object: { counts in
                for role in Role.allCases { counts.foreignMember(role.rawValue, room.members.count(of: role)) }
            })
        if room.hasSale {
            json.name("sale")
            LotRepresentation.writeSale(of: room, to: &json)
        }
        return json.bytes
    }

    /// The complete JSON for one caller at one time.
    /// - Parameters:
    ///   - lastingPart: the cached lasting part; nil: it is encoded.
    ///   - allowed: what the caller may do at that time; nil: it is found out.
    func json(
        _ room: Room, lastingPart: [UInt8]? = nil, for caller: UserID?, allowed: RoomActions? = nil, language: Language,
        viewers: Int, at now: Timestamp
    ) -> [UInt8] {
        let lasting =
            if let caller, seesMore(caller, of: room) {
                self.lastingPart(room, for: caller)
            } else {
                lastingPart ?? self.lastingPart(room)
            }
        var json = JSONWriter(reserving: lasting.count + (caller == nil ? 200 : 600))
        json.beginObject(with: lasting)
        writeState(room, language, at: now, to: &json)
        json.member("viewers", viewers)
        if let caller {
            writeCaller(caller, allowed ?? rulebook.allowedActions(of: caller, in: room, at: now), room, to: &json)
        }
        json.member("serverTime", now)
        json.endObject()
        return json.bytes
    }

    /// The room for the operator: what everybody may see of it, and what its host sees, without the invite code.
    func operatorJSON(
        _ room: Room, lastingPart: [UInt8], language: Language, viewers: Int, at now: Timestamp
    ) -> [UInt8] {
        var json = JSONWriter(reserving: lastingPart.count + 300)
        json.beginObject(with: lastingPart)
        writeState(room, language, at: now, to: &json)
        json.member("viewers", viewers)
        json.member("reports", room.reportCount)
        json.member("applications", room.applications.openCount)
        json.member("banned", room.members.banned.count)
        json.member("openedAt", room.details.openedAt)
        json.member("serverTime", now)
        json.endObject()
        return json.bytes
    }

    /// Writes the members of the room that a response to a bid contains.
    /// - Parameters:
    ///   - nextMinimum: for the caller.
    ///   - written: the bid that the response begins with.
    func writeShort(_ room: Room, nextMinimum: Money?, _ written: WrittenBid?, to json: inout JSONWriter) {
        json.member("id", room.id)
        json.member("state", room.state.rawValue)
        json.member("round", room.round)
        json.member("seq", room.seq)
        writeBidding(room, nextMinimum: nextMinimum, written, to: &json)
    }

    private func writeBidding(_ room: Room, nextMinimum: Money?, _ written: WrittenBid? = nil, to json: inout JSONWriter) {
        let currency = room.currency
        let price = room.currentPrice
        json.member("currentPrice", price, in: currency)
        if let premium = room.premium { json.member("total", price.map { premium.total(of: $0) }, in: currency) }
        json.name("currentBid")
        if let bid = room.currentBid {
            json.beginObject()
            if let written, written.bid == bid {
                written.writeAgain(to: &json)
            } else {
                json.member("id", bid.id)
                json.member("amount", bid.amount, in: currency)
                json.member("bidder", bid.bidder)
                json.member("at", bid.at)
            }
            json.endObject()
        } else {
            json.null()
        }
        json.member("nextMinimum", nextMinimum, in: currency)
        json.member("reserveMet", rulebook.reserveMet(in: room))
        json.member("endsAt", room.endsAt)
        json.member("nextDropAt", room.nextDropAt)
    }

    private func writeState(_ room: Room, _ language: Language, at now: Timestamp, to json: inout JSONWriter) {
        if room.isClosing(at: now) {
            json.member("state", "closing")
            json.member("stateDescription", Self.closing[language])
        } else {
            json.member("state", room.state.rawValue)
            json.member("stateDescription", rulebook.states[room.state]?.description[language] ?? room.state.rawValue)
        }
        // A pause has stopped the countdown: what was left then is left now.
        let remaining = room.endsAt.map { $0.milliseconds(since: now) } ?? room.pause?.remaining
        json.member("remainingMs", remaining.map { Int(max(0, $0)) })
    }

    private func writeCaller(_ caller: UserID, _ allowed: RoomActions, _ room: Room, to json: inout JSONWriter) {
        let member = room.member(caller)
        json.member("allowedActions", allowed)
        json.member("me", object: { writeMe(caller, member, room, to: &$0) })
        guard member?.role == .host else { return }
        json.member("inviteCode", room.details.inviteCode)
        json.member("reports", room.reportCount)
        json.member("applications", room.applications.openCount)
    }

    private func writeMe(_ caller: UserID, _ member: Member?, _ room: Room, to me: inout JSONWriter) {
        let currency = room.currency
        let standing = member?.standing ?? room.members.standing(of: caller)
        let leads = room.currentBid?.bidder.id == caller
        let isSealed = rulebook.format(of: room)?.isSealed == true
        me.member("role", member?.role.rawValue)
        me.member("leading", leads)
        me.member("maximum", leads ? room.leaderMaximum : nil, in: currency)
        me.member("sealedAmount", isSealed ? room.sealedAmount(of: caller) : nil, in: currency)
        me.member("creditLimit", standing.creditLimit, in: currency)
        me.member("muted", standing.isMuted)
        me.member("banned", standing.isBanned)
        me.member("offers", each: room.offers.filter { $0.to.id == caller }) { offer, json in
            json.object { Self.write(offer, in: room, to: &$0) }
        }
        // It stays where the host no longer approves bidders, and decides nothing there.
        let needsApproval = rulebook.isEnabled(OptionalRule.notApproved, in: room)
        me.member("application", needsApproval ? room.application(of: caller) : nil) {
            ApplicationRepresentation.writeOwn($0, to: &$1)
        }
    }

    private static func write(_ offer: ItemOffer, in room: Room, to json: inout JSONWriter) {
        let row = room.results.row(ofRound: offer.round)
        json.member("id", offer.id)
        json.member("round", offer.round)
        json.member("lotId", offer.lot?.description)
        json.member("item", row?.item) { item, json in
            json.object { json in
                json.member("id", item.id)
                json.member("name", item.name)
            }
        }
        json.member("price", offer.price, in: room.currency)
        json.member("total", row?.premium?.total(of: offer.price) ?? offer.price, in: room.currency)
        json.member("expiresAt", offer.expiresAt)
    }

    private static let closing = LocalizedText(
        "Closing: the countdown has ended and the result is being recorded.", "落槌中:倒计时已结束,正在记录结果。")
}

internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

// The lots of a room, in the order of their turns.
extension Routes {
    static let lots: [Route] = [
        Route(.queueLot, .command(queueLot)),
        Route(.listLots, .room(listLots)),
        Route(
            .importLots, largestBody: { $0.importBytes },
            .callerInRoom { context, caller, room throws(Problem) in
                let file = try LotFile(context, in: room.state.currency)
                return try context.submit(to: room.id, by: caller) { () throws(Problem) in .importLots(try file.rows()) }
            }),
        Route(.readLot, .room(readLot)),
        Route(.changeLot, .command(on: lot, changeLot)),
        Route(
            .withdrawLot,
            .bodiless(on: lot) { context, lot throws(Problem) in
                let items = try context.query("reason")
                let limit = AuctionTransition.reasonLimit
                return .withdrawLot(lot, reason: items["reason"] == nil ? nil : try items.wordedText("reason", limit))
            }),
        Route(
            .reofferLot,
            .command(on: lot) { context, room, lot, fields throws(Problem) in
                .reofferLot(lot, try fields.rulesPatch(context.rulebook.formats, room.state.currency))
            }),
    ]

    private static let lot = PathParameter(parse: LotID.init, problem: Problem(.lotNotFound))

    private static func queueLot(
        _ context: RequestContext, _ room: VisibleRoom, _ fields: inout JSONFields
    ) throws(Problem) -> Command {
        .queueLot(try fields.queuedLot(context.rulebook.formats, room.state.currency))
    }

    private static func changeLot(
        _ context: RequestContext, _ room: VisibleRoom, _ lot: LotID, _ fields: inout JSONFields
    ) throws(Problem) -> Command {
        var changes = LotChanges()
        if !fields.isAbsent("name") { changes.name = try fields.displayName("name", AuctionItem.nameLimit) }
        changes.description = try fields.optionalText("description", 0...AuctionItem.descriptionLimit)
        changes.media = try fields.taking { fields throws(JSONError) in
            fields.isAbsent("media") ? nil : try fields.media()
        }
        (changes.estimate, changes.condition) = try fields.appraisal(room.state.currency)
        changes.rules = try fields.rulesPatch(context.rulebook.formats, room.state.currency)
        changes.reference = try fields.removableReference()
        changes.target = try fields.taking { fields throws(JSONError) in
            try fields.removable("before") { fields, name throws(JSONError) in
                LotChanges.Target.before(try fields.identifier(name))
            }.map { $0 ?? .end }
        }
        guard changes.changesContent || changes.target != nil else {
            try fields.end()
            throw .malformed("Name at least one member to change.", "请至少提供一个要更改的字段。")
        }
        return .changeLot(lot, changes)
    }

    private static func readLot(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        _ = try context.query()
        let room = visible.state
        guard let lot = LotID(context.parameters[1]).flatMap({ room.lots[$0] }) else { throw Problem(.lotNotFound) }
        let own = visible.ownBids(context)
        return .now(.json(reserving: 1000) { LotRepresentation.write(lot, in: room, for: visible.viewer?.id, own, to: &$0) })
    }

    private static func listLots(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        let items = try context.query("state", "bids", "limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let states = LocalizedText("must be queued, current, sold, passed, withdrawn or voided.", "无效。")
        let state = try items.value("state", states, Lot.State.init(rawValue:))
        let ofCaller = try items.value("bids", LocalizedText("must be mine.", "须为 mine。")) { $0 == "mine" ? true : nil }
        let (room, caller, own) = (visible.state, visible.viewer?.id, visible.ownBids(context))
        let cursor = try items.value("cursor", LotCursor.required) { text in
            LotCursor(text).flatMap { cursor in cursor.start(in: room.lots).map { (since: cursor.since, start: $0) } }
        }
        let page = PageBound(rows: limit, bytes: context.loop.shared.options.limits.pageBytes)
        return context.offload(visible) { _ throws(EventLogError) in
            let start = cursor?.start ?? 0
            let listed =
                ofCaller == nil
                ? AnySequence(room.lots.lots(from: start)) : AnySequence(room.lotsWithBid(of: caller, from: start))
            let lots = listed.lazy.filter { lot in
                (state.map { $0 == lot.state } ?? true) && cursor.map { LotCursor.isStill(lot, since: $0.since) } ?? true
            }
            return .object(reserving: min(600 * limit, page.bytes) + 1024) { json in
                let last = page.write("lots", lots, to: &json) {
                    LotRepresentation.write($0, in: room, for: caller, own, to: &$1)
                }
                json.member("nextCursor", last.map { LotCursor(after: $0, since: cursor?.since ?? room.seq).text })
                json.member("seq", room.seq)
            }
        }
    }
}

/// Where a list of lots goes on, although lots are moved meanwhile: no lot is listed twice.
///
/// Lots that were moved after the first page are left out of the later ones, because they may have been on an earlier page; their
/// `lot.moved` events say where they are.
private struct LotCursor {
    static let required = LocalizedText(
        "must be a nextCursor of an earlier page; if the lots have been reordered much since then, begin again.",
        "须为上一页返回的 nextCursor;若拍品顺序变动较大,请重新开始。")

    /// The seq of the room at the first page.
    let since: Int
    private let place: UInt64
    private let lot: LotID

    init(after lot: Lot, since: Int) {
        (self.since, place, self.lot) = (since, lot.place, lot.id)
    }

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let since = Int(parts[0]), since > 0, let place = UInt64(parts[1]), place < .max,
            let lot = LotID(String(parts[2]))
        else { return nil }
        (self.since, self.place, self.lot) = (since, place, lot)
    }

    var text: String { "\(since).\(place).\(lot)" }

    /// The place behind the last listed lot; nil if it is not known any more, because both this lot and the places of others changed.
    func start(in lots: Lots) -> UInt64? {
        guard let lot = lots[lot] else { return nil }
        if Self.isStill(lot, since: since) { return lot.place + 1 }
        return lots.spreadSeq > since ? nil : place + 1
    }

    /// Whether the lot was not moved after the first page.
    static func isStill(_ lot: Lot, since: Int) -> Bool { (lot.movedSeq ?? 0) <= since }
}

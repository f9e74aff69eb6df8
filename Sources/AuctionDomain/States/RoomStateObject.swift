public import Permissions
public import StateMachines

/// One state of a room, whole: what it allows, what happens in it, its timer, and where it leads.
///
/// State objects hold no data; the room does. By default they refuse everything, so a state says only what it can do.
/// Whether the caller may is the permission centre's business and has been decided before.
public protocol RoomStateObject: Sendable {
    var name: RoomState { get }
    /// What people read in the room: "Auction running: …".
    var description: LocalizedText { get }
    /// What the permission centre's state rules let through here, besides the entrances that other states have from here.
    var allowedActions: [RoomAction] { get }
    /// Every way out of this state that it knows of itself.
    var transitions: [Transition<RoomState, TransitionCause>] { get }
    /// Ways into this state from states that know nothing of it.
    var entrances: [Entrance] { get }

    /// What follows at once when a room enters this state, such as its countdown.
    func entered(_ context: inout DecisionContext) -> [EventBody]
    /// Takes the room in by one of `entrances`.
    func enter(
        by entrance: Entrance, _ person: Person?, _ advance: Advance, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]
    func uploadItem(_ item: UploadItem, by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody]
    func adjustRules(
        of item: ItemID, _ patch: RulesPatch, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]
    /// A step of the auction: start, end, resume, cancel.
    func advance(
        _ action: RoomAction, _ advance: Advance, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]
    func placeBid(_ bid: PlaceBid, by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody]
    func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]
    /// `Room.dueAt` has come.
    func timerFired(in context: inout DecisionContext) -> [EventBody]
    /// Nobody could reach the service, or its clock jumped; it can be reached from `ready` on.
    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody]
}

/// A way into a state that the states it starts from know nothing of: so a state is added without touching another.
public struct Entrance: Hashable, Sendable {
    public let from: [RoomState]
    /// The action that leads in; nil: the service itself does.
    public let action: RoomAction?
    public let cause: TransitionCause
    /// Who causes it, for people: `host`, `the clock`.
    public let by: String

    public init(from: [RoomState], action: RoomAction?, cause: TransitionCause, by: String) {
        self.from = from
        self.action = action
        self.cause = cause
        self.by = by
    }
}

extension RoomStateObject {
    public var entrances: [Entrance] { [] }

    public func entered(_ context: inout DecisionContext) -> [EventBody] { [] }

    public func enter(
        by entrance: Entrance, _ person: Person?, _ advance: Advance, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw Refusal(
            .conflict, code: "auction.unavailable",
            LocalizedText("The room cannot become \(name) this way.", "房间不能以此方式进入“\(name)”阶段。"))
    }

    public func uploadItem(
        _ item: UploadItem, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(.uploadItem, in: name)
    }

    public func adjustRules(
        of item: ItemID, _ patch: RulesPatch, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(.adjustRules, in: name)
    }

    public func advance(
        _ action: RoomAction, _ advance: Advance, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(action, in: name)
    }

    public func placeBid(
        _ bid: PlaceBid, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(.placeBid, in: name)
    }

    public func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(.retractBid, in: name)
    }

    public func timerFired(in context: inout DecisionContext) -> [EventBody] { [] }

    public func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] { [] }
}

extension RoomStateObject {
    /// The way from the room's state to another: the change, its system message, and what the other state does on entering.
    public func transition(
        from origin: RoomState? = nil, to target: RoomState, cause: TransitionCause, by person: Person?, reason: String? = nil,
        beginsRound: Bool = false, message: SystemMessage, in context: inout DecisionContext
    ) -> [EventBody] {
        [
            .stateChanged(
                StateChange(
                    from: origin ?? context.room.state, to: target, cause: cause, by: person, reason: reason,
                    beginsRound: beginsRound)),
            .systemMessage(message),
        ] + (context.rulebook.states[target]?.entered(&context) ?? [])
    }

    /// Back to preparing with the item kept: nobody has bid, so nobody loses anything.
    public func cancelRound(_ advance: Advance, by person: Person?, in context: inout DecisionContext) -> [EventBody] {
        let reason = advance.reason ?? ""
        return transition(
            to: .preparing, cause: .cancel, by: person, reason: reason,
            message: SystemMessage(
                key: "auction.cancelled",
                text: LocalizedText("The auction was cancelled: \(reason)", "本次拍卖已取消:\(reason)")),
            in: &context)
    }

    /// The hammer falls: the change, the result and what was hidden until now.
    public func closeRound(
        _ cause: TransitionCause, by person: Person?, outcome: RoundResult.Outcome? = nil,
        in context: inout DecisionContext
    ) -> [EventBody] {
        let format = context.rulebook.format(of: context.room)
        let outcome = outcome ?? format?.outcome(in: context) ?? .passed(.noBids)
        return transition(
            to: .closed, cause: cause, by: person,
            message: SystemMessage(
                key: "state.closed", text: LocalizedText("The hammer has fallen.", "落槌,本轮拍卖结束。")),
            in: &context)
            + announcement(of: outcome, in: context.room) + (format?.closed(in: &context) ?? [])
    }

    private func announcement(of outcome: RoundResult.Outcome, in room: Room) -> [EventBody] {
        let item = room.item?.name ?? ""
        switch outcome {
        case .sold(let winner, let price):
            let amount = "\(room.currency.text(price)) \(room.currency.code)"
            let text = LocalizedText(
                "Sold: \(item) goes to \(winner.nickname) for \(amount).",
                "成交:\(winner.nickname) 以 \(amount) 拍得“\(item)”。")
            return [.itemSold(winner: winner, price: price), .systemMessage(SystemMessage(key: "item.sold", text: text))]
        case .passed(let reason):
            let text =
                switch reason {
                case .noBids: LocalizedText("Passed: nobody bid on \(item).", "流拍:“\(item)”无人出价。")
                case .reserveNotMet:
                    LocalizedText("Passed: \(item) did not reach its reserve price.", "流拍:“\(item)”未达到保留价。")
                }
            return [.itemPassed(reason), .systemMessage(SystemMessage(key: "item.passed", text: text))]
        }
    }
}

package import Permissions
package import StateMachines

/// One state of a room: its allowed actions, their effects, its timer and its transitions.
///
/// State objects are stateless; the data is in the room. By default they refuse everything, so a state implements only what
/// it supports. The permission center has checked the caller's permission before.
package protocol RoomStateObject: Sendable {
    /// The state that this object implements; unique in a registry.
    var name: RoomState { get }
    /// The state's description for users, such as "Auction running: …".
    var description: LocalizedText { get }
    /// Whether an item is being auctioned: bids stand or may follow. False for a state between two rounds.
    var isRound: Bool { get }
    /// The actions that state rules allow here, besides those of other states' `incomingTransitions` from here.
    var allowedActions: [RoomAction] { get }
    /// The transitions out of this state, except for other states' `incomingTransitions`.
    var transitions: [Transition<RoomState, TransitionCause>] { get }
    /// Transitions into this state that the states they start from do not declare.
    var incomingTransitions: [IncomingTransition] { get }

    /// Events that follow immediately when a room enters this state, such as the start of its countdown.
    func entered(_ context: inout DecisionContext) -> [EventBody]
    /// The events of entering this state by one of its `incomingTransitions`; `person` is nil if the service causes it.
    func enter(
        by incomingTransition: IncomingTransition, _ person: Person?, _ requested: AuctionTransition,
        in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]
    /// The events of uploading the item of the round.
    func uploadItem(_ item: UploadItem, by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody]
    /// The events of changing the rules of the current item; empty if the patch changes nothing.
    func adjustRules(
        of item: ItemID, _ patch: RulesPatch, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]
    /// The events of a step that no state's `incomingTransitions` have.
    func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]
    /// The effects of a bid, including the events of the close if the bid ends the round.
    /// - Parameter minimum: `AuctionFormat.nextMinimum` for the bidder.
    func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision
    /// The effects of a bid that `person` enters for the floor.
    func placeFloorBid(
        _ bid: PlaceBid, paddle: String?, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision
    /// The events of retracting an own bid.
    func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody]
    /// The events that are due at `Room.dueAt`.
    func timerFired(in context: inout DecisionContext) -> [EventBody]
    /// The events after an outage or a clock jump, such as extended deadlines; clients can connect from `ready` on.
    func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody]
}

/// A transition declared by the state it leads to, so that a state can be added without changing other states.
package struct IncomingTransition: Hashable, Sendable {
    /// The states that the transition may start from.
    package let from: [RoomState]
    /// The action that triggers the transition; nil if the service triggers it.
    package let action: RoomAction?
    /// The cause recorded in the event `stateChanged`; selects the incoming transition if `action` is nil.
    package let cause: TransitionCause
    /// The originator, for documentation: `host`, `the clock`.
    package let by: String

    package init(from: [RoomState], action: RoomAction?, cause: TransitionCause, by: String) {
        self.from = from
        self.action = action
        self.cause = cause
        self.by = by
    }
}

extension RoomStateObject {
    /// By default true.
    package var isRound: Bool { true }

    /// By default none.
    package var incomingTransitions: [IncomingTransition] { [] }

    /// By default no events.
    package func entered(_ context: inout DecisionContext) -> [EventBody] { [] }

    /// By default refused as a conflict.
    package func enter(
        by incomingTransition: IncomingTransition, _ person: Person?, _ requested: AuctionTransition,
        in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw Refusal(
            .conflict, code: "auction.unavailable",
            LocalizedText("The room cannot become \(name) this way.", "房间不能以此方式进入“\(name)”阶段。"))
    }

    /// By default refused as unavailable in this state.
    package func uploadItem(
        _ item: UploadItem, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(.uploadItem, in: name)
    }

    /// By default refused as unavailable in this state.
    package func adjustRules(
        of item: ItemID, _ patch: RulesPatch, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(.adjustRules, in: name)
    }

    /// By default refused as unavailable in this state.
    package func perform(
        _ step: AuctionStep, _ requested: AuctionTransition, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(step.action, in: name)
    }

    /// By default refused as unavailable in this state.
    package func placeBid(
        _ bid: PlaceBid, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        throw .unavailable(.placeBid, in: name)
    }

    /// By default refused as unavailable in this state.
    package func placeFloorBid(
        _ bid: PlaceBid, paddle: String?, from minimum: Money?, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> BidDecision {
        throw .unavailable(.placeFloorBid, in: name)
    }

    /// By default left to the format where the state allows the action, and refused as unavailable in other states.
    package func retractBid(
        _ bid: BidID, reason: String, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        guard allowedActions.contains(.retractBid), let format = context.rulebook.format(of: context.room) else {
            throw .unavailable(.retractBid, in: name)
        }
        return try format.retractBid(bid, reason: reason, by: person, in: &context)
    }

    /// By default no events.
    package func timerFired(in context: inout DecisionContext) -> [EventBody] { [] }

    /// By default no events.
    package func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] { [] }
}

extension RoomStateObject {
    /// The events of a transition: the change, its system message, and what the new state does on entering.
    /// - Parameter origin: the state to leave; nil: the room's current one.
    package func transition(
        from origin: RoomState? = nil, to target: RoomState, cause: TransitionCause, by person: Person?, reason: String? = nil,
        beginsRound: Bool = false, lot: LotID? = nil, message: SystemMessage, in context: inout DecisionContext
    ) -> [EventBody] {
        [
            .stateChanged(
                StateChange(
                    from: origin ?? context.room.state, to: target, cause: cause, by: person, reason: reason,
                    beginsRound: beginsRound, lot: lot ?? (beginsRound ? nil : context.room.item?.lot))),
            .systemMessage(message),
        ] + (context.rulebook.states[target]?.entered(&context) ?? [])
    }

    /// The events of cancelling a round without bids: back to preparing, with the item kept.
    package func cancelRound(_ requested: AuctionTransition, by person: Person?, in context: inout DecisionContext)
        -> [EventBody]
    {
        let reason = requested.reason ?? ""
        return transition(
            to: .preparing, cause: .cancel, by: person, reason: reason,
            message: SystemMessage(
                key: "auction.cancelled",
                text: LocalizedText("The auction was cancelled: \(reason)", "本次拍卖已取消:\(reason)")),
            in: &context) + saleAfterCancel(by: person, in: context.room)
    }

    /// The events of closing the round: the change, the result, and what the format discloses.
    /// - Parameter outcome: nil: as the format determines it.
    package func closeRound(
        _ cause: TransitionCause, by person: Person?, reason: String? = nil, outcome: RoundResult.Outcome? = nil,
        in context: inout DecisionContext
    ) -> [EventBody] {
        let format = context.rulebook.format(of: context.room)
        let outcome = outcome ?? format?.outcome(in: context) ?? .passed(.noBids)
        let decisive = format?.decisive(for: outcome, in: context) ?? []
        return decisive
            + transition(
                to: .closed, cause: cause, by: person, reason: reason,
                message: SystemMessage(
                    key: "state.closed", text: LocalizedText("The hammer has fallen.", "落槌,本轮拍卖结束。")),
                in: &context)
            + announcement(of: outcome, in: context.room) + (format?.closed(in: &context) ?? [])
            + saleAfterClose(in: context)
    }

    private func announcement(of outcome: RoundResult.Outcome, in room: Room) -> [EventBody] {
        let (item, lot) = (room.item?.name ?? "", room.item?.lot)
        switch outcome {
        case .sold(let winner, let price):
            return [
                .itemSold(winner: winner, price: price, lot: lot),
                .systemMessage(.sold(item, to: winner, for: price, in: room.currency)),
            ]
        case .passed(let reason):
            let text =
                switch reason {
                case .noBids: LocalizedText("Passed: nobody bid on \(item).", "流拍:“\(item)”无人出价。")
                case .reserveNotMet:
                    LocalizedText("Passed: \(item) did not reach its reserve price.", "流拍:“\(item)”未达到保留价。")
                }
            return [.itemPassed(reason, lot: lot), .systemMessage(SystemMessage(key: "item.passed", text: text))]
        }
    }
}

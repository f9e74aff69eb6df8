import Permissions

/// Decides commands: the permission rules decide whether, the room's state object decides how. Pure.
package struct RoomManager: Sendable {
    /// The states and permission rules that commands are decided by.
    package let rulebook: RoomRulebook

    package init(rulebook: RoomRulebook) { self.rulebook = rulebook }

    /// The result of deciding a command: events that are not recorded yet.
    package struct Decision: Sendable {
        /// The events in order; empty if the command changes nothing.
        package let events: [EventBody]
        /// What the response shows.
        package let outcome: CommandOutcome
    }

    /// Decides a command on an existing room.
    /// - Throws: The refusal, if the command is not permitted or not possible now.
    package func decide(
        _ command: Command, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        // The id of a keyed room follows from its creator and key, so it is taken even once the key has expired and the room is archived.
        if case .openRoom = command { throw .roomExists }
        // Also in a room that is hidden from the caller, but not from the guest.
        if case .linkGuest(let guest) = command { return try link(guest, to: caller, in: context) }
        // Also in an archived room.
        if case .erase(let erasure) = command { return try erase(erasure, in: &context) }
        if case .byOperator(let command, let reason) = command {
            return try decide(command, byOperator: caller, because: reason, in: &context)
        }
        return try decide(command, by: caller, after: [], in: &context)
    }

    /// - Parameter note: What is recorded before the events of the command, if there are any.
    func decide(
        _ command: Command, by caller: Person, after note: [EventBody], in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        let room = context.room
        guard isKnown(room, to: caller, for: command), !room.isArchived else { throw .roomNotFound }
        // A host who sends a command is present, even without a stream. Recorded first, so that it counts for the command itself.
        // An operator, whose commands have a note, is no host.
        let first = !note.isEmpty ? note : command.showsPresence ? hostReturn(caller.id, in: room) : []
        context.firstSeq = room.seq + 1 + first.count
        let decision = try decideKnown(command, by: caller, in: &context)
        try checkStorage(of: decision.events, command, by: caller, in: room)
        guard !first.isEmpty, !decision.events.isEmpty else { return decision }
        return Decision(events: first + decision.events, outcome: decision.outcome)
    }

    /// Whether the caller may learn that the room exists. Joining may carry an invite code to a hidden room, and the service itself
    /// sees every room; other commands require the room to be visible.
    private func isKnown(_ room: Room, to caller: Person, for command: Command) -> Bool {
        if case .join = command { return true }
        return command.isServiceCommand || room.isVisible(to: caller.id)
    }

    private func decideKnown(
        _ command: Command, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        let room = context.room
        switch command {
        case .openRoom: throw .roomExists
        case .refused(let refusal): throw refusal
        case .stage(let step): return try decideStage(step, by: caller, in: &context)
        case .disconnected(let user):
            return Decision(events: room.stage.disconnected(user).map(EventBody.stage), outcome: .silent)
        // Not reached: `decide` has handled them.
        case .linkGuest(let guest): return try link(guest, to: caller, in: context)
        case .erase(let erasure): return try erase(erasure, in: &context)
        case .byOperator: throw .notAPerson
        case .join, .leave, .changeMember, .kick, .hostDisconnected, .hostReconnected:
            return try decideMembership(command, by: caller, in: &context)
        case .application(let command): return try decideApplication(command, by: caller, in: context)
        case .archiveRoom:
            try check(.archiveRoom, by: caller, in: context)
            return Decision(events: [.roomArchived(by: caller)], outcome: .roomArchived)
        case .uploadItem(let item):
            try check(.uploadItem, by: caller, in: context)
            let owner = owner(ofWhatIsAddedBy: caller, in: room)
            let events = try state(of: room).uploadItem(item, by: owner, in: &context)
            // Also if the replaced item was a lot's: the lot is in the queue again, but its item is no longer the round's.
            let replaced = room.item.flatMap { $0.owner.id == owner.id ? $0.id : nil }
            return Decision(events: events, outcome: .itemUploaded(replaced: replaced))
        case .queueLot, .changeLot, .withdrawLot, .reofferLot, .importLots:
            return try decideLot(command, by: caller, in: &context)
        case .absentee(let step): return try decideAbsentee(step, by: caller, in: &context)
        case .sale(let step): return try decideSale(step, by: caller, in: &context)
        case .adjustRules(let item, let patch):
            try check(.adjustRules, by: caller, in: context, RuleRequest(changesPrices: patch.changesPrices))
            let events = try state(of: room).adjustRules(of: item, patch, by: caller, in: &context)
            return Decision(events: events, outcome: .rulesAdjusted)
        case .configureRule(let change): return try configure(change, by: caller, in: context)
        case .auction(let step, let expected): return try transition(step, expected, by: caller, in: &context)
        case .placeBid(let bid):
            let minimum = try check(.placeBid, by: caller, in: context, RuleRequest(bid: bid)).minimum
            let placed = try state(of: room).placeBid(bid, from: minimum, by: caller, in: &context)
            return Decision(events: placed.events, outcome: .bidPlaced(placed.bid, nextMinimum: placed.nextMinimum))
        case .placeFloorBid(let bid, let paddle):
            let minimum = try check(.placeFloorBid, by: caller, in: context, RuleRequest(bid: bid)).minimum
            let placed = try state(of: room).placeFloorBid(bid, paddle: paddle, from: minimum, by: caller, in: &context)
            return Decision(events: placed.events, outcome: .bidPlaced(placed.bid, nextMinimum: placed.nextMinimum))
        case .retractBid(let bid, let reason):
            try check(.retractBid, by: caller, in: context, RuleRequest(retracted: bid))
            let events = try state(of: room).retractBid(bid, reason: reason, by: caller, in: &context)
            return Decision(events: events, outcome: .transitioned)
        case .result(let step): return try decideResult(step, by: caller, in: &context)
        case .sendMessage, .removeMessage, .reportMessage: return try decideMessage(command, by: caller, in: &context)
        }
    }

    /// The first event of a new room.
    package func open(_ open: OpenRoom, by host: Person, identifiers: inout IdentifierSource) -> EventBody {
        .roomOpened(
            RoomOpened(
                name: open.name, host: host, currency: open.currency, visibility: open.visibility,
                inviteCode: identifiers.nextInviteCode()))
    }

    /// The events caused by an expired `Room.dueAt`.
    package func timerFired(in context: inout DecisionContext) -> [EventBody] {
        if let due = context.room.stage.dueAt, due <= context.instant {
            return context.room.stage.timedOut(at: context.instant).map(EventBody.stage)
        }
        let expired = expiredOffers(in: context)
        if !expired.isEmpty { return expired }
        if let events = saleDue(in: &context) { return events }
        return rulebook.states[context.room.state]?.timerFired(in: &context) ?? []
    }

    /// The events that extend the room's deadline after an outage or a clock jump.
    /// - Parameter ready: When clients can reach the service again.
    package func serviceReturned(
        ready: Timestamp, cause: CountdownMoved.Cause, in context: inout DecisionContext
    ) -> [EventBody] {
        // A room that was archived between two lots of a sale still has the countdown to the next one.
        guard !context.room.isArchived else { return [] }
        return (rulebook.states[context.room.state]?.serviceReturned(ready: ready, cause: cause, in: &context) ?? [])
            + saleAfterOutage(ready: ready, cause, in: context.room) + offersAfterOutage(ready: ready, cause, in: context.room)
    }

    /// Decides an auction command: with the state that it enters, if that state defines the transition, otherwise with the current
    /// state.
    private func transition(
        _ step: AuctionStep, _ transition: AuctionTransition, by caller: Person, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        let room = context.room
        try check(transition, room)
        try check(step.action, by: caller, in: context, step.request)
        let events =
            if let (target, incomingTransition) = rulebook.states.incomingTransition(from: room.state, on: step.action) {
                try target.enter(by: incomingTransition, caller, transition, in: &context)
            } else {
                try state(of: room).perform(step, transition, by: caller, in: &context)
            }
        return Decision(events: events, outcome: .transitioned)
    }

    @discardableResult
    func check(
        _ action: RoomAction, by caller: Person, in context: DecisionContext, _ request: RuleRequest = RuleRequest()
    ) throws(Refusal) -> RuleContext {
        let rules = RuleContext(
            room: context.room, rulebook: rulebook, caller: caller.id, at: context.instant, request)
        if let denial = rulebook.denial(of: action, in: rules) { throw Refusal(denial) }
        return rules
    }

    private func check(_ expected: AuctionTransition, _ room: Room) throws(Refusal) {
        let stateDiffers = expected.expectedState.map { $0 != room.state } ?? false
        let roundDiffers = expected.expectedRound.map { $0 != room.round } ?? false
        let itemDiffers = expected.expectedItem.map { $0 != room.item?.id } ?? false
        guard stateDiffers || roundDiffers || itemDiffers else { return }
        let item = expected.expectedItem.map { ($0.description, room.item?.id.description ?? "no item") }
        let (state, round) = (expected.expectedState ?? room.state, expected.expectedRound ?? room.round)
        let required = "\(state), round \(round)" + (item.map { ", \($0.0)" } ?? "")
        let actual = "\(room.state), round \(room.round)" + (item.map { ", \($0.1)" } ?? "")
        throw Refusal(
            .conflict, code: "auction.state_changed",
            .init("The room has moved on: it is \(actual), not \(required).", "房间状态已变化:当前为 \(actual),而非 \(required)。"),
            required: required, actual: actual)
    }

    private func state(of room: Room) throws(Refusal) -> any RoomStateObject {
        guard let state = rulebook.states[room.state] else {
            throw Refusal(
                .conflict, code: "room.unknown_state",
                .init("This server does not know the state \(room.state).", "服务器不认识状态 \(room.state)。"),
                actual: room.state.rawValue)
        }
        return state
    }
}

extension Command {
    /// Whether the service itself issues it, on behalf of the current host.
    fileprivate var isServiceCommand: Bool {
        switch self {
        case .hostDisconnected, .hostReconnected, .disconnected: true
        default: false
        }
    }

    /// Whether the command shows the room that its caller is present.
    fileprivate var showsPresence: Bool {
        switch self {
        // A link is decided before presence is asked for, and returns its host by itself.
        case .join, .leave, .linkGuest, .erase: false
        // `host.returned` beside a concealed event would say that it is the host's.
        case .absentee, .reportMessage: false
        default: !isServiceCommand
        }
    }
}

extension Refusal {
    fileprivate static let roomExists = Refusal(
        .conflict, code: "room.exists", .init("This room exists already.", "该房间已存在。"))
}

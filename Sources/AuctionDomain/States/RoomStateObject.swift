public import Permissions
public import StateMachines

/// One state of a room, whole: what it allows, what happens in it, its countdown, and where it leads.
///
/// State objects hold no data; the room does. By default they refuse everything, so a state says only what it can do.
/// Whether the caller may is the permission centre's business and has been decided before.
public protocol RoomStateObject: Sendable {
    var name: RoomState { get }
    /// What people read in the room: "Auction running: …".
    var description: LocalizedText { get }
    /// What the permission centre's state rules let through here.
    var allowedActions: [RoomAction] { get }
    /// Every way out of this state.
    var transitions: [Transition<RoomState, TransitionCause>] { get }

    /// What follows at once when a room enters this state, such as its countdown.
    func entered(_ context: inout DecisionContext) -> [EventBody]
    func uploadItem(_ item: UploadItem, by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody]
    func startAuction(by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody]
    func endAuction(by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody]
    func placeBid(_ bid: PlaceBid, by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody]
    /// The countdown has run out.
    func countdownEnded(in context: inout DecisionContext) -> [EventBody]
    /// The service is back after an outage and can be reached from `ready` on.
    func serviceReturned(ready: Timestamp, in context: inout DecisionContext) -> [EventBody]
}

extension RoomStateObject {
    public func entered(_ context: inout DecisionContext) -> [EventBody] { [] }

    public func uploadItem(
        _ item: UploadItem, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(.uploadItem, in: name)
    }

    public func startAuction(by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        throw .unavailable(.startAuction, in: name)
    }

    public func endAuction(by person: Person, in context: inout DecisionContext) throws(Refusal) -> [EventBody] {
        throw .unavailable(.endAuction, in: name)
    }

    public func placeBid(
        _ bid: PlaceBid, by person: Person, in context: inout DecisionContext
    ) throws(Refusal) -> [EventBody] {
        throw .unavailable(.placeBid, in: name)
    }

    public func countdownEnded(in context: inout DecisionContext) -> [EventBody] { [] }
    public func serviceReturned(ready: Timestamp, in context: inout DecisionContext) -> [EventBody] { [] }

    /// This state's way to another: the change, its system message, and what the other state does on entering.
    func transition(
        to target: RoomState, cause: TransitionCause, by person: Person?, beginsRound: Bool = false,
        message: SystemMessage, in context: inout DecisionContext
    ) -> [EventBody] {
        [
            .stateChanged(StateChange(from: name, to: target, cause: cause, by: person, beginsRound: beginsRound)),
            .systemMessage(message),
        ] + (context.rulebook.states[target]?.entered(&context) ?? [])
    }
}

import Permissions

// Decides commands of programs of the operator. They pass the rules about roles as a host and as an auctioneer, and no others.
extension RoomManager {
    /// Before the events of the command, all in the room are notified of who acts, and why.
    func decide(
        _ command: Command, byOperator caller: Person, because reason: String, in context: inout DecisionContext
    ) throws(Refusal) -> Decision {
        guard caller.id.isOperator, command.isForOperators else { throw .notAPerson }
        let text = LocalizedText(
            "\(caller.nickname), for the operator of this service: \(reason)", "\(caller.nickname)(代表本服务的运营者):\(reason)")
        let note = EventBody.systemMessage(SystemMessage(key: "operator.acted", text: text))
        return try decide(command, by: caller, after: [note], in: &context)
    }

    /// The owner of an item or a lot that the caller adds: what an operator adds is the host's, as an operator sells nothing.
    func owner(ofWhatIsAddedBy caller: Person, in room: Room) -> Person { caller.id.isOperator ? room.host : caller }
}

extension Command {
    /// Whether it is a command of hosts and auctioneers. Bids of the floor are none of them: an operator never bids. Neither are the steps
    /// of a handshake of the stage, which two people take.
    var isForOperators: Bool {
        switch self {
        case .archiveRoom, .changeMember, .kick, .application, .uploadItem, .queueLot, .changeLot, .withdrawLot, .reofferLot,
            .importLots, .sale, .adjustRules, .configureRule, .auction, .retractBid, .result(.void), .removeMessage,
            .stage(.closeSeat), .stage(.muteSeat), .stage(.clearSeat), .stage(.moveSeat), .stage(.seatMember):
            true
        // The repeat of a command that was refused before it was submitted.
        case .refused: true
        case .openRoom, .join, .leave, .linkGuest, .absentee, .placeBid, .placeFloorBid, .result(.answer), .stage, .sendMessage,
            .reportMessage, .byOperator, .erase, .hostDisconnected, .disconnected, .hostReconnected:
            false
        }
    }
}

extension Refusal {
    /// Refusal of an operator who does what only a person does.
    static let notAPerson = Refusal(
        .forbidden, code: "token.not_a_person",
        LocalizedText(
            "A service token is no person: it can neither join a room nor bid, nor write messages.",
            "服务令牌不代表任何人:不能加入房间、出价或发消息。"))
}

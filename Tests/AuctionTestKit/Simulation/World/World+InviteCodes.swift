internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// Private rooms: clients join with the invite code, and sometimes with a wrong one or none.
extension World {
    func join(_ room: RoomID, as role: Role?) -> Command {
        guard let code = codes[room] else { return .join(JoinRoom(role: role, inviteCode: nil)) }
        let choice = habits.roll(1...8)
        return .join(JoinRoom(role: role, inviteCode: choice == 1 ? nil : choice == 2 ? "guessed" : code))
    }

    /// Records the invite code, which only responses to the host contain.
    func recordInviteCode(from attempt: Attempt) {
        let request = transcript.requests[attempt.request]
        guard case .openRoom(let open) = request.command, open.visibility == .private, codes[request.room] == nil,
            let response = attempt.response, response.status == 200, let json = AuditedEvent.read(response.body)
        else { return }
        codes[request.room] = json["inviteCode"]?.text
    }
}

internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// Private rooms: hosts tell their friends the invite code, who mistype it now and then.
extension World {
    func join(_ room: RoomID, as role: Role?) -> Command {
        guard let code = codes[room] else { return .join(JoinRoom(role: role, inviteCode: nil)) }
        let said = habits.roll(1...8)
        return .join(JoinRoom(role: role, inviteCode: said == 1 ? nil : said == 2 ? "guessed" : code))
    }

    /// Only answers to the host carry it.
    func learnCode(from attempt: Attempt) {
        let request = transcript.requests[attempt.request]
        guard case .openRoom(let open) = request.command, open.visibility == .private, codes[request.room] == nil,
            let answer = attempt.answer, answer.status == 200, let json = AuditedEvent.read(answer.body)
        else { return }
        codes[request.room] = json["inviteCode"]?.text
    }
}

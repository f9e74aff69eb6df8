import Permissions

// Decides applications of bidders, in rooms whose host approves them.
extension RoomManager {
    /// The events of a member or newcomer who joins as bidder and has not been approved; none if their application is open already.
    /// - Throws: The refusal, if it was declined or the room has as many as it may.
    func application(of caller: Person, in room: Room) throws(Refusal) -> [EventBody] {
        if let known = room.application(of: caller.id) {
            if known.isDeclined { throw .applicationDeclined }
            return []
        }
        let count = room.applications.openCount
        guard count < RoomApplications.openLimit else { throw .tooManyApplications(count) }
        return [.application(.made(caller))]
    }

    /// Whether who joins as bidder only applies. A viewer does even if the host made them one, since a role that a user
    /// chooses is not from the host.
    func mustApply(_ member: Member?, in room: Room) -> Bool {
        guard rulebook.isEnabled(OptionalRule.notApproved, in: room) else { return false }
        guard let member else { return true }
        return member.role == .viewer || member.role == .bidder && !member.isInvited
    }

    func decideApplication(
        _ command: ApplicationCommand, by caller: Person, in context: DecisionContext
    ) throws(Refusal) -> Decision {
        try check(.decideApplication, by: caller, in: context)
        let room = context.room
        guard let application = room.application(of: command.applicant) else {
            throw .applicationNotFound.naming(command.applicant)
        }
        switch command {
        case .approve(let user, let creditLimit):
            return try change(
                user, MemberChanges(role: .bidder, creditLimit: creditLimit.map(Optional.some)), by: caller, in: context)
        case .decline(let user, let reason):
            let declined = ApplicationEvent.declined(application.person, by: caller, reason: reason)
            return Decision(
                events: application.isDeclined ? [] : [.application(declined)], outcome: .applicationDeclined(user))
        }
    }
}

extension Refusal {
    /// The user has not applied, or was approved, or their application was forgotten.
    package static let applicationNotFound = Refusal(
        .notFound, code: "application.not_found", LocalizedText("There is no such application.", "没有该申请。"))

    fileprivate static let applicationDeclined = Refusal(
        .forbidden, code: "application.declined",
        LocalizedText("The host has declined your application.", "房主已拒绝您的申请。"))

    fileprivate static func tooManyApplications(_ count: Int) -> Refusal {
        Refusal(
            .conflict, code: "application.too_many",
            LocalizedText(
                "As many have applied as the host may be asked to approve at a time.", "等待房主处理的申请已达上限。"),
            required: String(RoomApplications.openLimit), actual: String(count + 1))
    }
}

internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let members: [Route] = [
        Route(
            .joinRoom,
            .command { _, _, fields throws(Problem) in
                let role = try fields.taking { fields throws(JSONError) in
                    try fields.optionalWord("role", of: [Role.viewer, .bidder])
                }
                return .join(JoinRoom(role: role, inviteCode: try fields.optionalText("inviteCode", 1...100)))
            }),
        Route(.listMembers, .room(listMembers)),
        Route(.leaveRoom, .bodiless(.leave)),
        Route(.changeMember, .command(on: member, changeMember)),
        Route(.kick, .bodiless(on: member) { _, user in .kick(user) }),
    ]

    private static let member = PathParameter(parse: UserID.init, problem: Problem(.memberNotFound))

    private static func changeMember(
        _ context: RequestContext, _ room: VisibleRoom, _ member: UserID, _ fields: inout JSONFields
    ) throws(Problem) -> Command {
        let currency = room.state.currency
        return try fields.taking { fields throws(JSONError) in
            let changes = MemberChanges(
                role: try fields.optionalWord("role", of: [Role.auctioneer, .bidder, .viewer]),
                isMuted: try fields.optionalBool("muted"), isBanned: try fields.optionalBool("banned"),
                creditLimit: try fields.removable("creditLimit") { fields, name throws(JSONError) in
                    try fields.money(name, in: currency)
                })
            try fields.finish()
            guard changes != MemberChanges() else {
                throw fields.invalid(
                    "role", "or \"muted\", \"banned\" or \"creditLimit\" is required", "与 muted、banned、creditLimit 须至少有一个")
            }
            return .changeMember(member, changes)
        }
    }

    private static func listMembers(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        let items = try context.query("role", "banned", "limit", "cursor")
        let limit = try items.int("limit", in: 1...1000, default: 100)
        let role = try items.value(
            "role", LocalizedText("must be host, auctioneer, bidder or viewer.", "无效。"), Role.init(rawValue:))
        let cursor = try items.cursor(UserID.init)
        let isOfBanned = try items.flag("banned")
        if isOfBanned { try check(.ban, visible, context) }
        let (room, caller) = (visible.state, visible.viewer?.id)
        let page = PageBound(rows: limit, bytes: context.loop.shared.options.limits.pageBytes)
        // Sorting thousands of members would block the event loop.
        return context.offload(visible) { _ throws(EventLogError) in
            let people = isOfBanned ? room.members.banned : room.members.sorted.map(\.person)
            let all = people.filter { person in
                (role.map { $0 == room.members[person.id]?.role } ?? true) && (cursor.map { person.id > $0 } ?? true)
            }
            return .object(reserving: min(160 * min(all.count, limit), page.bytes) + 1024) { json in
                let last = page.write("members", all, to: &json) {
                    MemberRepresentation.write($0, in: room, to: caller, &$1)
                }
                json.member(
                    "counts",
                    object: { counts in
                        for role in Role.allCases { counts.foreignMember(role.rawValue, room.members.count(of: role)) }
                    })
                json.member("nextCursor", last?.id.description)
            }
        }
    }

    /// What a list shows is for those who may do this, such as who is banned, left or not.
    static func check(_ action: RoomAction, _ visible: VisibleRoom, _ context: RequestContext) throws(Problem) {
        guard let caller = visible.viewer?.id else { throw .tokenMissing }
        let (room, now) = (visible.state, context.now.wall)
        let question = RuleContext(room: room, rulebook: context.rulebook, caller: caller, at: now)
        guard let denial = context.rulebook.denial(of: action, in: question) else { return }
        throw Problem(Refusal(denial), allowed: context.rulebook.allowedActions(of: caller, in: room, at: now))
    }
}

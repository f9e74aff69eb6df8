internal import AuctionDomain
internal import ExactJSON

// The `data` object of stage events. They have no private part.
extension StageEvent {
    func write(to json: inout JSONWriter) {
        switch self {
        case .requested(let id, let guest, let role):
            json.member("stageId", id)
            json.member("guest", guest)
            json.member("role", role.rawValue)
        case .invited(let id, let guest, let role, let by), .accepted(let id, let guest, let role, let by):
            json.member("stageId", id)
            json.member("guest", guest)
            json.member("role", role.rawValue)
            json.member("by", by)
        case .seated(let seating):
            json.member("stageId", seating.id)
            json.member("guest", seating.guest)
            json.member("role", seating.role.rawValue)
            json.member("seat", seating.seat)
            json.member("previousRole", seating.previousRole.rawValue)
            json.member("by", seating.by)
        case .declined(let id, let guest, let by), .cancelled(let id, let guest, let by):
            json.member("stageId", id)
            json.member("guest", guest)
            json.member("by", by)
        case .timedOut(let id, let guest):
            json.member("stageId", id)
            json.member("guest", guest)
        case .ended(let id, let guest, let reason, let by):
            json.member("stageId", id)
            json.member("guest", guest)
            json.member("reason", reason.rawValue)
            json.member("by", by)
        case .seatClosed(let seat, let by), .seatCleared(let seat, let by):
            json.member("seat", seat)
            json.member("by", by)
        case .seatMuted(let seat, let muted, let by):
            json.member("seat", seat)
            json.member("muted", muted)
            json.member("by", by)
        case .left(let departure):
            json.member("member", departure.person)
            json.member("seat", departure.seat)
            json.member("restoredRole", departure.restoredRole.rawValue)
            json.member("cause", departure.cause.rawValue)
        }
    }

    init(type: String, _ data: inout JSONFields) throws(JSONError) {
        switch type {
        case "stage.seatClosed": self = .seatClosed(try data.int("seat"), by: try data.person("by"))
        case "stage.seatCleared": self = .seatCleared(try data.int("seat"), by: try data.person("by"))
        case "stage.seatMuted":
            self = .seatMuted(try data.int("seat"), muted: try data.bool("muted"), by: try data.person("by"))
        case "stage.left":
            self = .left(
                Departure(
                    person: try data.person("member"), seat: try data.int("seat"),
                    restoredRole: try data.word("restoredRole"), cause: try data.enumeration("cause")))
        default: self = try Self.handshake(type, &data)
        }
    }

    private static func handshake(_ type: String, _ data: inout JSONFields) throws(JSONError) -> StageEvent {
        let id: StageID = try data.identifier("stageId")
        let guest = try data.person("guest")
        switch type {
        case "stage.requested": return .requested(id, guest: guest, role: try data.word("role"))
        case "stage.invited": return .invited(id, guest: guest, role: try data.word("role"), by: try data.person("by"))
        case "stage.accepted": return .accepted(id, guest: guest, role: try data.word("role"), by: try data.person("by"))
        case "stage.seated":
            return .seated(
                Seating(
                    id: id, guest: guest, role: try data.word("role"), seat: try data.int("seat"),
                    previousRole: try data.word("previousRole"), by: try data.person("by")))
        case "stage.declined": return .declined(id, guest: guest, by: try data.person("by"))
        case "stage.cancelled": return .cancelled(id, guest: guest, by: try data.person("by"))
        case "stage.timedOut": return .timedOut(id, guest: guest)
        case "stage.ended":
            return .ended(id, guest: guest, reason: try data.enumeration("reason"), by: try data.optionalPerson("by"))
        default: throw JSONError(.invalidField, field: "type", "There is no event type \"\(type)\".")
        }
    }
}

internal import AuctionDomain

// The fields of stage events. They have no private part.
extension StageEvent {
    func passed<Fields: EventFields & ~Copyable>(through fields: inout Fields) throws(Fields.Failure) -> Self {
        switch self {
        case .requested(let id, let guest, let role):
            try .requested(fields("stageId", id), guest: fields("guest", guest), role: fields.word("role", role))
        case .invited(let id, let guest, let role, let by):
            try .invited(
                fields("stageId", id), guest: fields("guest", guest), role: fields.word("role", role), by: fields("by", by))
        case .accepted(let id, let guest, let role, let by):
            try .accepted(
                fields("stageId", id), guest: fields("guest", guest), role: fields.word("role", role), by: fields("by", by))
        case .seated(let old):
            try .seated(
                .init(
                    id: fields("stageId", old.id), guest: fields("guest", old.guest), role: fields.word("role", old.role),
                    seat: fields("seat", old.seat), previousRole: fields.word("previousRole", old.previousRole),
                    by: fields("by", old.by)))
        case .declined(let id, let guest, let by):
            try .declined(fields("stageId", id), guest: fields("guest", guest), by: fields("by", by))
        case .cancelled(let id, let guest, let by):
            try .cancelled(fields("stageId", id), guest: fields("guest", guest), by: fields("by", by))
        case .timedOut(let id, let guest): try .timedOut(fields("stageId", id), guest: fields("guest", guest))
        case .ended(let id, let guest, let reason, let by):
            try .ended(
                fields("stageId", id), guest: fields("guest", guest), reason: fields.word("reason", reason),
                by: fields("by", by))
        case .seatClosed(let seat, let by): try .seatClosed(fields("seat", seat), by: fields("by", by))
        case .seatMuted(let seat, let muted, let by):
            try .seatMuted(fields("seat", seat), muted: fields("muted", muted), by: fields("by", by))
        case .seatCleared(let seat, let by): try .seatCleared(fields("seat", seat), by: fields("by", by))
        case .moved(let occupant, let seat, let target, let by):
            try .moved(fields("member", occupant), from: fields("seat", seat), to: fields("to", target), by: fields("by", by))
        case .left(let old):
            try .left(
                .init(
                    person: fields("member", old.person), seat: fields("seat", old.seat),
                    restoredRole: fields.word("restoredRole", old.restoredRole), cause: fields.word("cause", old.cause)))
        }
    }
}

extension EventExamples {
    /// One of every kind, in the order of their cases.
    static let stageEvents: [StageEvent] = {
        let (stage, seat) = (StageID(bits: bits), 1)
        return [
            .requested(stage, guest: cy, role: .bidder),
            .invited(stage, guest: cy, role: .bidder, by: ann),
            .accepted(stage, guest: cy, role: .bidder, by: ann),
            .seated(.init(id: stage, guest: cy, role: .bidder, seat: seat, previousRole: .viewer, by: ann)),
            .declined(stage, guest: cy, by: ann),
            .cancelled(stage, guest: cy, by: ann),
            .timedOut(stage, guest: cy),
            .ended(stage, guest: cy, reason: .leftRoom, by: cy),
            .seatClosed(seat, by: ann),
            .seatMuted(seat, muted: true, by: ann),
            .seatCleared(seat, by: ann),
            .moved(cy, from: seat, to: 3, by: ann),
            .left(.init(person: cy, seat: seat, restoredRole: .viewer, cause: .steppedDown)),
        ]
    }()
}

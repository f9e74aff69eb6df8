import Permissions

// Size and cause of an event, as `RoomStorage` counts them.
extension EventBody {
    /// Bytes of the envelope, identifiers, instants, amounts, hash, index and field names, rounded up.
    private static var fixedBytes: Int { 640 }
    private static var tierBytes: Int { 64 }

    /// Upper bound of the bytes that the log stores for it.
    public var storedBytes: Int { Self.fixedBytes + textBytes }

    /// Bytes of its texts as JSON.
    private var textBytes: Int {
        switch self {
        case .bidPlaced(let placed): placed.bidder.textBytes
        case .maximumRaised(let raised): raised.bidder.textBytes
        case .maximumVoided(let voided): voided.bidder.textBytes
        case .bidRetracted(let retracted):
            retracted.bidder.textBytes + retracted.by.textBytes + (retracted.leader?.textBytes ?? 0)
                + retracted.reason.jsonBytes
                + retracted.removed.count * Self.tierBytes
        case .roomOpened(let opened): opened.name.jsonBytes + opened.host.textBytes + opened.inviteCode.jsonBytes
        case .itemUploaded(let item):
            item.media.reduce(item.name.jsonBytes + item.description.jsonBytes + item.owner.textBytes) { $0 + $1.jsonBytes + 3 }
                + Self.bytes(of: item.rules)
        case .rulesAdjusted(_, let rules, let by): by.textBytes + Self.bytes(of: rules)
        case .permissionChanged(let change): change.rule.jsonBytes + change.by.textBytes
        case .stateChanged(let change): (change.by?.textBytes ?? 0) + (change.reason?.jsonBytes ?? 0)
        case .messageSent(let message): message.text.jsonBytes + message.author.textBytes
        case .systemMessage(let message):
            message.key.jsonBytes + message.text.english.jsonBytes + message.text.chinese.jsonBytes
        case .memberJoined(let person, _), .memberLeft(let person), .hostGone(let person), .hostReturned(let person),
            .itemSold(let person, _), .roomArchived(let person), .messageRemoved(_, let person):
            person.textBytes
        case .memberRoleChanged(let person, _, _, let by): person.textBytes + (by?.textBytes ?? 0)
        case .memberKicked(let person, let by), .memberBanned(let person, _, let by), .memberMuted(let person, _, let by),
            .memberCreditLimitChanged(let person, _, let by):
            person.textBytes + by.textBytes
        case .stage(let event): event.people.reduce(0) { $0 + $1.textBytes }
        case .countdownStarted, .countdownMoved, .drawCommitted, .drawRevealed, .priceDropped, .itemPassed: 0
        }
    }

    private static func bytes(of rules: AuctionRules) -> Int {
        guard case .tiers(let tiers) = rules.increment else { return fixedBytes }
        return fixedBytes + tiers.count * tierBytes
    }

    /// The user whose command caused it; nil: the service. An automatic bid counts for no user: its bidder did not cause it.
    public var causedBy: UserID? {
        switch self {
        case .bidPlaced(let placed): placed.automatic ? nil : placed.bidder.id
        case .maximumRaised(let raised): raised.bidder.id
        case .bidRetracted(let retracted): retracted.by.id
        case .roomOpened(let opened): opened.host.id
        case .itemUploaded(let item): item.owner.id
        case .rulesAdjusted(_, _, let by): by.id
        case .permissionChanged(let change): change.by.id
        case .stateChanged(let change): change.by?.id
        case .messageSent(let message): message.author.id
        case .memberJoined(let person, _), .memberLeft(let person): person.id
        case .roomArchived(let by), .messageRemoved(_, let by), .memberKicked(_, let by), .memberBanned(_, _, let by),
            .memberMuted(_, _, let by), .memberCreditLimitChanged(_, _, let by):
            by.id
        case .memberRoleChanged(_, _, _, let by): by?.id
        case .stage(let event): event.by?.id
        case .maximumVoided, .hostGone, .hostReturned, .itemSold, .itemPassed, .systemMessage, .countdownStarted,
            .countdownMoved, .drawCommitted, .drawRevealed, .priceDropped:
            nil
        }
    }
}

extension StageEvent {
    /// All persons that the event names.
    fileprivate var people: [Person] {
        switch self {
        case .requested(_, let guest, _), .timedOut(_, let guest): [guest]
        case .invited(_, let guest, _, let by), .accepted(_, let guest, _, let by), .declined(_, let guest, let by),
            .cancelled(_, let guest, let by):
            [guest, by]
        case .ended(_, let guest, _, let by): [guest] + (by.map { [$0] } ?? [])
        case .seated(let seating): [seating.guest, seating.by]
        case .left(let departure): [departure.person]
        case .seatClosed(_, let by), .seatMuted(_, _, let by), .seatCleared(_, let by): [by]
        }
    }

    fileprivate var by: Person? {
        switch self {
        case .requested(_, let guest, _): guest
        case .invited(_, _, _, let by), .accepted(_, _, _, let by), .declined(_, _, let by), .cancelled(_, _, let by),
            .seatClosed(_, let by), .seatMuted(_, _, let by), .seatCleared(_, let by):
            by
        case .seated(let seating): seating.by
        case .ended(_, _, _, let by): by
        case .timedOut, .left: nil
        }
    }
}

extension Person {
    /// Upper bound that is not computed byte by byte: names are in every event, and contain no control characters.
    fileprivate var textBytes: Int { 2 * nickname.utf8.count }
}

extension String {
    /// Its length in a JSON text, without the quotes.
    fileprivate var jsonBytes: Int {
        utf8.reduce(0) { sum, byte in
            switch byte {
            case 0..<0x20: sum + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): sum + 2
            default: sum + 1
            }
        }
    }
}

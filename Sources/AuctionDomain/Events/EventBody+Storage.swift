import Permissions

extension EventBody {
    /// Upper bound of the bytes that the log stores for it.
    package var storedBytes: Int { content.storedBytes }

    /// The user whose part in the room the event changes: a role, a standing, bids; nil if there is none.
    package var participant: UserID? { content.participant?.id }

    /// What the room's storage counts. An automatic bid counts for no user: its bidder did not cause it.
    var content: EventContent {
        switch self {
        case .bidPlaced(let placed): placed.content
        case .floorBidPlaced(let entered):
            EventContent(entered.by, entered.placed.bidder, text: FloorBidPlaced.paddleBytes)
        case .maximumRaised(let raised): EventContent(raised.bidder)
        case .maximumVoided(let voided): EventContent(nil, voided.bidder)
        case .bidRetracted(let retracted):
            EventContent(
                retracted.by, retracted.bidder, retracted.leader, changing: retracted.bidder,
                text: retracted.reason.jsonBytes + retracted.removed.count * EventContent.tierBytes)
        case .roomOpened(let opened):
            EventContent(opened.host, changing: opened.host, text: opened.name.jsonBytes + opened.inviteCode.jsonBytes)
        // A lot becomes the item by itself: its owner was counted when it was queued.
        case .itemUploaded(let item):
            EventContent(item.lot == nil ? item.owner : nil, item.lot == nil ? nil : item.owner, text: item.allBytes)
        case .rulesAdjusted(_, let rules, let by): EventContent(by, text: rules.textBytes)
        case .warningGiven(let given): EventContent(given.by)
        case .incrementChanged(let changed): EventContent(changed.by, text: changed.increment.textBytes)
        case .askChanged(let changed): EventContent(changed.by)
        case .permissionChanged(let change): EventContent(change.by, text: change.rule.jsonBytes)
        case .stateChanged(let change): EventContent(change.by, text: change.reason?.jsonBytes ?? 0)
        case .messageSent(let message): EventContent(message.author, text: message.text.jsonBytes)
        case .messageReported(let reported):
            .concealed(reported.reporter, text: MessageReported.reasonBytes)
        case .application(.made(let person)): .concealed(person)
        // The same for every applicant and reason.
        case .application(.declined(_, let by, _)):
            EventContent(by, text: 8 * Person.nicknameLimit + BidderApplication.reasonBytes)
        case .systemMessage(let message):
            EventContent(
                nil, text: message.key.jsonBytes + message.text.english.jsonBytes + message.text.chinese.jsonBytes)
        case .memberJoined(let person, _), .memberLeft(let person): EventContent(person, changing: person)
        case .roomArchived(let person), .messageRemoved(_, let person): EventContent(person)
        case .hostGone(let person), .hostReturned(let person), .itemSold(let person, _, _): EventContent(nil, person)
        case .itemVoided(let voided):
            EventContent(voided.by, voided.winner, text: voided.item.name.jsonBytes + voided.reason.jsonBytes)
        case .memberRoleChanged(let person, _, _, let by): EventContent(by, person, changing: person)
        case .memberKicked(let person, let by), .memberBanned(let person, _, let by), .memberMuted(let person, _, let by),
            .memberCreditLimitChanged(let person, _, let by):
            EventContent(by, person, changing: person)
        case .memberLinked(let link): EventContent(link.to, link.from, changing: link.from)
        case .memberErased(let erased):
            EventContent(
                nil, erased.person, changing: erased.person, text: erased.rewritten.count * RewrittenEvent.storedBytes)
        case .stage(let event): event.content
        case .lotQueued(let lot):
            EventContent(
                lot.by ?? lot.item.owner, lot.by == nil ? nil : lot.item.owner,
                text: lot.item.allBytes + (lot.reference?.jsonBytes ?? 0) + (lot.responseBytes ?? 0))
        case .lotChanged(let lot):
            EventContent(
                lot.by, lot.item.owner,
                text: lot.item.allBytes + (lot.reference?.jsonBytes ?? 0) + (lot.responseBytes ?? 0))
        case .lotMoved(let lot): EventContent(lot.by)
        case .lotWithdrawn(let lot): EventContent(lot.by, text: lot.reason?.jsonBytes ?? 0)
        case .lotBidsChanged(let changed): .concealed(changed.bidder, text: AbsenteeCut.storedBytes)
        case .sale(let happened): EventContent(happened.by)
        case .offer(let happened): happened.content
        case .countdownStarted, .countdownMoved, .drawCommitted, .drawRevealed, .priceDropped, .itemPassed: EventContent(nil)
        }
    }
}

extension AbsenteeCut {
    /// Upper bound of its bytes in the event of the opening. They are counted when the bid is given: how many are cut stays secret.
    fileprivate static let storedBytes = 128
}

extension BidPlaced {
    fileprivate var content: EventContent {
        switch origin {
        case .bidder: EventContent(bidder, changing: bidder)
        case .automatic, .floor: EventContent(nil, bidder)
        case .absentee: EventContent(nil, bidder, changing: bidder)
        }
    }
}

extension OfferEvent {
    fileprivate var content: EventContent {
        switch self {
        case .made(let offer, _): EventContent(nil, offer.to, changing: offer.to)
        case .accepted(_, _, _, let person, _), .declined(_, let person): EventContent(person, changing: person)
        case .expired(_, let person): EventContent(nil, person, changing: person)
        }
    }
}

/// Whom an event concerns, and its size and cause, as `RoomStorage` counts them.
struct EventContent {
    /// Bytes of the envelope, identifiers, instants, amounts, hash, index and field names, rounded up.
    fileprivate static let fixedBytes = 640
    fileprivate static let tierBytes = 64

    /// The user whose command caused the event; nil: the service.
    let cause: Person?
    /// The user whose part in the room it changes; nil: it changes none, or the floor's, which is no user.
    let participant: Person?
    let storedBytes: Int

    /// An event whose cause stays secret: its size is the same for all nicknames, since refusals tell sums of sizes.
    fileprivate static func concealed(_ cause: Person, text: Int = 0) -> EventContent {
        EventContent(cause: cause, storedBytes: fixedBytes + 8 * Person.nicknameLimit + text)
    }

    private init(cause: Person, storedBytes: Int) {
        (self.cause, participant) = (cause, nil)
        self.storedBytes = storedBytes
    }

    /// - Parameters:
    ///   - other: a further person that the event names, as `third`.
    ///   - text: bytes of its texts as JSON.
    init(
        _ cause: Person?, _ other: Person? = nil, _ third: Person? = nil, changing participant: Person? = nil, text: Int = 0
    ) {
        self.cause = cause
        self.participant = participant?.id == .floor ? nil : participant
        storedBytes =
            Self.fixedBytes + (cause?.textBytes ?? 0) + (other?.textBytes ?? 0) + (third?.textBytes ?? 0) + text
    }
}

extension AuctionItem {
    fileprivate var allBytes: Int { jsonTextBytes + rules.textBytes }
    private var jsonTextBytes: Int {
        let texts = name.jsonBytes + description.jsonBytes + (condition.map { $0.jsonBytes + 16 } ?? 0)
        return media.reduce(texts + (estimate == nil ? 0 : EventContent.tierBytes)) { $0 + $1.jsonBytes + 3 }
    }
}

extension AuctionRules {
    fileprivate var textBytes: Int {
        EventContent.fixedBytes + increment.textBytes
    }
}

extension Increment {
    fileprivate var textBytes: Int {
        if case .tiers(let tiers) = base { tiers.count * EventContent.tierBytes } else { 0 }
    }
}

extension ImportLots {
    /// Upper bound of the bytes of its response: those of each row with its outcome, the reference, and the ignored columns.
    var responseBytes: Int {
        let columns = ignoredColumns.reduce(EventContent.fixedBytes) { $0 + 3 + $1.jsonBytes }
        return rows.reduce(columns) { $0 + 96 + ($1.lot.reference?.jsonBytes ?? 0) }
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

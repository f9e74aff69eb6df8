internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// What one address makes the log keep within a day: a guest may open many rooms, and an address make many guests.
extension LoopHandler {
    /// What an event counts for besides its texts, as rooms count it (`RoomStorage`).
    private static let eventBytes = 640
    /// What the change of a lot counts for besides: its event has the whole item, whatever the request says of it.
    private static let itemBytes = 64 << 10

    /// Counts the texts of a command against the limit of its address, also if it is refused later or was sent before, unless the role of
    /// the caller refuses it. The last one may go beyond the limit, and is waited for the longer.
    func takeTextBytes(
        of command: Command, in room: RoomID, by caller: UserID, _ context: RequestContext
    ) throws(Problem) {
        let limiter = shared.textLimiter
        guard !limiter.isOff, let events = command.textEvents else { return }
        let (body, room) = (context.exchange.body.count, shared.service.rooms[room]?.view.room)
        // Others at the address must not use up with refusals what its hosts may send.
        guard command.isTextTaken(from: room?.members[caller]?.role) else { return }
        let bytes = body + events * Self.eventBytes + repeatedBytes(of: command, body, in: room)
        let verdict = limiter.take(context.exchange.clientNetwork(shared), tokens: bytes, at: context.now.monotonic)
        guard verdict.isAllowed || command.isOwed(in: room) else { throw .tooManyTexts(limiter, verdict) }
    }

    /// Bytes of texts that the events of a command have beside those of its request.
    private func repeatedBytes(of command: Command, _ body: Int, in room: Room?) -> Int {
        switch command {
        case .changeLot: return Self.itemBytes
        // The announcement has the reason in two languages.
        case .cancel: return 2 * body
        case .startAuction, .sale(.start):
            guard let room, room.state == .closed || room.item == nil, let lot = room.lots.firstQueued else { return 0 }
            return EventBody.itemUploaded(room.lots.item(of: lot)).storedBytes
        default: return 0
        }
    }
}

extension Command {
    /// The number of events with texts that it causes; nil for a command that has limits of its own or that an auction cannot do without.
    fileprivate var textEvents: Int? {
        switch self {
        case .importLots(let file): max(1, file.rows.count)
        case .openRoom, .uploadItem, .queueLot, .changeLot, .sale(.configure), .adjustRules, .configureRule, .sendMessage: 1
        // Two transitions at most, each with its announcement; and a host may start and cancel a round again and again.
        case .startAuction, .sale(.start): 4
        case .cancel: 2
        default: nil
        }
    }

    /// Whether a member with this role may send it, if it counts for more than its own texts; nil: no member.
    fileprivate func isTextTaken(from role: Role?) -> Bool {
        switch self {
        case .startAuction, .sale(.start), .cancel: role == .host
        case .changeLot: role == .host || role == .auctioneer
        default: true
        }
    }

    /// Whether it is taken beyond the limit: it ends or opens a round that was announced, which needed a start that was counted.
    fileprivate func isOwed(in room: Room?) -> Bool {
        switch self {
        case .cancel: true
        case .startAuction: room?.state == .listing
        default: false
        }
    }
}

extension Refusal {
    /// The refusal of a command whose texts are too many.
    init(texts problem: Problem) {
        let seconds = problem.headers.first { $0.name == "Retry-After" }.flatMap { Int($0.value) }
        self.init(.storageFull(retryAfterSeconds: seconds), code: problem.code, problem.detail)
    }
}

extension Problem {
    fileprivate static func tooManyTexts(
        _ limiter: RateLimiter<ClientNetwork>, _ verdict: RateLimiter<ClientNetwork>.Verdict
    ) -> Problem {
        var problem = limiter.problem("address.storage_full", verdict)
        problem.detail = LocalizedText(
            "Your network address sent more than \(limiter.count) bytes of rooms, items, lots, rules, starts and messages "
                + "within a day (limit-text-bytes-per-address); bids, the opening of an announced round and what ends one are taken.",
            "您的网络地址一天内发送的房间、物品、拍品、规则、开始指令与消息已超过 \(limiter.count) 字节(limit-text-bytes-per-address);"
                + "出价、已上拍轮次的开拍及结束操作不受影响。")
        return problem
    }
}

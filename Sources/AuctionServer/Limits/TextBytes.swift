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
        let limiter = shared.limits.textBytes
        guard !limiter.isOff, let events = command.textEvents else { return }
        let (body, room) = (context.exchange.body.count, shared.service.rooms[room]?.view.room)
        // Others at the address must not use up with refusals what its hosts may send.
        guard command.isTextTaken(from: room?.members[caller]) || command.answersOffer(to: caller, in: room) else { return }
        let bytes = body + events * Self.eventBytes + repeatedBytes(of: command, body, in: room)
        let verdict = limiter.take(shared.origins.network(of: context.exchange), tokens: bytes, at: context.now.monotonic)
        guard verdict.isAllowed || command.isOwed(in: room) else { throw .tooManyTexts(limiter, verdict) }
    }

    /// Refuses a command for which a log that fills up has no space any more.
    func checkLogTakes(_ command: Command, in room: RoomID) throws(Problem) {
        let fullness = shared.service.fullness
        guard fullness != .nothing, let refusing = command.refusing(in: shared.service.rooms[room]?.view.room),
            refusing <= fullness
        else { return }
        throw .logFull(fullness)
    }

    /// Counts the body of a request that no room keeps, such as a block, against the limit of its address, also if it is a repeat.
    func takeTextBytes(_ context: RequestContext) throws(Problem) {
        let (limiter, bytes) = (shared.limits.textBytes, context.exchange.body.count + Self.eventBytes)
        guard !limiter.isOff else { return }
        let verdict = limiter.take(shared.origins.network(of: context.exchange), tokens: bytes, at: context.now.monotonic)
        guard verdict.isAllowed else { throw .tooManyTexts(limiter, verdict) }
    }

    /// Bytes of texts that the events of a command have beside those of its body.
    private func repeatedBytes(of command: Command, _ body: Int, in room: Room?) -> Int {
        switch command {
        case .changeLot, .reofferLot: return Self.itemBytes
        // The announcement has the reason in two languages.
        case .auction(.cancel, _): return 2 * body
        case .auction(.start, _), .sale(.start):
            guard let room, room.state == .closed || room.item == nil else { return 0 }
            return nextItemBytes(in: room)
        // Their reasons are in the request's query. The next lot takes the turn of a prepared one.
        case .retractBid(_, let reason): return reason.utf8.count
        case .withdrawLot(let lot, let reason):
            return (reason?.utf8.count ?? 0) + (room.map { $0.lots.current == lot ? nextItemBytes(in: $0) : 0 } ?? 0)
        default: return 0
        }
    }

    /// Bytes of the event by which the first queued lot becomes the item; 0 if none is queued.
    private func nextItemBytes(in room: Room) -> Int {
        room.lots.firstQueued.map { EventBody.itemUploaded(room.lots.item(of: $0)).storedBytes } ?? 0
    }
}

extension Command {
    /// The number of events that it causes; nil for a command that has limits of its own or that only the service sends. Without a
    /// default: a new command has to say here what it counts for.
    fileprivate var textEvents: Int? {
        switch self {
        case .byOperator(let command, _): command.textEvents
        case .importLots(let file): max(1, file.rows.count)
        case .openRoom, .archiveRoom, .uploadItem, .queueLot, .changeLot, .reofferLot, .sale(.configure), .sale(.stop),
            .adjustRules, .configureRule, .sendMessage, .removeMessage, .reportMessage, .absentee:
            1
        case .auction(let step, _): step.eventCount
        case .sale(.start): AuctionStep.start.eventCount
        // An order with what it ends: a seat, a maximum, the turn of a lot.
        case .join, .leave, .changeMember, .application, .kick, .withdrawLot, .retractBid, .stage: 2
        // A void with its announcement and an offer.
        case .result: 3
        case .placeBid, .placeFloorBid, .linkGuest, .erase, .refused, .hostDisconnected, .disconnected, .hostReconnected: nil
        }
    }

    /// How full a log is that refuses the command; nil: it is always taken, because it ends something or lets a member out.
    fileprivate func refusing(in room: Room?) -> LogFullness? {
        switch self {
        case .openRoom, .importLots: .rooms
        case .placeBid, .placeFloorBid: .bids
        // Those of the service itself.
        case .linkGuest, .erase, .refused, .hostDisconnected, .disconnected, .hostReconnected: nil
        default: isOwed(in: room) ? nil : .commands
        }
    }

    /// Whether this member may send it, if it counts for more than its own texts; nil: no member. Joining again changes nothing.
    fileprivate func isTextTaken(from member: Member?) -> Bool {
        switch self {
        case .auction, .sale(.start), .sale(.stop), .retractBid, .result(.void), .changeMember, .application, .kick,
            .removeMessage,
            .archiveRoom:
            member?.role == .host
        case .changeLot, .withdrawLot, .reofferLot: member?.role == .host || member?.role == .auctioneer
        case .leave, .stage, .reportMessage, .absentee: member != nil
        // See `answersOffer`.
        case .result(.answer): false
        case .join(let join): member == nil || join.role != nil && join.role != member?.role
        default: true
        }
    }

    /// Whether it answers some offer to the caller, who may have left the room.
    fileprivate func answersOffer(to caller: UserID, in room: Room?) -> Bool {
        if case .result(.answer) = self { room?.hasOffer(to: caller) ?? true } else { false }
    }

    /// Whether it is taken beyond the limit: it ends what needed an order that was counted, lets a member out, or protects the room. What
    /// undoes it is refused there, so it cannot be repeated without end.
    fileprivate func isOwed(in room: Room?) -> Bool {
        switch self {
        case .auction(let step, _): step.isOwed(in: room)
        case .sale(.stop), .archiveRoom, .leave, .kick, .removeMessage, .retractBid, .withdrawLot, .absentee(.withdraw),
            .result:
            true
        case .changeMember(_, let changes): changes.isRestriction
        case .stage(let step): step.endsSomething
        default: false
        }
    }
}

extension MemberChanges {
    /// Whether it bans or mutes, and changes nothing else.
    fileprivate var isRestriction: Bool {
        role == nil && creditLimit == nil && isMuted != false && isBanned != false && (isMuted ?? isBanned) != nil
    }
}

extension Refusal {
    /// The refusal of a command for which there is no space, of its address or in the log.
    init(texts problem: Problem) {
        let seconds = problem.headers.first { $0.name == "Retry-After" }.flatMap { Int($0.value) }
        let isLog = problem.status == 503
        self.init(
            isLog ? .unavailable(retryAfterSeconds: seconds ?? 60) : .storageFull(retryAfterSeconds: seconds),
            code: problem.code,
            problem.detail)
    }
}

extension Problem {
    fileprivate static func logFull(_ fullness: LogFullness) -> Problem {
        let detail =
            switch fullness {
            case .nothing, .rooms:
                LocalizedText(
                    "The server's log fills up, so it takes no new rooms and no imports of lots; open rooms go on.",
                    "服务器日志空间即将用尽,暂不能新建房间或导入拍品;已有房间不受影响。")
            case .commands:
                LocalizedText(
                    "The server's log fills up: it still takes bids in running rounds, and what ends a round, takes something back, bans or "
                        + "removes a member, or leaves.",
                    "服务器日志空间即将用尽:仅受理进行中轮次的出价,以及结束轮次、撤回、封禁、移出与离开。")
            case .bids:
                LocalizedText(
                    "The server's log is full: it takes no bids any more. Rounds still end as they stand.",
                    "服务器日志空间已满,暂不受理出价;各轮次仍按现状结束。")
            }
        return Problem(.unavailable, code: "log.full", detail, retryAfterSeconds: 60)
    }

    fileprivate static func tooManyTexts(
        _ limiter: RateLimiter<ClientNetwork>, _ verdict: RateLimiter<ClientNetwork>.Verdict
    ) -> Problem {
        var problem = limiter.problem("address.storage_full", verdict)
        problem.detail = LocalizedText(
            "Your network address sent more than \(limiter.count) bytes of rooms, items, lots, rules, messages, blocks and orders "
                + "within a day (limit-text-bytes-per-address); bids in a running round are still taken, and so is what opens an announced "
                + "round, resumes or ends one, voids a sale, answers an offer, takes something back, mutes, bans or removes a member, or leaves.",
            "您的网络地址一天内发送的房间、物品、拍品、规则、消息、屏蔽与操作指令已超过 \(limiter.count) 字节(limit-text-bytes-per-address);"
                + "进行中轮次的出价不受影响;已上拍轮次的开拍、恢复与结束,作废成交、答复要约、撤回、禁言、封禁、移出与离开,也照常受理。")
        return problem
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// What a request for a stream has to show before there is one, whichever transport it asks for.
extension RequestContext {
    /// What a stream or a held long-poll counts against.
    var streamPlace: StreamBudget.Place {
        let shared = loop.shared
        return StreamBudget.Place(
            holder: loop.requester(caller?.id, of: exchange),
            proxied: exchange.isProxied(shared.proxies) ? exchange.clientNetwork(shared) : nil)
    }

    /// The seq to begin after; nil if the reader has seen more of the room than this node and the log is being asked, after which
    /// the request is handled again.
    func cursor(_ items: QueryItems, lastEventID: String? = nil) throws(Problem) -> Int? {
        let seq = try requiredView().room.seq
        // What a reader had last is newer than what its page once asked for.
        if let lastEventID, !lastEventID.isEmpty {
            guard let after = Int(lastEventID), after >= 0 else {
                throw .malformed(
                    "Last-Event-ID must be a seq of this room.", "Last-Event-ID 须为该房间的序号。", field: "Last-Event-ID")
            }
            return try checked(after, seq, "Last-Event-ID")
        }
        if items["after"] == "latest" { return seq }
        return try checked(try items.int("after", in: 0...Int.max, default: 0), seq, "after")
    }

    private func checked(_ after: Int, _ seq: Int, _ field: String) throws(Problem) -> Int? {
        guard after <= seq else {
            if loop.shared.service.isShared, !isFresh {
                // Who saw it there comes from another node.
                try loop.freshen(requiredRoom().id, exchange, requestID)
                return nil
            }
            throw .malformed(
                "\"\(field)\" is \(after), but the room's last seq is \(seq).", "\(field) 超出房间当前序号 \(seq)。", field: field)
        }
        return after
    }

    /// Long-lived connections leave room for short requests.
    func checkRoomForStreams() throws(Problem) {
        if loop.isDraining { throw Problem(RequestRefusal.shuttingDown) }
        guard let crowding = exchange.crowding else { return }
        throw Problem(
            .unavailable, code: crowding.code,
            LocalizedText(crowding.detail, "剩余连接留给短请求(\(crowding.code)),请改用不等待的轮询或稍后重试。"),
            headers: [AnswerHeader(name: "Retry-After", value: "5")])
    }

    /// Counts a watcher of the room; false if the room left the memory meanwhile and is being looked for, after which the request
    /// is handled again.
    func beginWatching() throws(Problem) -> Bool {
        let room = try requiredRoom()
        room.beginWatching()
        guard loop.shared.service.rooms[room.id] === room else {
            room.endWatching()
            try loop.look(for: room.id, exchange, requestID)
            return false
        }
        return true
    }
}

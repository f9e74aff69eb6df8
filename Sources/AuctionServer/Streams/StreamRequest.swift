internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// Checks of a request for a stream that all transports share.
extension RequestContext {
    /// The limits that a stream or held long-poll of this request counts against.
    func streamPlace(of viewer: Caller?) -> StreamBudget.Place {
        let shared = loop.shared
        return StreamBudget.Place(
            holder: loop.requester(viewer?.id, of: exchange),
            proxied: shared.origins.isProxied(exchange) ? shared.origins.network(of: exchange) : nil)
    }

    /// The seq to start after; nil if it is beyond this node's state of the room: the room is then refreshed from the log, and the
    /// request resumed.
    func cursor(_ items: QueryItems, lastEventID: String? = nil, in room: VisibleRoom) throws(Problem) -> Int? {
        // After a reconnect, Last-Event-ID is newer than the `after` of the original URL.
        if let lastEventID, !lastEventID.isEmpty {
            guard let after = Int(lastEventID), after >= 0 else {
                throw .malformed(
                    "Last-Event-ID must be a seq of this room.", "Last-Event-ID 须为该房间的序号。", field: "Last-Event-ID")
            }
            return try checked(after, room.state, "Last-Event-ID")
        }
        if items["after"] == "latest" { return room.state.seq }
        return try checked(try items.int("after", in: 0...Int.max, default: 0), room.state, "after")
    }

    private func checked(_ after: Int, _ room: Room, _ field: String) throws(Problem) -> Int? {
        guard after <= room.seq else {
            if loop.shared.service.isShared, !isFresh {
                // The client may have received this seq from another node.
                try loop.refresh(room.id, self)
                return nil
            }
            throw .malformed(
                "\"\(field)\" is \(after), but the room's last seq is \(room.seq).", "\(field) 超出房间当前序号 \(room.seq)。",
                field: field)
        }
        return after
    }

    /// Refuses a stream while the remaining connections are reserved for short requests.
    func checkStreamCapacity() throws(Problem) {
        if loop.isDraining { throw Problem(RequestRefusal.shuttingDown) }
        guard let capacityRefusal = exchange.capacityRefusal else { return }
        throw Problem(
            .unavailable, code: capacityRefusal.code,
            LocalizedText(capacityRefusal.detail, "剩余连接留给短请求(\(capacityRefusal.code)),请改用不等待的轮询或稍后重试。"),
            retryAfterSeconds: 5)
    }

    /// Counts a watcher of the room; false if the room was evicted meanwhile: it is then loaded, and the request resumes.
    func beginWatching(_ room: CommittedRoom) throws(Problem) -> Bool {
        if loop.shared.service.rooms.watch(room) { return true }
        try loop.loadRoom(room.id, self)
        return false
    }
}

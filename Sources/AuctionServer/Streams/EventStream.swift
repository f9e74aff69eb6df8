internal import AuctionService
internal import MicroHTTP

/// A room's events as `text/event-stream`.
enum EventStream {
    static let mediaType = "text/event-stream"

    /// Whether an Accept header prefers a stream to a page: it must name the media type, or refuse pages by name; wildcards do not
    /// count. A client that names both alike gets a page, which ends: generated clients name every media type of the contract.
    static func isPreferred(_ accept: String?) -> Bool {
        guard let accept, accept.utf8.count >= mediaType.utf8.count else { return false }
        let stream = MediaRange.preference(for: mediaType, in: accept)
        let page = MediaRange.preference(for: "application/json", in: accept)
        guard stream.weight > 0, stream.isNamed || page.isNamed && page.weight == 0 else { return false }
        return page.isNamed ? stream.weight > page.weight : stream.weight >= page.weight
    }

    static func open(_ context: RequestContext, _ visible: VisibleRoom) throws(Problem) -> Reply {
        // `wait` and `limit` have no effect here; clients that can fall back to long-polling may send them all the same.
        let items = try context.query("after", "wait", "limit", "ticket", "lastEventId")
        // A substitute for EventSource that cannot set the header sends a parameter.
        let lastEventID = context.exchange.header("Last-Event-ID") ?? items["lastEventId"]
        guard let after = try context.cursor(items, lastEventID: lastEventID, in: visible) else { return .later }
        try context.checkStreamCapacity()
        let (loop, room, place) = (context.loop, visible.committed, context.streamPlace(of: visible.viewer))
        guard try context.beginWatching(room) else { return .later }
        do throws(Problem) {
            try loop.shared.limits.streams.enter(place)
        } catch {
            room.endWatching()
            throw error
        }
        let headers = [
            (name: "Content-Type", value: mediaType), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
            ("X-Request-Id", context.requestID),
        ]
        guard let stream = context.exchange.stream(headers: headers, options: loop.subscribers.settings.response) else {
            room.endWatching()
            loop.shared.limits.streams.leave(place)
            return .later
        }
        // The id lets clients resume even if no event follows. The comment shows that the stream is open.
        stream.send(SharedBytes(Array(": auction-room\nretry: 2000\nid: \(after)\n\n".utf8)))
        loop.subscribers.subscribe(stream, .serverSentEvents, to: visible, after: after, at: place)
        return .later
    }
}

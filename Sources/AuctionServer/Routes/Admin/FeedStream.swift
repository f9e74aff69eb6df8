internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import WebSocketFrames

/// The feed as `text/event-stream`. The next events are read once the client has taken the ones before.
final class FeedStream {
    /// A comment is sent after this time without events, so that the client knows that the connection lives.
    private static let silenceMilliseconds = 15_000
    /// Events of one read.
    private static let limit = 256

    private let request: FeedRequest
    private let stream: any StreamSink
    /// After what was sent.
    private var cursor: FeedCursor
    private var hasEnded = false
    private var isReading = false

    private init(_ request: FeedRequest, _ stream: any StreamSink, at cursor: FeedCursor) {
        (self.request, self.stream, self.cursor) = (request, stream, cursor)
    }

    /// Opens the stream once the position was found and it has a place, so that it is refused with a status otherwise.
    static func open(_ context: RequestContext, _ request: FeedRequest, from start: FeedStart) throws(Problem) -> Reply {
        let first = FeedRequest(context, by: request.token, limit: limit, filter: request.filter)
        try first.read(from: start) { found in
            context.loop.proceed(context) { () throws(Problem) in
                let (feed, batch) = try found.getPage()
                let headers = [
                    (name: "Content-Type", value: EventStream.mediaType), ("Cache-Control", "no-store"),
                    ("X-Accel-Buffering", "no"), ("X-Request-Id", context.requestID),
                ]
                let options = context.loop.subscribers.settings.response
                let watch = context.loop.shared.operators.feed
                guard watch.enterStream() else { throw .tooManyFeedReaders }
                guard let stream = context.exchange.stream(headers: headers, options: options) else {
                    return watch.leaveStream()
                }
                FeedStream(first, stream, at: batch.end(in: feed)).begin(with: batch)
            }
        }
        return .later
    }

    private func begin(with batch: FeedBatch) {
        // The stream holds this object until it ends.
        stream.onEnd = { [self] in
            hasEnded = true
            stream.onDrained = nil
            request.context.loop.shared.operators.feed.leaveStream()
        }
        stream.onDrained = { [self] in readOn() }
        let first = batch.isEmpty ? cursor.text : ""
        stream.send(SharedBytes(Array(": auction-room\nretry: 2000\nid: \(first)\n\n".utf8)))
        send(batch)
    }

    private func send(_ batch: FeedBatch) {
        let feed = cursor.feed
        cursor = batch.end(in: feed)
        for (index, event) in batch.events.enumerated() {
            var json = JSONWriter(reserving: event.event.publicBytes.count + 128)
            let cursor = batch.cursor(of: event, in: feed)
            json.object { $0.members(of: event, at: cursor) }
            // The last of those with one cursor has it as its id: a client that was cut off before gets all of them again.
            let isLast = index + 1 == batch.events.count || batch.events[index + 1].position != event.position
            send(json.bytes, event.event.type, id: isLast ? cursor : nil)
        }
        for notice in batch.notices {
            var json = JSONWriter(reserving: notice.event.count + 128)
            let cursor = batch.cursor(of: notice, in: feed)
            json.object { $0.members(of: notice, at: cursor) }
            send(json.bytes, FeedNotice.type, id: cursor)
        }
        if batch.isEmpty {
            // The position moves on although no event was wanted: a client that comes back does not begin before them again.
            stream.send(SharedBytes(Array(": nothing new\nid: \(cursor.text)\n\n".utf8)))
        }
        // What was written at once is not reported as drained.
        if stream.bufferedBytes == 0 { readOn() }
    }

    private func send(_ data: [UInt8], _ type: String, id: FeedCursor?) {
        let head = "\(id.map { "id: \($0.text)\n" } ?? "")event: \(type)\ndata: "
        stream.send(SharedBytes(Array(head.utf8) + data + Array("\n\n".utf8)))
    }

    private var isAllowed: Bool { !request.context.loop.isDraining && request.isStillAllowed }

    private func readOn() {
        guard !hasEnded, !isReading else { return }
        guard isAllowed else { return stream.close(CloseStatus(.goingAway)) }
        isReading = true
        do throws(Problem) {
            try request.wait(after: cursor, milliseconds: Self.silenceMilliseconds, isStream: true) { [self] outcome in
                took(outcome)
            }
        } catch {
            stream.close(CloseStatus(.goingAway))
        }
    }

    private func took(_ outcome: FeedWatch.Outcome) {
        isReading = false
        guard !hasEnded else { return }
        guard isAllowed else { return stream.close(CloseStatus(.goingAway)) }
        guard case .success(let batch) = outcome else { return stream.close(CloseStatus(.goingAway)) }
        send(batch)
    }
}

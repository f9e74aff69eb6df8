internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import WebSocketFrames

// Periodic notices act as keep-alives: proxies and routers do not drop the connection as idle, and a client that receives nothing for
// several intervals can conclude that the connection is dead.
extension LoopHandler {
    func armNoticeTimer() {
        guard streams.noticeTimer == nil, !isDraining else { return }
        let milliseconds = Int(max(0.01, streams.options.noticeSeconds) * 1000)  // proven: an option
        streams.noticeTimer = loop.schedule(afterMilliseconds: milliseconds) { [weak self] in
            guard let self else { return }
            streams.noticeTimer = nil
            sendNotices()
        }
    }

    private func sendNotices() {
        guard !streams.subscribers.isEmpty else { return }
        armNoticeTimer()
        let now = shared.clock.now().wall
        for (_, subscribers) in Dictionary(grouping: streams.subscribers.values, by: { $0.room.id }) {
            let content = StreamContent.presence(viewers: subscribers[0].room.viewers, at: now, in: shared.responses)
            streams.fanOut.add(.send(content), to: subscribers.map(\.id))
        }
        sendSlice()
    }
}

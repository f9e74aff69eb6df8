internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// On a shared log, memory may lag behind other nodes' writes: reads then report their age or are refused. Commands need no such check,
// as the log compares versions when it appends.
extension LoopHandler {
    /// When this room was last known to match the log, in monotonic time; nil if the log is not shared.
    func confirmation(of room: CommittedRoom) -> Int64? { shared.service.isShared ? room.confirmedAt : nil }

    /// The `Age` header of a read that was last confirmed at `instant`; nil if that is recent, or if the log is not shared.
    /// - Throws: `.stale` if the data is too old to be returned.
    func ageHeader(confirmedAt instant: Int64?) throws(Problem) -> (name: String, value: String)? {
        guard let instant else { return nil }
        let limit = shared.options.limits.staleSeconds
        switch ReadAge(confirmedAt: instant, now: shared.clock.uptime(), limitSeconds: limit) {
        case .fresh: return nil
        case .aged(let seconds): return ("Age", String(seconds))
        case .stale: throw .stale(limit)
        }
    }
}

extension Problem {
    fileprivate static func stale(_ limit: Int) -> Problem {
        Problem(
            .unavailable, code: "service.stale",
            LocalizedText(
                "This server could not see for more than \(limit) s what others wrote to the event log; try again, or another server.",
                "本服务器已超过 \(limit) 秒无法得知其他服务器写入的内容,请稍后重试或访问其他服务器。"))
    }
}

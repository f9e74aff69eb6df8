internal import AuctionService
internal import EventLog
internal import MicroHTTP
internal import Permissions

// Where other nodes write to the log too, what is in memory may be behind it: then a read says how far, or is refused. Commands are
// compared in the log itself and need none of this.
extension LoopHandler {
    /// When this room was last known to be what the log has; nil on a log that is this process's alone.
    func confirmation(of room: CommittedRoom) -> Int64? { shared.service.isShared ? room.confirmedAt : nil }

    /// The header for a read of what was confirmed at an instant; none where that is recent, or always so.
    /// - Throws: `.stale` where it is too old to be shown.
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
                "本服务器已超过 \(limit) 秒无法得知其他服务器写入的内容,请稍后重试或访问其他服务器。"),
            headers: [AnswerHeader(name: "Retry-After", value: "1")])
    }
}

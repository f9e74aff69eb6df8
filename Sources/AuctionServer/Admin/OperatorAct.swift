internal import AuctionService
internal import EventLog
internal import MicroHTTP

/// A command in a room by a program of the operator. A class, because every request has a place for it, and those of users leave it empty.
final class OperatorAct: Sendable {
    let token: ServiceToken
    /// Shown in the room and kept in the audit.
    let reason: String

    init(token: ServiceToken, reason: String) { (self.token, self.reason) = (token, reason) }
}

extension LoopHandler {
    /// Writes the entry of the audit, then has `submit` submit the command: whatever was done is listed, and some of what was refused then.
    func record(
        _ act: OperatorAct, of context: RequestContext, then submit: @escaping () throws(Problem) -> Void
    ) throws(Problem) {
        let target = String(context.exchange.path.dropFirst("/v1/rooms/".count).prefix(RecordLimits.nameBytes))
        let change = context.auditEntry(target, reason: act.reason, by: act.token).change
        try readRecords(context, for: act.token.id) { log throws(EventLogError) in
            try log.write([change])
        } then: { isWritten throws(Problem) in
            guard isWritten else { throw .unavailable }
            try submit()
        }
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog

// A long period without client commands, in which idempotency keys age.
extension World {
    static let hour: Int64 = 3600 * 1000

    /// Lets hours pass, then repeats keyed requests from before; some periods end just before the keys expire, some just after.
    func passIdlePeriod() {
        let (kind, margin) = (habits.roll(1...4), habits.amount(60_000...600_000))
        let length =
            switch kind {
            case 1: habits.amount(2...20) * Self.hour
            case 2: 24 * Self.hour - margin
            default: 24 * Self.hour + margin
            }
        trace.note("\(time) an idle period of \(length) ms begins")
        let keyedRequests = transcript.requests.filter { $0.key != nil }.suffix(24)
        idleSince = time
        idleUntil = time + length
        advance(to: idleUntil)
        trace.note("\(time) the idle period is over")
        for request in keyedRequests where habits.once(in: 3) {
            send(request.number, to: habits.roll(0...(nodes.count - 1)), in: latency())
        }
        // Another body under a key from before the idle period, which has expired or not.
        guard let old = keyedRequests.last, let key = old.key?.key else { return }
        let fingerprint = UInt64(transcript.requests.count)
        ask(
            .sendMessage("Good morning \(fingerprint)"), of: old.room, by: old.caller,
            key: IdempotencyKey(key: key, fingerprint: fingerprint))
    }
}

extension Sequencer.LoadedState {
    /// A copy with other keys.
    func with(keys: [StoredKey]) -> Self { Self(room: room, keys: keys, snapshots: snapshots, latest: latest, readAt: readAt) }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog

// A night in which nobody does anything and the processes live on: keys grow old.
extension World {
    static let hour: Int64 = 3600 * 1000

    /// Some nights end just before the keys of the evening expire, some just after.
    func sleep() {
        let (kind, margin) = (habits.roll(1...4), habits.amount(60_000...600_000))
        let length =
            switch kind {
            case 1: habits.amount(2...20) * Self.hour
            case 2: 24 * Self.hour - margin
            default: 24 * Self.hour + margin
            }
        trace.note("\(time) a night of \(length) ms begins")
        let evening = transcript.requests.filter { $0.key != nil }.suffix(24)
        nightBegan = time
        nightEnds = time + length
        advance(to: nightEnds)
        trace.note("\(time) the night is over")
        for request in evening where habits.once(in: 3) {
            send(request.number, to: habits.roll(0...(nodes.count - 1)), in: latency())
        }
        // Another body under a key of the evening, which is fresh again or is not.
        guard let old = evening.last, let key = old.key?.key else { return }
        let fingerprint = UInt64(transcript.requests.count)
        ask(
            .sendMessage("Good morning \(fingerprint)"), of: old.room, by: old.caller,
            key: IdempotencyKey(key: key, fingerprint: fingerprint))
    }
}

extension Sequencer.LoadedState {
    /// The same with keys that seem to have come in with their reading: a bug.
    func withKeys(readAt instant: Timestamp) -> Self {
        Self(
            room: room,
            keys: keys.map {
                StoredKey(key: $0.key, fingerprint: $0.fingerprint, owner: $0.owner, at: instant, position: $0.position)
            },
            snapshots: snapshots)
    }
}

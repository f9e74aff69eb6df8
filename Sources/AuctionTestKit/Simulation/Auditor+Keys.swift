internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// The key of a command that changed something counts once in 24 hours, whatever came with it, and is forgotten then.
extension Auditor {
    private static let lifetime: Int64 = 24 * 3600 * 1000

    /// How far a key's age may be off: the request waited, the clock drifted, time was slow or began anew after it was set back,
    /// or jumped while no process was there.
    private var tolerance: Int64 { 45_000 + transcript.setBacks + transcript.unseenJumps }

    private struct Use {
        let fingerprint: UInt64
        let answer: [UInt8]
        /// In simulated time.
        let at: Int64
        let attempt: Int
    }

    mutating func keys() {
        carriedOutOnce()
        var uses: [UInt128: [Use]] = [:]
        for attempt in transcript.attempts {
            guard let key = request(attempt).key, let answer = attempt.answer, answer.status == 200,
                let told = answers[attempt.number]?["serverTime"]?.instant, let arrivedAt = attempt.arrivedAt
            else { continue }
            let at = attempt.isReplay ? time(of: told, before: arrivedAt) : arrivedAt
            expires(attempt, at)
            // A command that changed nothing is decided anew; only what made something is known to have changed something.
            guard attempt.isReplay || made[attempt.number]?.isEmpty == false else { continue }
            let use = Use(fingerprint: key.fingerprint, answer: answer.body, at: at, attempt: attempt.number)
            let others = uses[key.key, default: []].filter { abs($0.at - at) < Self.lifetime - tolerance }
            if let other = others.first { compare(attempt, use, with: other) } else { uses[key.key, default: []].append(use) }
        }
    }

    /// What makes something with an identifier makes one.
    private mutating func carriedOutOnce() {
        var madeBy: [UInt128: [(at: Int64, attempt: Int)]] = [:]
        for attempt in transcript.attempts {
            guard let key = request(attempt).key, let made = made[attempt.number], !made.isEmpty, let at = attempt.arrivedAt
            else {
                continue
            }
            let first = madeBy[key.key, default: []].first { abs($0.at - at) < Self.lifetime - tolerance }
            if let first {
                find("exactly once", "\(name(attempt)) was carried out although attempt \(first.attempt) with the same key was")
            }
            madeBy[key.key, default: []].append((at, attempt.number))
        }
    }

    /// All who were told of it were told the same, byte for byte.
    private mutating func compare(_ attempt: Attempt, _ use: Use, with first: Use) {
        if first.fingerprint != use.fingerprint {
            find("keys", "\(name(attempt)) was carried out under the key of attempt \(first.attempt)")
        } else if first.answer != use.answer {
            find("same answer", "\(name(attempt)) was told otherwise than attempt \(first.attempt) with the same key")
        }
    }

    /// About when a process's clock showed an instant, in simulated time.
    private func time(of instant: Timestamp, before latest: Int64) -> Int64 {
        let known = transcript.attempts.filter {
            $0.arrivedAt.map { $0 <= latest } ?? false && $0.arrival.map { $0 <= instant } ?? false
        }
        guard let last = known.max(by: { ($0.arrivedAt ?? 0, $0.number) < ($1.arrivedAt ?? 0, $1.number) }),
            let arrival = last.arrival, let arrivedAt = last.arrivedAt
        else { return latest }
        let next = transcript.attempts.compactMap(\.arrivedAt).filter { $0 > arrivedAt }.min() ?? latest
        return min(arrivedAt + instant.milliseconds(since: arrival), next, latest)
    }

    private mutating func expires(_ attempt: Attempt, _ told: Int64) {
        guard attempt.isReplay, let arrival = attempt.arrivedAt else { return }
        let age = arrival - told
        if age > Self.lifetime + tolerance { find("expiry", "\(name(attempt)) got an answer that is \(age) ms old") }
    }
}

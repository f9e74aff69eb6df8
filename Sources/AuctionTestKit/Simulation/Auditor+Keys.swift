internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// A key counts once in 24 hours, whatever came with it, and is forgotten then.
extension Auditor {
    private static let lifetime: Int64 = 24 * 3600 * 1000

    /// How far a key's age may be off: the request waited, the clock drifted, or somebody set it.
    private var tolerance: Int64 { 45_000 + transcript.clockSteps }

    private struct Use {
        let fingerprint: UInt64
        let answer: [UInt8]
        let at: Int64
        let attempt: Int
    }

    mutating func keys() {
        carriedOutOnce()
        var uses: [UInt128: [Use]] = [:]
        for attempt in transcript.attempts {
            guard let key = request(attempt).key, let answer = attempt.answer, answer.status == 200,
                let at = answers[attempt.number]?["serverTime"]?.instant?.milliseconds
            else { continue }
            expires(attempt, at)
            let use = Use(fingerprint: key.fingerprint, answer: answer.body, at: at, attempt: attempt.number)
            let others = uses[key.key, default: []].filter { abs($0.at - at) < Self.lifetime - tolerance }
            if let other = others.first { compare(attempt, use, with: other) } else { uses[key.key, default: []].append(use) }
        }
    }

    /// What makes something with an identifier makes one.
    private mutating func carriedOutOnce() {
        var madeBy: [UInt128: [(at: Int64, attempt: Int)]] = [:]
        for attempt in transcript.attempts {
            guard let key = request(attempt).key, let made = made[attempt.number], !made.isEmpty, let at = attempt.arrival
            else {
                continue
            }
            let first = madeBy[key.key, default: []].first { abs($0.at - at.milliseconds) < Self.lifetime - tolerance }
            if let first {
                find("exactly once", "\(name(attempt)) was carried out although attempt \(first.attempt) with the same key was")
            }
            madeBy[key.key, default: []].append((at.milliseconds, attempt.number))
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

    private mutating func expires(_ attempt: Attempt, _ told: Int64) {
        guard attempt.isReplay, let arrival = attempt.arrival?.milliseconds else { return }
        let age = arrival - told
        if age > Self.lifetime + tolerance { find("expiry", "\(name(attempt)) got an answer that is \(age) ms old") }
    }
}

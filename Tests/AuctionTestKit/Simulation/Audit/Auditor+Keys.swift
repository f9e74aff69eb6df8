internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

// An idempotency key whose command changed a room is used at most once in 24 hours, whatever its request, and expires then.
extension Auditor {
    private static let lifetime: Int64 = 24 * 3600 * 1000

    /// Tolerance of a key's age in milliseconds: the request waited, the clock drifted, ran slowly or restarted after it was set
    /// back, or jumped while no process ran.
    private var tolerance: Int64 { 45_000 + transcript.setBacks + transcript.unseenJumps }

    private struct Use {
        let fingerprint: UInt64
        let response: [UInt8]
        /// In simulated time.
        let at: Int64
        let attempt: Int
    }

    mutating func keys() {
        carriedOutOnce()
        var uses: [UInt128: [Use]] = [:]
        for attempt in transcript.attempts {
            guard let key = request(attempt).key, let response = attempt.response, response.status == 200,
                let recordedAt = responses[attempt.number]?["serverTime"]?.instant, let arrivedAt = attempt.arrivedAt
            else { continue }
            let at = attempt.isReplay ? time(of: recordedAt, before: arrivedAt) : arrivedAt
            expires(attempt, at)
            // The key of a command without effect is not kept; only a created object proves that the command had one.
            guard attempt.isReplay || created[attempt.number]?.isEmpty == false else { continue }
            let use = Use(fingerprint: key.fingerprint, response: response.body, at: at, attempt: attempt.number)
            let others = uses[key.key, default: []].filter { abs($0.at - at) < Self.lifetime - tolerance }
            if let other = others.first { compare(attempt, use, with: other) } else { uses[key.key, default: []].append(use) }
        }
    }

    /// Checks that commands with the same key created at most one object.
    private mutating func carriedOutOnce() {
        var createdBy: [UInt128: [(at: Int64, attempt: Int)]] = [:]
        for attempt in transcript.attempts {
            guard let key = request(attempt).key, let created = created[attempt.number], !created.isEmpty,
                let at = attempt.arrivedAt
            else {
                continue
            }
            let first = createdBy[key.key, default: []].first { abs($0.at - at) < Self.lifetime - tolerance }
            if let first {
                report(
                    "exactly once", "\(name(attempt)) was carried out although attempt \(first.attempt) with the same key was")
            }
            createdBy[key.key, default: []].append((at, attempt.number))
        }
    }

    /// Checks that every response under the same key is the same, byte for byte.
    private mutating func compare(_ attempt: Attempt, _ use: Use, with first: Use) {
        if first.fingerprint != use.fingerprint {
            report("keys", "\(name(attempt)) was carried out under the key of attempt \(first.attempt)")
        } else if first.response != use.response {
            report("same response", "\(name(attempt)) got another response than attempt \(first.attempt) with the same key")
        }
    }

    /// Approximate simulated time at which a process's clock showed `instant`.
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

    private mutating func expires(_ attempt: Attempt, _ recordedAt: Int64) {
        guard attempt.isReplay, let arrival = attempt.arrivedAt else { return }
        let age = arrival - recordedAt
        if age > Self.lifetime + tolerance { report("expiry", "\(name(attempt)) got an answer that is \(age) ms old") }
    }
}

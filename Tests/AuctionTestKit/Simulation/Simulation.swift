internal import AuctionDomain
internal import AuctionService
internal import EventLog

/// Runs the whole service in simulated time; each run is determined by its options alone and checked by an auditor.
package struct Simulation: Sendable {
    private let rulebook: RoomRulebook

    /// - Throws: `UnsoundStates` or `DuplicateRule`, which the product's tests rule out.
    package init(bug: SimulationBug? = nil) throws { rulebook = try .broken(by: bug) }

    /// Counts and findings of one run.
    package struct Report: Sendable {
        /// Options that reproduce the run.
        package let options: SimulationOptions
        /// Number of requests that arrived, duplicates and retries included.
        package let commands: Int
        /// Number of commands answered with 200.
        package let accepted: Int
        /// Number of events in the final log, over all rooms.
        package let events: Int
        /// Number of process restarts, over all nodes.
        package let restarts: Int
        /// Number of rounds that ended with a result.
        package let rounds: Int
        /// Broken guarantees; empty if the run passed.
        package let findings: [SimulationFinding]
        /// FNV-1a over responses, delivered events and the log: equal for runs with the same options.
        package let digest: UInt64
        /// The last lines of the trace; empty unless `tracing` was set.
        package let trace: [String]
    }

    /// Runs and audits one simulation; `tracing` records what happens.
    package func run(_ options: SimulationOptions, tracing: Bool = false) -> Report {
        let world = World(options, rulebook: rulebook, tracing: tracing)
        world.settle()
        while world.step < options.steps {
            world.step += 1
            world.act()
        }
        world.finishWithoutFaults()
        var auditor = Auditor(
            world.transcript, people: world.people, survivors: Set(world.nodes.filter { $0.failure == nil }.map(\.name)))
        let findings = world.findings + auditor.audit()
        let transcript = world.transcript
        let events = transcript.rooms.reduce(0) { $0 + (transcript.log[$1]?.count ?? 0) }
        return Report(
            options: options, commands: transcript.attempts.count { $0.arrivedAt != nil },
            accepted: transcript.attempts.count { $0.response?.status == 200 }, events: events,
            restarts: world.nodes.reduce(0) { $0 + $1.name.life },
            rounds: transcript.rooms.reduce(0) { sum, room in
                sum + (transcript.log[room] ?? []).count { $0.type == "item.sold" || $0.type == "item.passed" }
            }, findings: findings, digest: transcript.digest, trace: world.trace.lines)
    }
}

extension Transcript {
    /// FNV-1a over responses, subscriptions and the log.
    var digest: UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        for attempt in attempts {
            add("\(attempt.request) \(attempt.sentAt) \(attempt.answeredAt ?? -1) \(attempt.receivedAt ?? -1)".utf8)
            if let response = attempt.response { add(response.body) }
        }
        for subscription in subscriptions { add("\(subscription.start) \(subscription.cursor)".utf8) }
        for room in rooms { for event in log[room] ?? [] { add(event.hash.bytes) } }
        return digest
    }
}

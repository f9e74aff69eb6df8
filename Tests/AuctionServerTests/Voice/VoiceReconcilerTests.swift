@testable import AuctionServer
import AuctionDomain
import AuctionTestKit
import EventLog
import TestSupport
import Testing

struct VoiceReconcilerTests {
    private static let room = RoomID(bits: 1)
    private static let (host, guest, other) = (UserID(bits: 1), UserID(bits: 2), UserID(bits: 3))
    private static let second: Int64 = 1_000_000_000
    private var reconciler = VoiceReconciler(at: .beginning)
    private var now: Int64 = 0

    private mutating func take(_ speakers: UserID..., removed: [UserID] = [], isOver: Bool = false) {
        reconciler.take(
            Self.room, VoiceRights(isOver: isOver, speakers: Set(speakers)), removed: removed,
            since: Timestamp(milliseconds: now / 1_000_000), at: now)
    }

    /// The next order, which is answered at once.
    private mutating func next(_ answer: VoiceAnswer = .done) -> VoiceCall.Order? {
        guard let call = reconciler.nextCall(at: now) else { return nil }
        reconciler.finished(call, answer, at: now, jitter: 1)
        return call.order
    }

    private func participants(_ present: [UserID: Bool], speakers: UserID...) -> VoiceAnswer {
        .participants(
            Dictionary(uniqueKeysWithValues: present.map { ($0.key.description, $0.value) }),
            VoiceRights(speakers: Set(speakers)))
    }

    @Test mutating func `a room that was not known is compared, then each change is one call`() {
        take(Self.host)
        #expect(next(participants([Self.host: false], speakers: Self.host)) == .list)
        #expect(next() == .permit(Self.host, speaks: true))
        #expect(next() == nil)
        take(Self.host, Self.guest)
        #expect(next() == .permit(Self.guest, speaks: true))
        take(Self.host)
        #expect(next() == .permit(Self.guest, speaks: false))
        #expect(next() == nil && reconciler.waiting == 0)
    }

    @Test mutating func `of ten changes of one user while a call is in flight the last one is sent`() throws {
        take(Self.host)
        _ = next(participants([:], speakers: Self.host))
        take(Self.host, Self.guest)
        let sent = reconciler.nextCall(at: now)
        let call = try #require(sent)
        for _ in 1...5 {
            take(Self.host)
            take(Self.host, Self.guest)
        }
        #expect(reconciler.nextCall(at: now) == nil)
        reconciler.finished(call, .failed, at: now, jitter: 1)
        now += Self.second
        #expect(next() == .permit(Self.guest, speaks: true))
        #expect(next() == nil)
    }

    @Test mutating func `one who is removed leaves, and an archived room is deleted, with nothing else`() {
        take(Self.host, Self.guest)
        _ = next(participants([:], speakers: Self.host, Self.guest))
        take(Self.host, removed: [Self.guest])
        #expect(next() == .remove(Self.guest))
        take(Self.host, Self.other)
        take(isOver: true)
        #expect(next() == .deleteRoom)
        #expect(next() == nil)
    }

    @Test mutating func `one who is removed while a room is compared is not only muted`() throws {
        take(Self.host, Self.guest)
        let sent = reconciler.nextCall(at: now)
        let comparison = try #require(sent)
        take(Self.host, removed: [Self.guest])
        let answer = participants([Self.guest: true], speakers: Self.host)
        reconciler.finished(comparison, answer, at: now, jitter: 1)
        #expect(next() == .remove(Self.guest))
        #expect(next() == nil)
    }

    @Test mutating func `an answer to a call from before the lease was lost counts for no call`() throws {
        take(Self.host)
        let sent = reconciler.nextCall(at: now)
        let old = try #require(sent)
        reconciler = VoiceReconciler(at: .beginning)
        reconciler.take(
            RoomID(bits: 2), VoiceRights(speakers: [Self.host]), since: Timestamp(milliseconds: 0), at: now)
        let later = reconciler.nextCall(at: now)
        let call = try #require(later)
        #expect(call.number == old.number)
        let ofOld = reconciler.finished(old, .failed, at: now, jitter: 1)
        let ofCall = reconciler.finished(call, participants([:], speakers: Self.host), at: now, jitter: 1)
        #expect(!ofOld && ofCall)
    }

    @Test mutating func `after a failure there is a pause, which grows to five seconds, and one call at a time`() {
        take(Self.host)
        _ = next(participants([:], speakers: Self.host))
        take(Self.host, Self.guest)
        var pauses: [Int64] = []
        for _ in 1...6 {
            let begun = now
            while next(.failed) == nil { now += Self.second / 10 }
            pauses.append((now - begun) * 10 / Self.second)
        }
        #expect(pauses == [0, 5, 10, 20, 40, 50])
        #expect(next() == nil)
        now += 5 * Self.second
        #expect(next() == .permit(Self.guest, speaks: true))
    }

    @Test mutating func `there are at most ten calls in a second, and five of them compare`() {
        for number in 1...30 {
            reconciler.take(
                RoomID(bits: UInt128(number)), VoiceRights(speakers: [Self.host]), since: Timestamp(milliseconds: 0), at: now)
        }
        var comparisons = 0
        while next(participants([Self.guest: true], speakers: Self.host)) == .list { comparisons += 1 }
        #expect(comparisons == 1, "the first finds something to send")
        var calls = 2
        while next(participants([Self.guest: true], speakers: Self.host)) != nil { calls += 1 }
        #expect(calls == VoiceReconciler.callsPerSecond)
    }

    @Test mutating func `a room is compared every 15 seconds until no token from before is valid, then forgotten`() {
        take(Self.host)
        var comparisons = 0
        while now <= 2 * VoiceReconciler.watch {
            if next(participants([Self.host: true], speakers: Self.host)) == .list { comparisons += 1 }
            now += Self.second
        }
        #expect(comparisons == 46)
    }

    @Test mutating func `a node that starts begins before the changes that are watched`() {
        for number in 1...100 {
            reconciler.passed(FeedPosition(number: Int64(number), hash: 0), at: now)
            if number == 50 { take(Self.host) }
            now += 10 * Self.second
        }
        let resumption = reconciler.resumption()
        #expect((45...50).contains(resumption.number), "\(resumption.number)")
    }

    @Test mutating func `the positions of a long outage are bounded, and a node that starts begins before it still`() {
        for number in 1...2 * Int64(VoiceReconciler.markLimit) {
            reconciler.passed(FeedPosition(number: number, hash: 0), at: now)
            if number == 5 { take(Self.host) }
            // The service is away.
            if let call = reconciler.nextCall(at: now) { reconciler.finished(call, .failed, at: now, jitter: 1) }
            now += VoiceReconciler.comparisonPause
        }
        let marks = Mirror(reflecting: reconciler).children.first { $0.label == "marks" }?.value as? any Collection
        #expect(marks?.count == VoiceReconciler.markLimit)
        #expect((3...5).contains(reconciler.resumption().number))
        #expect(reconciler.position.number == 2 * Int64(VoiceReconciler.markLimit))
    }

    @Test
    mutating func
        `a room of a sweep is compared like one that changed, and one that has changed since is not forgotten for it`()
    {
        take(Self.host, Self.guest)
        _ = next(participants([:], speakers: Self.host, Self.guest))
        take(Self.host)
        reconciler.check(Self.room, VoiceRights(speakers: [Self.host]), quietFor: 0, at: now)
        #expect(next() == .permit(Self.guest, speaks: false))
        let other = RoomID(bits: 2)
        reconciler.check(other, VoiceRights(isOver: true, speakers: []), quietFor: 0, at: now)
        let listedAt = now
        let comparison = reconciler.nextCall(at: now)
        #expect(comparison?.room == other && comparison?.order == .list)
        if let comparison {
            let left = VoiceRights(isOver: true, speakers: [])
            reconciler.finished(comparison, .participants([Self.host.description: true], left), at: now, jitter: 1)
        }
        #expect(next() == .deleteRoom)
        #expect(!reconciler.isSettled(until: listedAt))
        while now <= VoiceReconciler.watch + 60 * Self.second {
            _ = next(.participants([:], VoiceRights(speakers: [Self.host])))
            now += Self.second
        }
        #expect(reconciler.isSettled(until: listedAt))
    }

    @Test mutating func `a room of a sweep whose last event is old is compared until both sides agree once`() {
        reconciler.check(Self.room, VoiceRights(speakers: [Self.host]), quietFor: .max, at: now)
        #expect(next(participants([Self.guest: true], speakers: Self.host)) == .list)
        #expect(next() == .permit(Self.guest, speaks: false))
        now += VoiceReconciler.comparisonPause
        #expect(!reconciler.isSettled(until: now))
        #expect(next(participants([Self.guest: false], speakers: Self.host)) == .list)
        #expect(reconciler.isSettled(until: now))
        now += VoiceReconciler.comparisonPause
        #expect(next() == nil)
    }

    @Test mutating func `a sweep leaves place for rooms that change`() {
        for number in 1...VoiceReconciler.sweepLimit {
            #expect(reconciler.hasPlaceToCheck)
            reconciler.check(RoomID(bits: UInt128(number)), VoiceRights(speakers: []), quietFor: 0, at: now)
        }
        #expect(!reconciler.hasPlaceToCheck && reconciler.wantsEvents)
    }

    @Test mutating func `rooms beyond the limit are forgotten, those that changed longest ago first`() {
        for number in 1...VoiceReconciler.roomLimit + 1 {
            now += 1
            reconciler.take(
                RoomID(bits: UInt128(number)), VoiceRights(speakers: [Self.host]), since: Timestamp(milliseconds: 0), at: now)
        }
        #expect(reconciler.wantsEvents)
        #expect(reconciler.nextCall(at: now)?.room == RoomID(bits: 2))
    }

    @Test func `whatever goes wrong, both sides agree once it is quiet`() {
        for seed in 1...RandomRuns.count(of: 60) {
            var simulation = VoiceSimulation(seed: seed)
            simulation.run()
            #expect(simulation.findings.isEmpty, "seed \(seed): \(simulation.findings)")
        }
    }

    @Test(arguments: VoiceSimulation.PlantedBug.allCases.filter { $0 != .none })
    func `the auditor finds each planted bug`(bug: VoiceSimulation.PlantedBug) {
        let found = (1...UInt64(60)).contains { seed in
            var simulation = VoiceSimulation(seed: seed, bug)
            simulation.run()
            return !simulation.findings.isEmpty
        }
        #expect(found)
    }
}

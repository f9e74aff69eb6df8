@testable import AuctionServer
import AuctionDomain
import AuctionTestKit
import EventLog

/// Rooms whose stages change, an RTC service with participants, and the reconciler between them, with a simulated clock and all that may go
/// wrong: calls that are lost, answered late, doubled and refused, an RTC service that is away and restarts empty, and restarts of the node,
/// some of them without the events that it would read next.
struct VoiceSimulation {
    /// What a test breaks, to see that the auditor finds it.
    enum PlantedBug: CaseIterable {
        case none
        /// The reader of the feed does not know mutes.
        case mutesAreNoChanges
        /// Comparisons find no participants.
        case listsAreEmpty
        /// A comparison is with what was right a while ago.
        case rightsAreStale
        /// Those who are banned are only muted.
        case removedAreMuted
        /// A node that starts begins at the end of the feed.
        case startsAtTheEnd
        /// Bans by operators are left to comparisons.
        case bansAreNotTaken
        /// Each call is sent twice at once.
        case sendsTwice
        /// A node whose cursor is gone begins at the end of the feed, and compares no room for it.
        case sweepIsMissing
        /// It compares the rooms that are not archived.
        case sweepLeavesOutArchived
        /// A node that starts during a sweep goes on at the end of the feed.
        case sweepEndsWithNode
        /// A room of a sweep is compared once, also while tokens from before its last event are valid.
        case sweepForgetsTokens
    }

    /// What the rooms say.
    private struct Truth {
        var host: UserID
        /// Seated users, and whether their seat is muted.
        var seats: [UserID: Bool] = [:]
        var banned: Set<UserID> = []
        var audience: Set<UserID>?
        var isOver = false

        /// - Parameter outlawed: Those whom an operator has banned.
        func rights(_ outlawed: Set<UserID>) -> VoiceRights {
            let seated = seats.filter { !$0.value }.map(\.key)
            let banned = banned.union(outlawed)
            return VoiceRights(
                isOver: isOver, speakers: Set(seated).union([host]).subtracting(banned), banned: banned, audience: audience)
        }
    }

    private struct Change {
        let room: RoomID
        let removed: [UserID]
        let isMute: Bool
        let at: Int64
    }

    private struct Token {
        let speaks: Bool
        let issuedAt: Int64
    }

    private enum Happening {
        case execution(VoiceCall)
        case answer(VoiceCall, isDone: Bool, VoiceAnswer?)
        case rejoin(RoomID, UserID)
    }

    private static let rooms = (1...3).map { RoomID(bits: $0) }
    private static let users = (1...7).map { UserID(bits: $0) }
    private static let step: Int64 = 100
    private static let timeout: Int64 = 5000

    private let bug: PlantedBug
    private var random: SeededGenerator
    private var now: Int64 = 0
    private var truth: [RoomID: Truth] = [:]
    /// Bans by operators, which are in no room's events.
    private var restrictions = (users: [UserID: UserRestriction](), version: Int64(0))
    private var bans = VoiceBans(since: Timestamp(milliseconds: 0))
    private var earlier: [RoomID: VoiceRights] = [:]
    private var lastChangeAt: [RoomID: Int64] = [:]
    private var feed: [Change] = []
    private var present: [RoomID: [UserID: Bool]] = [:]
    private var tokens: [RoomID: [UserID: Token]] = [:]
    private var agenda: [(at: Int64, happening: Happening)] = []
    private var awayUntil: Int64 = 0
    private var reconciler = VoiceReconciler(at: .beginning)
    /// As in the progress: it outlives the node.
    private var sweep: VoiceSweep?
    private var calls: [(at: Int64, room: RoomID)] = []
    private var isFaulty = true
    /// What the auditor has found.
    private(set) var findings: [String] = []

    init(seed: UInt64, _ bug: PlantedBug = .none) {
        self.bug = bug
        random = SeededGenerator(seed: seed)
        for (index, room) in Self.rooms.enumerated() {
            truth[room] = Truth(host: Self.users[0])
            if index == 2 { truth[room]?.audience = Set(Self.users.prefix(5)) }
        }
    }

    /// Runs phases of changes and faults, each followed by silence, after which both sides have to agree.
    mutating func run(phases: Int = 3) {
        for _ in 0..<phases {
            isFaulty = true
            let end = now + Int64(random.roll(20...90)) * 1000
            while now < end { tick(changes: true) }
            (isFaulty, awayUntil) = (false, 0)
            // What is under way happens, which may take 15 seconds; then the 30 that are promised.
            let quiet = now + 46_000
            while now < quiet { tick(changes: false) }
            audit()
            if random.once(in: 2) { changeForgottenRooms() }
        }
    }

    /// Changes rooms that are not compared any more: only the event says so.
    private mutating func changeForgottenRooms() {
        wait(minutes: random.roll(11...14))
        for _ in 1...4 { change() }
        let quiet = now + 31_000
        while now < quiet { tick(changes: false) }
        audit()
    }

    /// Nothing changes for a while, until all tokens from before are over.
    private mutating func wait(minutes: Int) {
        let end = now + Int64(minutes) * 60_000
        while now < end { tick(changes: false) }
        audit()
    }

    private mutating func tick(changes: Bool) {
        now += Self.step
        if changes, random.once(in: 20) { change() }
        if changes, random.once(in: 15) { join() }
        if changes, random.once(in: 400) { restartService() }
        if changes, random.once(in: 400) { awayUntil = now + Int64(random.roll(1...30)) * 1000 }
        if changes, random.once(in: 300) { restartNode() }
        readFeed()
        // As often as a node reads them.
        if now % 2000 == 0, bug != .bansAreNotTaken { readBans() }
        sweepRooms()
        let due = agenda.filter { $0.at <= now }
        agenda.removeAll { $0.at <= now }
        for entry in due { happen(entry.happening) }
        while let call = reconciler.nextCall(at: now * 1_000_000) { send(call) }
    }

    // MARK: - Rooms

    private mutating func change() {
        let room = random.pick(Self.rooms)
        guard var next = truth[room], !next.isOver else { return }
        earlier[room] = rights(in: room)
        let user = random.pick(Self.users)
        var (removed, isMute): ([UserID], Bool) = ([], false)
        switch random.roll(1...21) {
        case 1...6:
            let mayBeSeated = user != next.host && !next.banned.contains(user) && next.audience?.contains(user) ?? true
            if mayBeSeated { next.seats[user] = false }
        case 7...10: next.seats[user] = nil
        case 11...15:
            isMute = true
            if let isMuted = next.seats[user] { next.seats[user] = !isMuted }
        case 16 where user != next.host:
            (next.seats[user], removed) = (nil, [user])
            next.audience?.remove(user)
        case 17 where user != next.host:
            if next.banned.remove(user) == nil {
                next.banned.insert(user)
                (next.seats[user], removed) = (nil, [user])
            }
        case 18...19 where !next.banned.contains(user) && next.audience?.contains(user) ?? true:
            (next.host, next.seats[user]) = (user, nil)
        case 20: next.isOver = random.once(in: 4)
        case 21: return changeBan(of: user)
        default: return
        }
        truth[room] = next
        lastChangeAt[room] = now
        feed.append(Change(room: room, removed: removed, isMute: isMute, at: now))
    }

    private mutating func changeBan(of user: UserID) {
        if restrictions.users.removeValue(forKey: user) == nil {
            var restriction = UserRestriction(of: user)
            restriction.ban = UserRestriction.Ban(at: Timestamp(milliseconds: now), reason: "")
            restrictions.users[user] = restriction
        }
        restrictions.version += 1
    }

    private func rights(in room: RoomID) -> VoiceRights? { truth[room]?.rights(Set(restrictions.users.keys)) }

    /// A user takes a token, or joins with the one that they have.
    private mutating func join() {
        let (room, user) = (random.pick(Self.rooms), random.pick(Self.users))
        if random.once(in: 2), let right = rights(in: room)?.right(of: user), right != .none {
            tokens[room, default: [:]][user] = Token(speaks: right == .speak, issuedAt: now)
        }
        if now >= awayUntil { enter(room, user) }
    }

    private mutating func enter(_ room: RoomID, _ user: UserID) {
        guard let token = tokens[room]?[user], now - token.issuedAt <= 1000 * LiveKitToken.lifetimeSeconds else { return }
        present[room, default: [:]][user] = token.speaks
    }

    // MARK: - The feed

    private mutating func readFeed() {
        let number = Int(reconciler.position.number)
        for (index, change) in feed.enumerated().dropFirst(number) where change.at + 500 <= now {
            if bug != .mutesAreNoChanges || !change.isMute, let rights = rights(in: change.room) {
                let removed = bug == .removedAreMuted ? [] : change.removed
                reconciler.take(
                    change.room, rights, removed: removed, since: Timestamp(milliseconds: change.at), at: now * 1_000_000)
            }
            reconciler.passed(FeedPosition(number: Int64(index + 1), hash: 0), at: now * 1_000_000)
        }
    }

    private mutating func readBans() {
        bans.take(RestrictedUsers(restrictions.users.values), version: restrictions.version)
        while let search = bans.next {
            for room in Self.rooms {
                guard let rights = rights(in: room), !rights.isOver else { continue }
                reconciler.take(room, rights, removed: [search.user], since: search.bannedAt, at: now * 1_000_000)
            }
            bans.found(after: nil)
        }
    }

    private mutating func restartNode() {
        bans = VoiceBans(
            since: bans.settled(at: Timestamp(milliseconds: now), watching: reconciler.watching(at: now * 1_000_000)))
        let end = FeedPosition(number: Int64(feed.count), hash: 0)
        if sweep != nil || random.once(in: 3) {
            sweep = sweep == nil || bug != .sweepEndsWithNode ? VoiceSweep(lost: "") : nil
            reconciler = VoiceReconciler(at: end)
        } else {
            reconciler = VoiceReconciler(at: bug == .startsAtTheEnd ? end : reconciler.resumption())
        }
        // It does not know when the one before it has called.
        calls = []
        // What was under way may happen still; its answers are lost.
        agenda.removeAll { if case .answer = $0.happening { true } else { false } }
    }

    /// Has the next room of a sweep compared, as a node does with some rooms in each turn.
    private mutating func sweepRooms() {
        guard var sweep, bug != .sweepIsMissing else { return }
        if let listedAt = sweep.listedAt {
            if reconciler.isSettled(until: listedAt) { self.sweep = nil }
            return
        }
        let number = Int(sweep.after.number)
        let room = Self.rooms[number]
        if let rights = rights(in: room), !rights.isOver || bug != .sweepLeavesOutArchived {
            let quiet = lastChangeAt[room].map { (now - $0) * 1_000_000 }
            let forgets = bug == .sweepForgetsTokens
            reconciler.check(room, rights, quietFor: forgets ? .max : quiet ?? .max, at: now * 1_000_000)
        }
        sweep.after = FeedPosition(number: Int64(number + 1), hash: 0)
        if number + 1 == Self.rooms.count { sweep.listedAt = now * 1_000_000 }
        self.sweep = sweep
    }

    // MARK: - The RTC service

    private mutating func restartService() {
        for (room, users) in present {
            for user in users.keys.sorted() {
                agenda.append((now + Int64(random.roll(500...5000)), .rejoin(room, user)))
            }
        }
        present = [:]
    }

    private mutating func send(_ call: VoiceCall) {
        for _ in 0..<(bug == .sendsTwice ? 2 : 1) { calls.append((now, call.room)) }
        guard now >= awayUntil else {
            let isRefused = random.once(in: 2)
            return agenda.append((now + (isRefused ? 50 : Self.timeout), .answer(call, isDone: false, .failed)))
        }
        let took = Int64(random.roll(20...400))
        switch isFaulty ? random.roll(1...12) : 12 {
        case 1: agenda.append((now + Self.timeout, .answer(call, isDone: false, .failed)))
        case 2:
            agenda.append((now + took, .execution(call)))
            agenda.append((now + Self.timeout, .answer(call, isDone: false, .failed)))
        case 3:
            agenda.append((now + Int64(random.roll(5000...14_000)), .execution(call)))
            agenda.append((now + Self.timeout, .answer(call, isDone: false, .failed)))
        case 4:
            agenda.append((now + took, .answer(call, isDone: true, nil)))
            agenda.append((now + took + Int64(random.roll(100...10_000)), .execution(call)))
            agenda.append((now + took + Int64(random.roll(100...10_000)), .answer(call, isDone: false, .failed)))
        case 5: agenda.append((now + took, .answer(call, isDone: false, .refused)))
        default: agenda.append((now + took, .answer(call, isDone: true, nil)))
        }
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .rejoin(let room, let user): enter(room, user)
        case .execution(let call): execute(call)
        case .answer(let call, let isDone, let answer):
            if isDone { execute(call) }
            reconciler.finished(call, answer ?? result(of: call), at: now * 1_000_000, jitter: 0.5)
        }
    }

    private mutating func execute(_ call: VoiceCall) {
        switch call.order {
        case .permit(let user, let speaks):
            if present[call.room]?[user] != nil { present[call.room]?[user] = speaks }
        case .remove(let user):
            if bug == .removedAreMuted {
                if present[call.room]?[user] != nil { present[call.room]?[user] = false }
            } else {
                present[call.room]?[user] = nil
            }
        case .deleteRoom: present[call.room] = nil
        case .list: break
        }
    }

    private func result(of call: VoiceCall) -> VoiceAnswer {
        guard call.order == .list, var rights = rights(in: call.room) else { return .done }
        if bug == .rightsAreStale, let earlier = earlier[call.room] { rights = earlier }
        let listed = bug == .listsAreEmpty ? [:] : present[call.room] ?? [:]
        return .participants(Dictionary(uniqueKeysWithValues: listed.map { ($0.key.description, $0.value) }), rights)
    }

    // MARK: - The auditor

    private mutating func audit() {
        for room in Self.rooms {
            guard let rights = rights(in: room) else { continue }
            for (user, speaks) in present[room] ?? [:] {
                switch rights.right(of: user) {
                case .none: findings.append("\(user) is in a room that they may not see")
                case .listen: if speaks { findings.append("\(user) speaks off the stage") }
                case .speak: if !speaks { findings.append("\(user) is silent on the stage") }
                }
            }
        }
        for (index, call) in calls.enumerated() where index + VoiceReconciler.callsPerSecond < calls.count {
            if calls[index + VoiceReconciler.callsPerSecond].at - call.at < 1000 {
                findings.append("more calls in a second than may be")
                break
            }
        }
        if reconciler.waiting > 0 { findings.append("calls wait still") }
        calls = []
    }
}

internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import Logging

/// What a node does for the RTC service, on one thread: takes the lease, reads the feed, and drives the reconciler.
final class VoiceRunner {
    /// Nanoseconds between two writings of the progress, which renew the lease, …
    static let renewal: Int64 = 3_000_000_000
    /// … or, if there is no other node, of a progress that has changed, …
    static let saving: Int64 = 10_000_000_000
    /// … after the last of which a node calls no more, …
    static let hold: Int64 = 8_000_000_000
    /// … after which another one takes over, …
    static let takeover: Int64 = 10_000_000_000
    /// … and between two checks of the lease of another node, or after a failure of the log.
    static let pause: Int64 = 1_000_000_000
    /// Events of one reading.
    private static let batchLimit = 128
    /// Rooms that are read in one turn: of banned users, and of a sweep.
    private static let roomBatchLimit = 20
    /// The types of events after which someone may do something else. Some never come without another one of these today, such as
    /// `stage.seatCleared`: read all the same, so that this does not depend on it.
    private static let filter: FeedFilter = {
        var filter = FeedFilter()
        filter.types = [
            "room.archived", "member.left", "member.roleChanged", "member.kicked", "member.banned", "member.linked",
            "member.erased", "host.gone", "host.returned", "stage.seated", "stage.seatClosed",
            "stage.seatMuted", "stage.seatCleared", "stage.moved", "stage.left",
        ]
        return filter
    }()

    /// What this node has as long as it is the one that calls.
    private struct Lease {
        var reconciler: VoiceReconciler
        var bans: VoiceBans
        /// Of the progress, as this node wrote it last.
        var version: Int64
        /// By the clock's uptime, when that writing began.
        var renewedAt: Int64
        /// The position in it.
        var saved: FeedPosition
        /// Nil: the cursor was good, or all rooms were compared since.
        var sweep: VoiceSweep?
    }

    private struct Seen {
        let version: Int64?
        let since: Int64
    }

    private let service: RoomService
    private let users: UserRestrictions
    private let clock: any ServiceClock
    private let outlet: VoiceOutlet
    private let logger: Logger
    /// Names this node; another one after every start.
    private let node: String
    private let random: () -> Double
    private var feed: UInt64?
    private var lease: Lease?
    private var seen: Seen?
    private var restsUntil: Int64 = .min
    private var isComplaining = false

    /// - Parameter random: Numbers from 0 to 1.
    init(
        _ service: RoomService, _ users: UserRestrictions, clock: any ServiceClock, outlet: VoiceOutlet, logger: Logger,
        node: UInt64,
        random: @escaping () -> Double = { Double.random(in: 0...1) }
    ) {
        (self.service, self.users, self.clock) = (service, users, clock)
        (self.outlet, self.logger, self.node, self.random) = (outlet, logger, node.hexadecimal, random)
    }

    private var log: any EventLog { service.log }

    /// Does what can be done now.
    /// - Returns: Whether it is the node that calls, and so has to check for events soon.
    func takeTurn() -> Bool {
        let now = clock.now()
        for (call, response) in outlet.take() { finish(call, response, at: now) }
        guard now.monotonic >= restsUntil else { return false }
        do throws(EventLogError) {
            if lease == nil { try acquire(at: now) }
            if lease != nil {
                try readFeed(at: now)
                try readBans(at: now)
                try sweep(at: now)
            }
            try renew(at: now)
        } catch {
            logger.warning("the voice cannot read or write the log", metadata: ["reason": "\(error)"])
            restsUntil = now.monotonic + Self.pause
        }
        call(at: now)
        outlet.counters.set(waiting: lease?.reconciler.waiting ?? 0)
        return lease != nil
    }

    /// Leaves the service to another node, which begins where this one ends.
    func finish() {
        // What is not written is read again.
        try? renew(at: clock.now(), isForced: true, leaves: true)
        lease = nil
    }

    // MARK: - The lease

    private func acquire(at now: Now) throws(EventLogError) {
        let record = try log.record(VoiceProgress.recordKind, VoiceProgress.recordID)
        let uptime = clock.uptime()
        if seen?.version != record?.version || seen == nil { seen = Seen(version: record?.version, since: uptime) }
        let progress = record.flatMap(VoiceProgress.init)
        let isFree = progress?.holder == nil || !service.isShared || uptime - (seen?.since ?? uptime) >= Self.takeover
        let feed = try feedID()
        guard isFree else {
            restsUntil = now.monotonic + Self.pause
            return
        }
        // A log without a record begins with what happens from now on. A copy of one, or one from a backup, has the record of another feed.
        let cursor = progress.flatMap { FeedCursor($0.cursor) }.flatMap { $0.feed == feed ? $0.position : nil }
        let position: FeedPosition
        if let cursor { position = cursor } else { position = try log.feedEnd() }
        let sweep = cursor == nil ? progress.map { VoiceSweep(lost: $0.cursor) } : nil
        let watch = VoiceReconciler.watch / 1_000_000
        let bansBefore = progress?.bansBefore ?? now.wall.advanced(byMilliseconds: -watch)  // proven: a constant
        let taken = VoiceProgress(
            cursor: sweep?.lost ?? FeedCursor(feed: feed, position: position).text, holder: node, bansBefore: bansBefore)
        guard try log.write([taken.change(if: record.map { .version($0.version) } ?? .none)]) else { return }
        let version = try log.record(VoiceProgress.recordKind, VoiceProgress.recordID)?.version
        lease = version.map {
            Lease(
                reconciler: VoiceReconciler(at: position), bans: VoiceBans(since: bansBefore), version: $0, renewedAt: uptime,
                saved: position, sweep: sweep)
        }
    }

    private func renew(at now: Now, isForced: Bool = false, leaves: Bool = false) throws(EventLogError) {
        let uptime = clock.uptime()
        guard let held = lease, let feed, isForced || uptime - held.renewedAt >= Self.renewal else { return }
        let position = held.reconciler.resumption()
        // An idle process of its own writes nothing.
        let isDue = service.isShared || position != held.saved && uptime - held.renewedAt >= Self.saving
        guard isForced || isDue else { return }
        let progress = VoiceProgress(
            cursor: held.sweep?.lost ?? FeedCursor(feed: feed, position: position).text, holder: leaves ? nil : node,
            bansBefore: held.bans.settled(at: now.wall, watching: held.reconciler.watching(at: now.monotonic)))
        guard try log.write([progress.change(if: .version(held.version))]) else {
            // Another node has taken over.
            lease = nil
            return
        }
        lease?.version = held.version + 1
        lease?.renewedAt = uptime
        lease?.saved = position
    }

    private func feedID() throws(EventLogError) -> UInt64 {
        if let feed { return feed }
        let id = try log.feedID()
        feed = id
        return id
    }

    // MARK: - The feed

    private func readFeed(at now: Now) throws(EventLogError) {
        guard let held = lease, held.reconciler.wantsEvents else { return }
        let view = try FeedTail(of: log, clock: clock).view()
        guard view.end != held.reconciler.position else { return }
        let batch: FeedBatch
        do throws(FeedError) {
            batch = try log.batch(after: held.reconciler.position, limit: Self.batchLimit, Self.filter, in: view)
        } catch {
            if case .log(let error) = error { throw error }
            logger.warning("the events that the voice reads next are gone: it compares all rooms")
            lease?.reconciler = VoiceReconciler(at: try log.feedEnd())
            lease?.sweep = VoiceSweep(lost: try FeedCursor(feed: feedID(), position: held.reconciler.position).text)
            return
        }
        // One reading of a room shows the state after all of its events.
        var changed: [RoomID: (room: Room, rights: VoiceRights)] = [:]
        for event in batch.events.reversed() where changed[event.room] == nil {
            changed[event.room] = try room(event.room, from: event.event.seq).map { (room: $0, rights: rights(in: $0)) }
        }
        for event in batch.events {
            guard let (room, rights) = changed[event.room] else { continue }
            let removed = Self.removed(by: event.event, from: room)
            lease?.reconciler.take(event.room, rights, removed: removed, since: event.event.at, at: now.monotonic)
        }
        lease?.reconciler.passed(batch.next, at: now.monotonic)
    }

    /// Has the next rooms of the log compared, archived ones too, while there is place for them.
    private func sweep(at now: Now) throws(EventLogError) {
        guard let held = lease, var sweep = held.sweep else { return }
        if let listedAt = sweep.listedAt {
            guard held.reconciler.isSettled(until: listedAt) else { return }
            // The next writing has a cursor that is good.
            lease?.sweep = nil
            lease?.saved = .beginning
            return
        }
        guard held.reconciler.hasPlaceToCheck else { return }
        do throws(FeedError) {
            let batch = try log.batch(after: sweep.after, limit: Self.roomBatchLimit, VoiceSweep.filter)
            for event in batch.events { try check(event.room, at: now) }
            sweep.after = batch.next
            if !batch.more { sweep.listedAt = now.monotonic }
        } catch {
            if case .log(let error) = error { throw error }
            sweep.after = .beginning
        }
        lease?.sweep = sweep
    }

    private func check(_ id: RoomID, at now: Now) throws(FeedError) {
        do throws(EventLogError) {
            guard let room = try room(id, from: 0) else { return }
            let quiet = now.wall.milliseconds(since: room.lastEventAt)
            let most = VoiceReconciler.watch / 1_000_000 + 1
            let nanoseconds = min(max(0, quiet), most) * 1_000_000  // proven: at most the watch
            lease?.reconciler.check(id, rights(in: room), quietFor: nanoseconds, at: now.monotonic)
        } catch { throw .log(error) }
    }

    private func rights(in room: Room, present: some Sequence<UserID> = []) -> VoiceRights {
        VoiceRights(room, present: present, restricted: users.current)
    }

    // MARK: - Bans

    /// Removes those whom an operator has banned from the rooms of which they are members; comparisons do so in others.
    private func readBans(at now: Now) throws(EventLogError) {
        let (restricted, version) = users.versioned
        lease?.bans.take(restricted, version: version)
        guard let held = lease, let search = held.bans.next, held.reconciler.wantsEvents else { return }
        let query = UserRoomQuery(user: search.user, .memberships, after: search.after, limit: Self.roomBatchLimit)
        let page = try log.rooms(query)
        for row in page.rows.map(\.room) {
            guard let room = try room(row.room, from: 0), !room.isArchived else { continue }
            lease?.reconciler.take(
                row.room, rights(in: room), removed: [search.user], since: search.bannedAt, at: now.monotonic)
        }
        lease?.bans.found(after: page.next)
    }

    /// The room, with this event at least; nil if it cannot be read.
    private func room(_ id: RoomID, from seq: Int) throws(EventLogError) -> Room? {
        if let room = service.residentRoom(id), room.seq >= seq, !service.isShared { return room }
        return try service.loadedRoom(id, from: log)
    }

    /// Those whom an event removes from a room, unless they have joined it again since: a node that starts reads earlier events again.
    private static func removed(by event: StoredEvent, from room: Room) -> [UserID] {
        guard event.type.hasPrefix("member."), let value = try? JSONReader.read(event.publicBytes, limits: .trusted(depth: 32)),
            let data = value["data"]
        else { return [] }
        func user(_ name: String) -> UserID? {
            guard case .string(let id)? = data[name]?["id"] else { return nil }
            return UserID(id)
        }
        let member = user("member")
        switch event.type {
        case "member.kicked": return [member].compactMap(\.self).filter { room.member($0) == nil }
        case "member.erased": return [member].compactMap(\.self)
        case "member.banned", "member.left": return [member].compactMap(\.self).filter { room.voiceRight(of: $0) == .none }
        case "member.linked": return [user("from")].compactMap(\.self)
        default: return []
        }
    }

    // MARK: - Calls

    private func call(at now: Now) {
        guard let held = lease, !service.isShared || clock.uptime() - held.renewedAt < Self.hold else { return }
        while let call = lease?.reconciler.nextCall(at: now.monotonic) { outlet.send(call, at: now.actual) }
    }

    private func finish(_ call: VoiceCall, _ response: VoiceResponse, at now: Now) {
        guard lease != nil else { return }
        let isFirst = lease?.reconciler.finished(call, answer(response, to: call), at: now.monotonic, jitter: random()) ?? false
        if isFirst { outlet.counters.count(response, to: call, at: now.wall) }
    }

    private func answer(_ response: VoiceResponse, to call: VoiceCall) -> VoiceAnswer {
        switch response {
        case .done: return well(.done)
        case .unsent: return .unsent
        case .failed(let reason):
            complain(call, reason)
            return .failed
        case .refused(let reason):
            complain(call, reason)
            return .refused
        case .participants(let present):
            // As it is now, which is after the service has answered.
            guard let room = try? room(call.room, from: 0) else { return .refused }
            return well(.participants(present, rights(in: room, present: present.keys.compactMap { UserID($0) })))
        }
    }

    private func well(_ answer: VoiceAnswer) -> VoiceAnswer {
        isComplaining = false
        return answer
    }

    /// Says once why calls fail, until one succeeds.
    private func complain(_ call: VoiceCall, _ reason: String) {
        guard !isComplaining else { return }
        isComplaining = true
        logger.warning("a call to the RTC service fails", metadata: ["room": "\(call.room)", "reason": "\(reason)"])
    }
}

import AuctionDomain
import AuctionTestKit
import EventLog
import Testing

@testable import AuctionService

/// Which sequencer gets which part of an input, and what all of them do together.
struct SequencerRoutingTests {
    private let routing = SequencerRouting(count: 3)
    /// Two rooms of each sequencer, in the order 0, 1, 2, 0, 1, 2.
    private let rooms = (6..<12).map { RoomID(bits: $0) }

    @Test func `every room has one owner, and each sequencer owns some`() {
        #expect(rooms.map { routing.owner(of: $0) } == [0, 1, 2, 0, 1, 2])
        #expect(rooms.allSatisfy { SequencerRouting(count: 1).owner(of: $0) == 0 })
        #expect(routing.owner(of: RoomID(bits: .max)) < 3)
    }

    @Test func `an input of one room goes to its owner only`() {
        let error = EventLogError(.io, "no disk")
        for (room, owner) in zip(rooms, [0, 1, 2, 0, 1, 2]) {
            let inputs: [Sequencer.Input] = [
                .command(.any(room, exchange: 1)), .ensureLoaded(room, ReplyAddress(loop: 0, exchange: 1)),
                .refresh(room, ReplyAddress(loop: 0, exchange: 1)), .loaded(room, .failure(error)),
                .caughtUp(room, .failure(error)), .snapshotFinished(room, size: 1), .completed(batch(of: room), []),
            ]
            for input in inputs { #expect(routing.parts(of: input).map(\.sequencer) == [owner], "\(input)") }
        }
    }

    @Test func `of an input of several rooms each owner gets its own, in order`() {
        let few = [rooms[3], rooms[0], rooms[2]]
        let expired = routing.parts(of: .expired(few)).map { part -> [RoomID] in
            if case .expired(let rooms) = part.input { rooms } else { [] }
        }
        #expect(expired == [[rooms[3], rooms[0]], [rooms[2]]])
        let inputs: [Sequencer.Input] = [
            .lagging(few.map { RoomWatermark(room: $0, seq: 1) }),
            .presence(few.map { PresenceChange(room: $0, user: UserID(bits: 1), isPresent: true, at: 0) }),
            .remotePresence(few.map { RoomPresenceReport(room: $0, count: 1, people: []) }), .expired(few), .pruned(few),
        ]
        for input in inputs { #expect(routing.parts(of: input).map(\.sequencer) == [0, 2], "\(input)") }
    }

    @Test func `a recovery concerns every sequencer, also one without an open room`() {
        let parts = routing.parts(of: .recover([rooms[1], rooms[4]].map { PendingRoom(room: $0) }))
        let recovered = parts.map { part -> [RoomID]? in
            if case .recover(let rooms) = part.input { rooms.map(\.room) } else { nil }
        }
        #expect(parts.map(\.sequencer) == [0, 1, 2] && recovered == [[], [rooms[1], rooms[4]], []])
    }

    @Test func `what concerns all rooms goes to every sequencer`() {
        let inputs: [Sequencer.Input] = [
            .tick, .sweep(watched: []), .extendDeadlines, .logFailed(EventLogError(.io, "no disk")),
        ]
        for input in inputs { #expect(routing.parts(of: input).map(\.sequencer) == [0, 1, 2], "\(input)") }
    }

    @Test func `a joint recovery is over with its last part, without the rooms that any part could not finish`() {
        var recovery = JointRecovery(of: 3)
        let read = (0..<3).map { _ in recovery.partRead() }
        #expect(read == [false, false, true])
        let parts: [RecoveryResult] = [.unfinished([RoomID(bits: 1)]), .complete, .unfinished([RoomID(bits: 2)])]
        let incomplete = parts.map { recovery.partFinished($0) }
        #expect(incomplete == [nil, nil, .unfinished([RoomID(bits: 1), RoomID(bits: 2)])])
        for index in 0..<3 {
            let failed = (0..<3).map { recovery.partFinished($0 == index ? .failed : .unfinished([RoomID(bits: 1)])) }
            #expect(failed == [nil, nil, .failed])
        }
        let (next, complete) = (
            (0..<3).map { _ in recovery.partRead() }, (0..<3).map { _ in recovery.partFinished(.complete) }
        )
        #expect(next == [false, false, true] && complete == [nil, nil, .complete])
    }

    @Test func `the parts of a limit are together at most the whole, and none is without any`() {
        var limits = ServiceLimits()
        (limits.pendingLoads, limits.loadedBytes) = (67, 65 << 20)
        for count in 1...64 {
            let part = limits.divided(by: count)
            #expect(part.pendingLoads >= 1 && part.pendingLoads * count <= limits.pendingLoads)
            #expect(part.loadedBytes >= ServiceLimits.leastLoadedBytes && part.loadedBytes * count <= limits.loadedBytes)
            #expect(part.returnedBytes == max(limits.returnedBytes / count, 4 << 20))
        }
        limits.returnedBytes = 1000
        #expect(limits.divided(by: 3).returnedBytes == 1000)
    }

    @Test func `there are no more sequencers than the limits can be divided among`() {
        var limits = ServiceLimits()
        #expect(limits.sequencers(atMost: 64) == 64)
        limits.loadedBytes = 3 << 20
        #expect(limits.sequencers(atMost: 64) == 3 && limits.sequencers(atMost: 2) == 2)
        limits.pendingLoads = 2
        #expect(limits.sequencers(atMost: 64) == 2)
        limits.loadedBytes = 1000
        #expect(limits.sequencers(atMost: 64) == 1)
    }

    private func batch(of room: RoomID) -> Batch {
        let append = RoomAppend(
            room: room, expected: .none, events: [], profile: nil,
            status: RoomStatus(state: "preparing", round: 1, endsAt: nil, currentPrice: nil, isArchived: false, isOpen: false),
            responses: [])
        let opened = RoomOpened(
            name: "Room", host: Person(id: UserID(bits: 1), nickname: "Hana"), currency: .cny, visibility: .public,
            inviteCode: "code")
        let opening = Event(seq: 1, at: Timestamp(milliseconds: 0), round: 1, body: .roomOpened(opened))
        let after = Room(id: room, opening: opening).map { ReplayedRoom(room: $0, hash: .zero) }
        return Batch(id: 1, rooms: after.map { [RoomBatch(append: append, decided: [], after: $0, entries: [])] } ?? [])
    }
}

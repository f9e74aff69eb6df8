import AuctionDomain
import EventLog
import Testing

@testable import AuctionService

struct RoomTableTests {
    private let first = RoomID(bits: 1)
    private let second = RoomID(bits: 2)
    private let reader = ReplyAddress(loop: 0, exchange: 1)
    private var rooms = RoomTable()

    @Test mutating func `a room read for readers counts as such until a command needs it`() {
        let loading = LoadingRoom(waiting: WaitingRequests(readers: [reader]))
        rooms[first] = .loading(loading)
        rooms[second] = .loading(LoadingRoom(isNeeded: true))
        #expect(rooms.readerLoadCount == 1)
        loading.add(.any(first, exchange: 2), isLate: true)
        rooms.waitingChanged(first)
        #expect(rooms.readerLoadCount == 0)
        #expect(rooms.hasPendingReads)
    }

    @Test mutating func `a room being read counts for the caller who asked first, until it has been read`() {
        let caller = LoadCaller("192.0.2.1")
        rooms[first] = .loading(LoadingRoom(caller: caller))
        rooms[second] = .loading(LoadingRoom(caller: caller))
        rooms.waitingChanged(first)
        #expect(rooms.loadCount(of: caller) == 2 && rooms.loadCount(of: LoadCaller("192.0.2.2")) == 0)
        rooms[first] = .unreadable(pendingExtension: nil)
        rooms[second] = nil
        #expect(rooms.loadCount(of: caller) == 0)
    }

    @Test mutating func `a removed room leaves no count behind`() {
        for phase in [
            RoomPhase.loading(LoadingRoom()), .deferred(LoadingRoom(isNeeded: true)), .unreadable(pendingExtension: nil),
        ] {
            rooms[first] = phase
            rooms[first] = nil
        }
        rooms[second] = nil
        #expect(rooms.ids.isEmpty)
        #expect(rooms.readerLoadCount == 0 && rooms.loadedCount == 0 && !rooms.hasPendingReads)
    }

    @Test mutating func `an unreadable room is no pending read, and not in memory`() {
        rooms[first] = .unreadable(pendingExtension: .clock)
        #expect(!rooms.hasPendingReads && rooms.loadedCount == 0)
        #expect(rooms.loaded(first) == nil && rooms.ids == [first])
    }

    @Test func `late requests wait for the next read, in order of arrival`() {
        let loading = LoadingRoom(waiting: WaitingRequests(readers: [reader]))
        loading.add(.any(first, exchange: 1), isLate: false)
        loading.add(.any(first, exchange: 2), isLate: true)
        loading.add(.any(first, exchange: 3), isLate: true)
        #expect(loading.waiting.commands.count == 1)
        loading.readAgain()
        #expect(loading.waiting.commands.map(\.reply.exchange) == [1, 2, 3])
        #expect(loading.late.commands.isEmpty)
    }
}

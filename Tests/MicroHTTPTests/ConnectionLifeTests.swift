import Testing

@testable import MicroHTTP

struct ConnectionLifeTests {
    private struct NoHandle: Error {}

    /// A connection that libmicrohttpd serves; nothing uses its handle.
    private func served() throws -> ConnectionLife {
        guard let handle = unsafe OpaquePointer(bitPattern: 8) else { throw NoHandle() }
        return unsafe .served(ConnectionLife.Served(handle))
    }

    @Test func `the first head admits a connection, and later ones are handled`() throws {
        var life = try served()
        #expect(life.receivedHead() == .admit)
        #expect(life.receivedHead() == .handle)
        #expect(life.completedExchange() == .becomeIdle)
    }

    @Test func `a connection leaves the counts once, and then starts no request`() throws {
        var silent = try served()
        #expect(silent.release() == .leave(wasAwaitingFirstHead: true))
        #expect(silent.release() == .none)
        #expect(silent.receivedHead() == .drop)
        var active = try served()
        _ = active.receivedHead()
        #expect(active.release() == .leave(wasAwaitingFirstHead: false))
        #expect(active.completedExchange() == .none)
    }

    @Test func `a hang-up is reported again to exchanges that ask later, until the descriptor is removed`() throws {
        var life = try served()
        #expect(life.hangUpWanted() == .watch)
        #expect(life.hangUpWanted() == .none)
        life.reportedHangUp()
        #expect(life.hangUpWanted() == .report)
        #expect(life.unwatch() == .unwatch)
        #expect(life.unwatch() == .none)
        #expect(life.hangUpWanted() == .watch)
    }

    @Test func `a connection keeps its place and how it closes when a stream takes it over`() throws {
        var life = try served()
        _ = life.receivedHead()
        life.takeOver()
        #expect(life.isTakenOver && !life.lingers)
        #expect(life.hangUpWanted() == .none && life.unwatch() == .none)
        life.leaveUnread()
        #expect(life.lingers)
        #expect(life.release() == .leave(wasAwaitingFirstHead: false))
        #expect(life.isTakenOver && life.lingers)

        var evicted = try served()
        _ = evicted.release()
        evicted.leaveUnread()
        evicted.takeOver()
        #expect(evicted.release() == .none && evicted.lingers)
    }

    @Test func `a client in this process is neither counted nor watched`() {
        var life = ConnectionLife.inProcess
        life.leaveUnread()
        #expect(!life.lingers && !life.isTakenOver)
        #expect(life.release() == .none && life.hangUpWanted() == .none)
    }
}

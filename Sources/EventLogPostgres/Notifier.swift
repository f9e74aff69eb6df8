import AuctionDomain
import CPostgres
import Dispatch
import EventLog
import Foundation
import Synchronization

/// Tells other nodes which rooms advanced: after the commit, in a session of its own, at most once in a few milliseconds.
///
/// A notice inside the transaction that appends would make all commits wait for each other; one that is lost costs other nodes
/// no more than the time to their next poll.
final class Notifier: Sendable {
    private let connector: Connector
    private let waiting = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        var rooms: Set<RoomID> = []
        var isAlone = false
        var isClosed = false
        var isStarted = false
        /// The session's number, so that this node passes over what it said itself.
        var backend: CInt = 0
    }

    init(_ connector: Connector) { self.connector = connector }

    /// Whether there is anybody to tell.
    func isAlone(_ isAlone: Bool) { state.withLock { $0.isAlone = isAlone } }

    var backend: CInt { state.withLock { $0.backend } }

    func advanced(_ rooms: [RoomID]) {
        let (wakes, starts) = state.withLock { state -> (Bool, Bool) in
            if state.isAlone || state.isClosed || rooms.isEmpty { return (false, false) }
            let wakes = state.rooms.isEmpty
            state.rooms.formUnion(rooms)
            defer { state.isStarted = true }
            return (wakes, !state.isStarted)
        }
        if starts { start() }
        if wakes { waiting.signal() }
    }

    /// Returns once the thread has ended.
    func close() {
        let isStarted = state.withLock { state in
            state.isClosed = true
            return state.isStarted
        }
        guard isStarted else { return }
        waiting.signal()
        ended.wait()
    }

    private func start() {
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.name = "notices"
        thread.start()
    }

    private func run() {
        var session: Session?
        while true {
            waiting.wait()
            let (rooms, isClosed) = state.withLock { state in
                defer { state.rooms = [] }
                return (state.rooms, state.isClosed)
            }
            if isClosed { return }
            do throws(SessionFailure) {
                let ready: Session
                if let session { ready = session } else { ready = try connect() }
                session = ready
                try tell(rooms, ready)
            } catch {
                // Whoever was not told polls.
                session = nil
            }
            // What comes meanwhile goes into the next one.
            usleep(UInt32(connector.limits.noticeMilliseconds) * 1000)
        }
    }

    private func connect() throws(SessionFailure) -> Session {
        let session = try connector.connect()
        try session.execute("SET synchronous_commit = off")
        let backend = session.backend
        state.withLock { $0.backend = backend }
        return session
    }

    private func tell(_ rooms: Set<RoomID>, _ session: Session) throws(SessionFailure) {
        let named = rooms.count <= connector.limits.roomsPerNotice ? rooms.sorted() : []
        _ = try session.run([Call(Notices.send) { $0.add(named.map(\.description).joined(separator: " ")) }])
    }
}

/// Hears what other nodes tell.
final class Listener: Sendable {
    private let connector: Connector
    private let own: Notifier
    private let state = Mutex(State())

    private struct State {
        var session: Session?
        var isClosed = false
    }

    init(_ connector: Connector, ignoring own: Notifier) {
        self.connector = connector
        self.own = own
    }

    func wait(_ milliseconds: Int) throws(EventLogError) -> LogNotice? {
        // Taken out, so that nobody who closes the log waits for a notice.
        let taken = state.withLock { state in
            defer { state.session = nil }
            return state.session
        }
        do throws(SessionFailure) {
            let session: Session
            if let taken { session = taken } else { session = try listen() }
            let notices = try session.notices(within: Int64(milliseconds))
            state.withLock { if !$0.isClosed { $0.session = session } }
            return Self.notice(notices.filter { $0.backend != own.backend }.map(\.payload))
        } catch {
            let told = EventLogError(error, while: "listen", in: connector.store)
            throw EventLogError(.unavailable, told.message)
        }
    }

    private func listen() throws(SessionFailure) -> Session {
        let session = try connector.connect()
        let channel = try session.run([Call(Notices.listening)])[0][0].text(0)
        try session.execute("LISTEN \(channel)")
        return session
    }

    private static func notice(_ payloads: [String]) -> LogNotice? {
        if payloads.isEmpty { return nil }
        var rooms: Set<RoomID> = []
        for payload in payloads {
            let named = payload.split(separator: " ").map { RoomID(String($0)) }
            for room in named {
                guard let room else { return .many }
                rooms.insert(room)
            }
            if named.isEmpty { return .many }
        }
        return .rooms(rooms.sorted())
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.session = nil
        }
    }
}

/// Channels are a database's; the tables may be in any of its schemas.
private enum Notices {
    static let send = Statement(
        name: "send_notice", sql: "SELECT pg_notify('auction_room.' || current_schema(), $1)")
    static let listening = Statement(
        name: "listening", sql: "SELECT quote_ident('auction_room.' || current_schema())")
}

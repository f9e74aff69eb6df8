import AuctionDomain
import CPostgres
import CScheduling
import Dispatch
import EventLog
import Glibc
import Synchronization

/// Notifies other nodes of rooms with new events (`NOTIFY`): after the commit, in a separate session, at a limited rate.
///
/// `NOTIFY` inside the appending transaction would serialize all commits. A lost notification only delays other nodes until their
/// next poll.
final class Notifier: Sendable {
    private let connector: Connector
    private let wakeUp = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        /// Rooms of the next notification.
        var rooms: Set<RoomID> = []
        /// Whether there are no other live nodes, so that nothing is sent.
        var isAlone = false
        var isClosed = false
        var isStarted = false
        /// Backend process ID of the session, by which this node ignores its own notifications.
        var backend: CInt = 0
    }

    init(_ connector: Connector) { self.connector = connector }

    /// Sets whether this node is the only one; if so, notifications are not sent.
    func isAlone(_ isAlone: Bool) { state.withLock { $0.isAlone = isAlone } }

    var backend: CInt { state.withLock { $0.backend } }

    /// Schedules a notification about these rooms; starts the thread on first use.
    func notifyAppended(_ rooms: [RoomID]) {
        let (wakes, starts) = state.withLock { state -> (Bool, Bool) in
            if state.isAlone || state.isClosed || rooms.isEmpty { return (false, false) }
            let wakes = state.rooms.isEmpty
            state.rooms.formUnion(rooms)
            defer { state.isStarted = true }
            return (wakes, !state.isStarted)
        }
        if starts { start() }
        if wakes { wakeUp.signal() }
    }

    /// Returns once the thread has ended.
    func close() {
        let isStarted = state.withLock { state in
            state.isClosed = true
            return state.isStarted
        }
        guard isStarted else { return }
        wakeUp.signal()
        ended.wait()
    }

    private func start() {
        DispatchQueue(label: "notices").async { [self] in
            // SAFETY: the name is copied during the call.
            unsafe scheduling_name_thread("notices")
            run()
            ended.signal()
        }
    }

    private func run() {
        var session: Session?
        while true {
            wakeUp.wait()
            let (rooms, isClosed) = state.withLock { state in
                defer { state.rooms = [] }
                return (state.rooms, state.isClosed)
            }
            if isClosed { return }
            do throws(SessionFailure) {
                let ready = if let session { session } else { try connect() }
                session = ready
                try publish(rooms, ready)
            } catch {
                // Nodes that were not notified poll.
                session = nil
            }
            // Limits the rate; rooms that arrive meanwhile are part of the next notification.
            usleep(UInt32(connector.limits.notificationMilliseconds) * 1000)
        }
    }

    private func connect() throws(SessionFailure) -> Session {
        let session = try connector.connect()
        try session.execute("SET synchronous_commit = off")
        let backend = session.backend
        state.withLock { $0.backend = backend }
        return session
    }

    private func publish(_ rooms: Set<RoomID>, _ session: Session) throws(SessionFailure) {
        let named = rooms.count <= connector.limits.roomsPerNotification ? rooms.sorted() : []
        _ = try session.run([Call(NotificationStatements.send) { $0.add(named.map(\.description).joined(separator: " ")) }])
    }
}

/// What a node does with notifications of changed rooms, its own and those of others.
struct ChangeNotices: Sendable {
    let notifier: Notifier
    let listener: Listener
    let feedSearch: FeedSearch

    init(_ connector: Connector) {
        notifier = Notifier(connector)
        listener = Listener(connector, ignoring: notifier)
        feedSearch = FeedSearch(quick: connector.limits.quickFeedSearchMicroseconds * 1000)
    }

    /// This node has appended to rooms.
    func appended(_ rooms: [RoomID]) {
        feedSearch.add(rooms)
        notifier.notifyAppended(rooms)
    }

    /// Waits for a notification of another node.
    func wait(_ milliseconds: Int) throws(EventLogError) -> ChangeNotification? {
        let notification = try listener.wait(milliseconds)
        switch notification {
        case .rooms(let rooms): feedSearch.add(rooms)
        case .many: feedSearch.missed()
        case nil: break
        }
        return notification
    }

    func close() {
        notifier.close()
        listener.close()
    }
}

/// Receives the notifications of other nodes (`LISTEN`).
final class Listener: Sendable {
    private let connector: Connector
    private let ownNotifier: Notifier
    private let state = Mutex(State())

    private struct State {
        var session: Session?
        var isClosed = false
    }

    init(_ connector: Connector, ignoring ownNotifier: Notifier) {
        (self.connector, self.ownNotifier) = (connector, ownNotifier)
    }

    /// Waits up to `milliseconds`; nil if no notification arrived. An empty or unreadable payload is `.many`.
    func wait(_ milliseconds: Int) throws(EventLogError) -> ChangeNotification? {
        // Moved out of the state, so that `close` does not have to wait for a notification.
        let taken = state.withLock { state in
            defer { state.session = nil }
            return state.session
        }
        do throws(SessionFailure) {
            let session = if let taken { taken } else { try listen() }
            let notifications = try session.notifications(within: Int64(milliseconds))
            state.withLock { if !$0.isClosed { $0.session = session } }
            return Self.notification(notifications.filter { $0.backend != ownNotifier.backend }.map(\.payload))
        } catch {
            let translated = EventLogError(error, while: "listen", in: connector.store)
            throw EventLogError(.unavailable, translated.message)
        }
    }

    private func listen() throws(SessionFailure) -> Session {
        let session = try connector.connect()
        let channel = try session.run([Call(NotificationStatements.listening)])[0][0].text(0)
        try session.execute("LISTEN \(channel)")
        return session
    }

    private static func notification(_ payloads: [String]) -> ChangeNotification? {
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

/// Channels are shared by a whole database, so the channel's name contains the schema of the tables.
private enum NotificationStatements {
    static let send = Statement(name: "send_notice", sql: "SELECT pg_notify('auction_room.' || current_schema(), $1)")
    static let listening = Statement(name: "listening", sql: "SELECT quote_ident('auction_room.' || current_schema())")
}

import Dispatch
import EventLog
import Synchronization

/// A bounded number of sessions for reading, opened on demand, each used by one thread at a time. Further threads wait; each use has
/// a timeout.
final class SessionPool: Sendable {
    private let connector: Connector
    private let idle = Mutex<[Session]>([])
    private let available: DispatchSemaphore

    init(_ connector: Connector, count: Int) {
        self.connector = connector
        available = DispatchSemaphore(value: count)
    }

    /// Runs `body` on an idle session, and again on a new one if that session turns out to be broken; `body` must be idempotent.
    func use<Result>(_ action: String, _ body: (Session) throws(SessionFailure) -> Result) throws(EventLogError) -> Result {
        do throws(SessionFailure) {
            return try use(body)
        } catch {
            let translated = EventLogError(error, while: action, in: connector.store)
            // Only appends report an unknown outcome; everything else can simply be repeated.
            throw translated.code == .outcomeUnknown ? EventLogError(.unavailable, translated.message) : translated
        }
    }

    func use<Result>(_ body: (Session) throws(SessionFailure) -> Result) throws(SessionFailure) -> Result {
        available.wait()
        defer { available.signal() }
        if let session = idle.withLock({ $0.popLast() }), session.isAlive {
            do throws(SessionFailure) {
                return try run(session, body)
            } catch  where error.endsSession {}
        }
        return try run(connector.connect(), body)
    }

    private func run<Result>(
        _ session: Session, _ body: (Session) throws(SessionFailure) -> Result
    ) throws(SessionFailure) -> Result {
        do throws(SessionFailure) {
            let result = try body(session)
            idle.withLock { $0.append(session) }
            return result
        } catch {
            if error.endsSession {
                // The other idle sessions are probably broken too.
                idle.withLock { $0.removeAll() }
            } else if !session.isInTransaction {
                // A transaction of several statements that failed would also fail whatever comes next.
                idle.withLock { $0.append(session) }
            }
            throw error
        }
    }

    func close() { idle.withLock { $0.removeAll() } }
}

import Dispatch
import EventLog
import Synchronization

/// A few sessions that read, each used by one thread at a time, made when they are first needed.
///
/// More threads than sessions wait: each use is bounded in time.
final class SessionPool: Sendable {
    private let connector: Connector
    private let idle = Mutex<[Session]>([])
    private let available: DispatchSemaphore

    init(_ connector: Connector, count: Int) {
        self.connector = connector
        available = DispatchSemaphore(value: count)
    }

    /// Runs something that may be run twice: a session that broke while nobody used it is replaced without a word.
    func use<Result>(_ body: (Session) throws(SessionFailure) -> Result) throws(SessionFailure) -> Result {
        available.wait()
        defer { available.signal() }
        if let session = idle.withLock({ $0.popLast() }), session.isAlive {
            do throws(SessionFailure) {
                return try keep(session, body)
            } catch  where error.endsSession {}
        }
        return try keep(connector.connect(), body)
    }

    private func keep<Result>(
        _ session: Session, _ body: (Session) throws(SessionFailure) -> Result
    ) throws(SessionFailure) -> Result {
        do throws(SessionFailure) {
            let result = try body(session)
            idle.withLock { $0.append(session) }
            return result
        } catch {
            if error.endsSession {
                // The others are likely to be as dead.
                idle.withLock { $0.removeAll() }
            } else {
                idle.withLock { $0.append(session) }
            }
            throw error
        }
    }

    func close() { idle.withLock { $0.removeAll() } }
}

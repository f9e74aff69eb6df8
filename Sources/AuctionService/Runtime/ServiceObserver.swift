package import AuctionDomain
package import EventLog

/// Receives what an operator wants to know; called on the service's threads and the event loops.
package protocol ServiceObserver: Sendable {
    /// Events of a room that this node decided are durable.
    func committed(_ room: Room, _ events: [Event])
    /// One transaction was committed.
    func appended(rooms: Int, events: Int, nanoseconds: UInt64)
    /// A command is durable; called before its response is sent.
    func commandCommitted(_ command: Command)
    /// One transaction failed; its commands are retried or will be answered with a failure.
    func appendFailed(_ error: EventLogError)
    /// The log failed permanently.
    func logFailed(_ error: EventLogError)
    /// Something failed without loss of data.
    func warning(_ message: String)
}

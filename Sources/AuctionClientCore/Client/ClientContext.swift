import StateMachines

/// What rooms and commands of one client share.
struct ClientContext: Sendable {
    let transport: any HTTPTransport
    let tokens: TokenCache
    let clock: any ClientClock
    let serverClock: SharedServerClock
    let currencies = KnownCurrencies()
    let rounds = ShownRounds()
    let language: String
    let logger: ClientLog?

    func log(_ level: LogEntry.Level, _ message: @autoclosure () -> String, room: String? = nil) {
        logger?(LogEntry(level: level, message: message(), room: room))
    }

    func log(_ state: ConnectionState, _ room: String) {
        switch state {
        case .idle, .connecting: log(.debug, "connection: \(state)", room: room)
        case .live, .paused, .stopped(.requested), .stopped(.archived): log(.info, "connection: \(state)", room: room)
        case .waiting(_, let delay): log(.warning, "connection: \(state) in \(delay)", room: room)
        case .waitingForReader: log(.warning, "connection: \(state)", room: room)
        case .stopped: log(.error, "connection: \(state)", room: room)
        }
    }

    /// The server's time as far as it is known, otherwise the device's date.
    var bestTime: ServerTime { serverClock.estimate(at: clock.now())?.time ?? clock.deviceTime() }
}

// What a connection does, and why, as a few English words, for logs and developers.

extension ConnectionState: CustomStringConvertible {
    /// A short text in English, for logs.
    public var description: String {
        switch self {
        case .idle: "not started"
        case .connecting: "connecting"
        case .live(let transport): "live over \(transport)"
        case .waiting(let reason, _): "not connected: \(reason); trying again"
        case .waitingForReader: "waiting for the reader of the updates"
        case .paused: "paused"
        case .stopped(let reason): "stopped: \(reason)"
        }
    }
}

extension RoomTransport: CustomStringConvertible {
    /// A short text in English, for logs.
    public var description: String {
        switch self {
        case .serverSentEvents: "server-sent events"
        case .longPoll: "long-polls"
        }
    }
}

extension WaitReason: CustomStringConvertible {
    /// A short text in English, for logs.
    public var description: String {
        switch self {
        case .network(let error): error.description
        case .timeout: "no response in time"
        case .stalled: "the connection was silent for too long"
        case .ended: "the stream ended"
        case .service(let problem): problem.description
        case .unexpectedResponse(let status, let type): "the response (\(status) \(type)) is not the service's"
        case .gap(let expected, let received): "event \(received) came instead of \(expected)"
        case .unreadable: "an event could not be read"
        case .serviceIsBehind: "the service does not have the latest events yet"
        case .token(let text): "no token: \(text)"
        }
    }
}

extension StopReason: CustomStringConvertible {
    /// For logs; what the service says is in the client's language.
    public var description: String {
        switch self {
        case .requested: "the app stopped it"
        case .archived: "the room is archived"
        case .unauthorized(let problem), .forbidden(let problem), .notFound(let problem), .refused(let problem):
            problem.description
        case .historyReplaced(let seen): "the service has fewer than the \(seen) events seen so far: its data were replaced"
        case .unreadableEvent(let seq): "event \(seq) cannot be read"
        case .signedOut: ExchangeFailure.signedOut.description
        case .invalidAddress(let address): TransportError.invalidAddress(address).description
        }
    }
}

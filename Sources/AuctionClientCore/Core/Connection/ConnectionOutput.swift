/// What a connection has decided and the shell has not carried out yet.
struct ConnectionOutput: Sendable {
    private var directives: [RoomConnection.Directive] = []
    /// The state that the shell was last told.
    private(set) var published: ConnectionState = .idle

    mutating func append(_ directive: RoomConnection.Directive) { directives.append(directive) }

    mutating func cancel(_ call: RoomConnection.CallID?) {
        if let call { directives.append(.cancel(call)) }
    }

    /// Publishes the state, unless it is the one that was published last.
    mutating func publish(_ state: ConnectionState) {
        guard state != published else { return }
        published = state
        directives.append(.publish(state))
    }

    mutating func take() -> [RoomConnection.Directive] {
        defer { directives = [] }
        return directives
    }
}

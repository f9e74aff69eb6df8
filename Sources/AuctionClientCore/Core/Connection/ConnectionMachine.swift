import StateMachines

/// The life of a connection to a room, as a machine. The parts of `RoomConnection` own what it carries.
enum ConnectionMachine: MachineDefinition {
    enum State: Hashable, CaseIterable {
        case idle
        /// The token provider was asked.
        case authorizing
        /// The room was asked for, because there is no state yet.
        case loading
        /// The stream, or the first poll, was asked for.
        case opening
        /// Bytes of the stream, or the response to the first poll, have arrived.
        case live
        /// Until the next attempt.
        case waiting
        /// The buffer is full.
        case saturated
        case paused
        case stopped
    }

    enum Event: Hashable {
        case start, stop, pause, resume
        /// The app resumes before the service wants to be asked again.
        case postpone
        case load, open, opened
        /// Bytes, or the response to a poll.
        case received
        /// The attempt, or the live connection, failed.
        case lost
        /// The delay is over, or the network returned.
        case retry
        /// From the token on: the token was refused, or the connection is to be replaced.
        case restart
        case saturate, drained
    }

    enum Effect: Hashable { case askForToken, readRoom, openTransport, cancelCalls }

    static func machine(_ settings: ConnectionSettings) -> Machine<ConnectionMachine> {
        Machine(
            initial: .idle, finalStates: [.stopped],
            edges: [
                .on(.start, from: .idle, to: .authorizing, by: "the app"),
                .on(.load, from: .authorizing, to: .loading),
                .on(.open, from: [.authorizing, .loading], to: .opening),
                .on(.opened, from: .opening, to: .live),
                .on(.received, from: .live, to: .live),
                .on(.lost, from: [.authorizing, .loading, .opening, .live], to: .waiting, doing: [.cancelCalls]),
                .on(.retry, from: .waiting, to: .authorizing),
                .on(.restart, from: [.loading, .opening, .live], to: .authorizing, doing: [.cancelCalls]),
                .on(.saturate, from: .live, to: .saturated, doing: [.cancelCalls]),
                .on(.drained, from: .saturated, to: .authorizing),
                .on(.pause, from: .any(except: [.paused, .stopped]), to: .paused, by: "the app", doing: [.cancelCalls]),
                .on(.resume, from: .paused, to: .authorizing, by: "the app"),
                .on(.postpone, from: .paused, to: .waiting, by: "the app"),
                .on(.stop, from: .any(except: [.stopped]), to: .stopped, doing: [.cancelCalls]),
                .after(settings.tokenTimeout, from: .authorizing, to: .waiting, doing: [.cancelCalls]),
                .after(settings.openTimeout, from: [.loading, .opening], to: .waiting, doing: [.cancelCalls]),
                .after(settings.stallTimeout, from: .live, to: .waiting, doing: [.cancelCalls]),
            ],
            actions: [
                .didEnter(.authorizing, .askForToken), .didEnter(.loading, .readRoom), .didEnter(.opening, .openTransport),
            ])
    }
}

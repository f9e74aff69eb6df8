import StateMachines

/// The host's side: opens a game, accepts one guest, and waits for the guest's confirmation.
enum GameHost: MachineDefinition {
    enum State: String, Hashable, CaseIterable, Codable { case idle, waitingJoin, waitingConfirm, playing }
    enum Event: Hashable { case open, join, go, disconnected }

    struct Context: Sendable {
        /// Guests that the host has blocked.
        var blocked: Set<String> = []
        /// The guest who asks to join.
        var caller = ""
    }

    enum Reason: Hashable { case blocked(String) }
    enum Effect: Hashable { case enqueue, leaveQueue, sendJoinConfirm, beginGame, tellGone }
}

/// The guest's side: searches for a game, asks to join, and confirms with "go".
enum GameGuest: MachineDefinition {
    enum State: String, Hashable, CaseIterable, Codable { case idle, waitingReply, playing }
    enum Event: Hashable { case search, joinConfirm, disconnected }
    enum Effect: Hashable { case sendJoin, sendGo, beginGame }
}

enum Matchmaking {
    /// How long either side waits for the other.
    static let timeout = Duration.seconds(30)

    static let host = Machine<GameHost>(
        initial: .idle,
        edges: [
            .on(.open, from: .idle, to: .waitingJoin),
            .on(
                .join, from: .waitingJoin, to: .waitingConfirm, by: "guest",
                if: Guard("not blocked") { $0.blocked.contains($0.caller) ? .blocked($0.caller) : nil }),
            .on(.go, from: .waitingConfirm, to: .playing, by: "guest"),
            // A disconnect in any other state returns to the initial state.
            .on(.disconnected, from: .any(except: [.idle]), to: .idle, doing: [.tellGone]),
            .after(timeout, from: [.waitingJoin, .waitingConfirm], to: .idle),
        ],
        actions: [
            .willEnter(.waitingJoin, .enqueue),
            .willLeave(.waitingJoin, .leaveQueue),
            .didEnter(.waitingConfirm, .sendJoinConfirm),
            .didEnter(.playing, .beginGame),
        ])

    static let guest = Machine<GameGuest>(
        initial: .idle,
        edges: [
            .on(.search, from: .idle, to: .waitingReply),
            .on(.joinConfirm, from: .waitingReply, to: .playing, by: "host"),
            .on(.disconnected, from: .any, to: .idle),
            .after(timeout, from: .waitingReply, to: .idle, onRestore: .restartDelay),
        ],
        actions: [
            .didEnter(.waitingReply, .sendJoin),
            .willEnter(.playing, .sendGo),
            .didEnter(.playing, .beginGame),
        ])
}

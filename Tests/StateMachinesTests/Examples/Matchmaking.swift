import StateMachines

/// The host's half: opens a game, takes one of those who want to join, and waits for their word.
enum GameHost: Vocabulary {
    enum State: String, Hashable, CaseIterable, Codable { case idle, waitingJoin, waitingConfirm, playing }
    enum Event: Hashable { case open, join, go, disconnected }

    struct Context: Sendable {
        /// Whom the host does not play with.
        var blocked: Set<String> = []
        /// Who wants to join.
        var caller = ""
    }

    enum Reason: Hashable { case blocked(String) }
    enum Effect: Hashable { case enqueue, leaveQueue, sendJoinConfirm, beginGame, tellGone }
}

/// The guest's half: looks for a game, asks to join, and says "go".
enum GameGuest: Vocabulary {
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
            // Whatever went wrong, and wherever: back to the start.
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

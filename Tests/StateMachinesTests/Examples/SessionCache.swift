import StateMachines

/// Sign-in state of the app.
enum Session: String, CaseIterable, Codable {
    case signedOut, signedIn, subscriptionExpired
}

/// Whether the data of the server are cached.
enum Cache: String, CaseIterable, Codable {
    case notCached, cached
}

/// The combined state: six states, with one rule for the allowed changes.
typealias SessionCache = Crossed<Session, Cache>

/// Why a change of state is forbidden.
enum SessionRefusal: Error, Hashable {
    case alreadyThere
    /// A subscription can expire only while a user is signed in.
    case nobodyIsSignedIn
    /// Cached data belong to the user who has signed out.
    case cacheOfAnother
    /// Data are fetched only for a user with a valid subscription.
    case nothingToCache
}

/// What the app does after a change of state.
enum SessionEffect: Hashable {
    case showSignIn, showOffer, showContent, loadFromServer
}

extension SessionCache {
    static func reasonAgainst(from: Self, to: Self) -> SessionRefusal? {
        if from == to { return .alreadyThere }
        if to.first == .subscriptionExpired && from.first == .signedOut { return .nobodyIsSignedIn }
        if to.first == .signedOut && to.second == .cached { return .cacheOfAnother }
        if to.first != .signedIn && from.second == .notCached && to.second == .cached { return .nothingToCache }
        return nil
    }

    /// The effects of a change on the screens.
    static func reaction(from: Self, to: Self) -> [SessionEffect] {
        switch (to.first, to.second) {
        case (.signedOut, _): [.showSignIn]
        case (.subscriptionExpired, _): from.first == .subscriptionExpired ? [] : [.showOffer]
        case (.signedIn, .notCached): [.loadFromServer]
        case (.signedIn, .cached): [.showContent]
        }
    }

    /// Starts signed out, with an empty cache.
    static func machine() -> ObservedState<SessionCache, SessionRefusal, SessionEffect> {
        var machine = ObservedState<SessionCache, SessionRefusal, SessionEffect>(
            SessionCache(.signedOut, .notCached), shouldTransition: reasonAgainst)
        machine.didTransition(reaction)
        return machine
    }
}

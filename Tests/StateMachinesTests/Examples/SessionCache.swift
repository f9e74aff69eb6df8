import StateMachines

/// Who is using the app.
enum Session: String, CaseIterable, Codable {
    case signedOut, signedIn, subscriptionExpired
}

/// Whether what the server sent is at hand.
enum Cache: String, CaseIterable, Codable {
    case notCached, cached
}

/// Both at once: six states, and one place that says which may follow which.
typealias SessionCache = Crossed<Session, Cache>

/// Why the one state cannot follow the other.
enum SessionRefusal: Error, Hashable {
    case alreadyThere
    /// A subscription expires for somebody who is signed in.
    case nobodyIsSignedIn
    /// What is cached belongs to the one who signed out.
    case cacheOfAnother
    /// Only a subscriber's data are fetched.
    case nothingToCache
}

/// What the app does about it.
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

    /// What a change asks of the screens.
    static func reaction(from: Self, to: Self) -> [SessionEffect] {
        switch (to.first, to.second) {
        case (.signedOut, _): [.showSignIn]
        case (.subscriptionExpired, _): from.first == .subscriptionExpired ? [] : [.showOffer]
        case (.signedIn, .notCached): [.loadFromServer]
        case (.signedIn, .cached): [.showContent]
        }
    }

    /// Nobody is signed in and nothing is cached.
    static func machine() -> ObservedState<SessionCache, SessionRefusal, SessionEffect> {
        var machine = ObservedState<SessionCache, SessionRefusal, SessionEffect>(
            SessionCache(.signedOut, .notCached), shouldTransition: reasonAgainst)
        machine.didTransition(reaction)
        return machine
    }
}

import StateMachines
import Synchronization
import Testing

struct SessionCacheTests {
    @Test func `three session states and two cache states make six combined states`() {
        #expect(SessionCache.allCases.count == 6)
        #expect(Set(SessionCache.allCases).count == 6)
        #expect(SessionCache(.signedIn, .cached).description == "signedIn/cached")
    }

    @Test func `the rule is the only way to assign a state`() throws {
        var machine = SessionCache.machine()
        try machine.transition(to: SessionCache(.signedIn, .notCached))
        try machine.transition(to: SessionCache(.signedIn, .cached))
        #expect(machine.state == SessionCache(.signedIn, .cached))
    }

    @Test func `a forbidden change throws its reason and leaves the state unchanged`() throws {
        var machine = SessionCache.machine()
        #expect(throws: SessionRefusal.nobodyIsSignedIn) {
            try machine.transition(to: SessionCache(.subscriptionExpired, .notCached))
        }
        #expect(throws: SessionRefusal.alreadyThere) { try machine.transition(to: SessionCache(.signedOut, .notCached)) }
        #expect(machine.shouldTransition(to: SessionCache(.signedOut, .cached)) == .cacheOfAnother)
        #expect(machine.state == SessionCache(.signedOut, .notCached))
    }

    @Test func `every observer is notified of a change in order, and its effects are returned`() throws {
        var machine = SessionCache.machine()
        machine.didTransition { _, to in to.second == .notCached ? [.loadFromServer] : [] }
        #expect(try machine.transition(to: SessionCache(.signedIn, .notCached)) == [.loadFromServer, .loadFromServer])
        #expect(try machine.transition(to: SessionCache(.signedIn, .cached)) == [.showContent])
        #expect(try machine.transition(to: SessionCache(.subscriptionExpired, .cached)) == [.showOffer])
        #expect(try machine.transition(to: SessionCache(.signedOut, .notCached)) == [.showSignIn, .loadFromServer])
    }

    @Test func `observers are not notified of the initial state or of a refusal`() {
        let heard = Heard()
        var machine = SessionCache.machine()
        machine.didTransition { from, to in
            heard.append("\(from) to \(to)")
            return []
        }
        #expect(heard.all.isEmpty)
        _ = try? machine.transition(to: SessionCache(.signedOut, .cached))
        #expect(heard.all.isEmpty)
        _ = try? machine.transition(to: SessionCache(.signedIn, .notCached))
        #expect(heard.all == ["signedOut/notCached to signedIn/notCached"])
    }

    @Test func `the rule makes one of the six states unreachable`() {
        let all = SessionCache.allCases
        let table = TransitionTable(
            initial: SessionCache(.signedOut, .notCached), states: all,
            transitions: all.flatMap { from in
                all.filter { SessionCache.reasonAgainst(from: from, to: $0) == nil }.map {
                    Transition(from: from, to: $0, on: "\($0)", by: "the app")
                }
            })
        #expect(table.unreachableStates == [SessionCache(.signedOut, .cached)])
        #expect(table.deadEnds.isEmpty)
    }
}

/// Records the notifications of an observer.
private final class Heard: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

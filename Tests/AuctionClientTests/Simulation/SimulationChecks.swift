@testable import AuctionClientCore

/// What must hold in every run, whatever the network does.
struct SimulationChecks {
    /// The first violation.
    var found: String?
    /// Seq of the last event that the app took.
    var delivered: Int64?
    private var lastState: Int64 = 0
    /// Up to which seq the past was read before the room.
    private var historyEnd: Int64?
    private(set) var published: ConnectionState = .idle
    var maximumBuffered = 0
    /// Before then the connection must not ask: the delay that it announced itself, and the service's.
    private var waitUntil: Int64 = 0
    private var notBefore: Int64 = 0

    mutating func note(_ text: String) { found = found ?? text }

    mutating func took(_ update: RoomUpdate, _ service: SimulatedService) {
        let state = update.state
        guard state.seq >= 1, state.seq <= service.seq else {
            return note("state of seq \(state.seq), which does not exist yet")
        }
        if state.seq < lastState { note("the state went back from \(lastState) to \(state.seq)") }
        lastState = state.seq
        if !service.rooms[Int(state.seq) - 1].agrees(with: state) {
            note("the state of seq \(state.seq) is not the service's: \(state), \(service.rooms[Int(state.seq) - 1])")
        }
        if state.details.seq > service.seq { note("details of seq \(state.details.seq)") }
        guard let event = update.event else {
            historyEnd = historyEnd ?? state.seq
            delivered = delivered ?? state.seq
            return
        }
        let expected = (delivered ?? 0) + 1
        if event.seq != expected { note("event \(event.seq) instead of \(expected)") }
        delivered = event.seq
        if event.seq > historyEnd ?? 0, state.seq != event.seq {
            note("event \(event.seq) came with the state of seq \(state.seq)")
        }
        if !service.events[Int(event.seq) - 1].contains("\"\(event.type.rawValue)\"") {
            note("event \(event.seq) has another type")
        }
    }

    mutating func appRestarted() {
        published = .idle
        lastState = 0
        historyEnd = nil
        waitUntil = 0
        notBefore = 0
    }

    mutating func publish(_ state: ConnectionState, at now: Int64) {
        published = state
        switch state {
        case .waiting(_, let delay): waitUntil = now + delay.milliseconds
        case .stopped(let reason): note("stopped: \(reason)")
        case .paused: waitUntil = 0
        default: break
        }
    }

    /// The service asked the connection to wait.
    mutating func askedToWait(_ milliseconds: Int64, at now: Int64) { notBefore = max(notBefore, now + milliseconds) }

    /// While the app reports a network, or resumes, the delay does not count.
    var isDelayOver = false

    mutating func resumed() { notBefore = 0 }

    mutating func attempted(at now: Int64) {
        if now < waitUntil, !isDelayOver { note("an attempt \(waitUntil - now) ms before the end of the delay") }
        waitUntil = 0
        if now < notBefore { note("an attempt \(notBefore - now) ms before the end of Retry-After") }
    }
}

extension Duration {
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

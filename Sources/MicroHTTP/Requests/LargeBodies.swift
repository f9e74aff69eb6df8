internal import Synchronization

/// How large the body of a request may be that is larger than `HTTPLimits.bodyBytes`.
package enum BodyAllowance {
    /// Refused as too large.
    case regular
    /// Up to `bytes`. Each of `owners` may have a quarter of `HTTPLimits.largeBodiesBytes` in reception at once.
    case upTo(bytes: Int, owners: [BodyOwner])
    /// Refused with the handler's own response, for example because the caller has no token.
    case refused(Response)
}

/// Whom a large body counts against while it is received.
package enum BodyOwner: Hashable, Sendable {
    /// The network of the client.
    case network(ClientNetwork)
    /// A user, by an identifier of the handler's choice.
    case user(String)
}

/// A body that may become larger than `HTTPLimits.bodyBytes`.
struct IncomingBody {
    /// Its largest size.
    let limit: Int
    let owners: [BodyOwner]
    /// Bytes beyond `HTTPLimits.bodyBytes` that are reserved for it so far.
    fileprivate(set) var reserved = 0
}

/// Bounds the memory of the bodies that are larger than `HTTPLimits.bodyBytes`, in all loops together.
///
/// It is reserved step by step as the bytes arrive: clients that announce large bodies and do not send them reserve nothing.
final class LargeBodyBudget: Sendable {
    private struct State {
        var total = 0
        var perOwner: [BodyOwner: Int] = [:]
    }

    /// Bytes that are reserved at once.
    private static let step = 262_144

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Bytes that are reserved now.
    var reservedBytes: Int { state.withLock(\.total) }

    /// Whether so many more bytes of a body could be reserved now.
    func hasRoom(for bytes: Int, of body: IncomingBody) -> Bool { state.withLock { hasRoom($0, for: bytes, of: body) } }

    /// Reserves at least `bytes` more for the body, and at most `most`. False if there is no room now.
    func reserve(_ bytes: Int, upTo most: Int, for body: inout IncomingBody) -> Bool {
        state.withLock { state in
            let bytes = min(max(bytes, Self.step), most)
            guard hasRoom(state, for: bytes, of: body) else { return false }
            state.total += bytes
            body.reserved += bytes
            for owner in body.owners { state.perOwner[owner, default: 0] += bytes }
            return true
        }
    }

    /// Releases what was reserved for the body.
    func release(_ body: IncomingBody) {
        state.withLock { state in
            state.total -= body.reserved
            for owner in body.owners {
                let left = state.perOwner[owner, default: 0] - body.reserved
                state.perOwner[owner] = left > 0 ? left : nil
            }
        }
    }

    /// An owner's only body may exceed the owner's quarter.
    private func hasRoom(_ state: State, for bytes: Int, of body: IncomingBody) -> Bool {
        guard state.total + bytes <= limit else { return false }
        return body.owners.allSatisfy { owner in
            let reserved = state.perOwner[owner, default: 0]
            return reserved == body.reserved || reserved + bytes <= limit / 4
        }
    }
}

/// Admits the bodies of a loop that are larger than `HTTPLimits.bodyBytes`, as far as the handler and the budget allow.
struct LargeBodies {
    private let budget: LargeBodyBudget
    private let bodyBytes: Int
    private let milliseconds: UInt64
    private let turns: Turns
    private let connections: OpenConnections

    /// - Parameter milliseconds: the time to receive such a body, from its start.
    init(_ budget: ConnectionBudget, milliseconds: UInt64, turns: Turns, connections: OpenConnections) {
        self.budget = budget.largeBodies
        bodyBytes = budget.limits.bodyBytes
        self.milliseconds = milliseconds
        self.turns = turns
        self.connections = connections
    }

    private enum Answer {
        case admitted(IncomingBody)
        case refused(Response)
    }

    /// Asks the handler whether the exchange may have a body of so many bytes, more than `HTTPLimits.bodyBytes`.
    private func answer(to exchange: Exchange, bytes: Int, _ handler: (any ExchangeHandler)?) -> Answer {
        guard let handler else { return .refused(Response(status: 503, headers: [], body: [])) }
        let body: IncomingBody
        switch handler.bodyAllowance(of: exchange) {
        case .regular: body = IncomingBody(limit: bodyBytes, owners: [])
        case .refused(let response): return .refused(response)
        case .upTo(let most, let owners): body = IncomingBody(limit: max(most, bodyBytes), owners: owners)
        }
        if bytes > body.limit { return .refused(handler.refuse(.bodyTooLarge(limit: body.limit), exchange)) }
        if !budget.hasRoom(for: bytes, of: body) { return .refused(handler.refuse(.tooManyLargeBodies, exchange)) }
        return .admitted(body)
    }

    /// Admits a body that is larger than `HTTPLimits.bodyBytes`, and gives it more time; returns the response of a refusal.
    /// - Parameter bytes: the Content-Length; what has arrived of a chunked body.
    func admit(_ exchange: Exchange, bytes: Int, _ handler: (any ExchangeHandler)?) -> Response? {
        switch answer(to: exchange, bytes: bytes, handler) {
        case .refused(let response): return response
        case .admitted(let body):
            exchange.largeBody = body
            connections.setDeadline(turns.now + milliseconds, of: exchange.connection)
            return nil
        }
    }

    /// The response to a body that is complete already and too large; nil if it may be handled.
    func refusalOfSize(_ exchange: Exchange, _ handler: (any ExchangeHandler)?) -> Response? {
        guard exchange.received.count > bodyBytes,
            case .refused(let response) = answer(to: exchange, bytes: exchange.received.count, handler)
        else { return nil }
        return response
    }

    /// Makes room for so many more bytes of the exchange's body; returns the response of a refusal.
    func makeRoom(for count: Int, of exchange: Exchange, _ handler: (any ExchangeHandler)?) -> Response? {
        let needed = exchange.received.count + count
        guard needed > bodyBytes + (exchange.largeBody?.reserved ?? 0) else { return nil }
        // Chunked: its head did not announce the size.
        if exchange.largeBody == nil, let refusal = admit(exchange, bytes: needed, handler) { return refusal }
        guard var body = exchange.largeBody, let handler else { return Response(status: 503, headers: [], body: []) }
        guard needed <= body.limit else { return handler.refuse(.bodyTooLarge(limit: body.limit), exchange) }
        let reserved = bodyBytes + body.reserved
        let isReserved = budget.reserve(needed - reserved, upTo: body.limit - reserved, for: &body)
        exchange.largeBody = body
        return isReserved ? nil : handler.refuse(.tooManyLargeBodies, exchange)
    }

    /// Releases what was reserved for the exchange's body.
    func release(_ exchange: Exchange) {
        if let body = exchange.largeBody { budget.release(body) }
        exchange.largeBody = nil
    }
}

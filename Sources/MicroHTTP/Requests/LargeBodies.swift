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

extension LoopCore {
    /// Admits a body that is larger than `HTTPLimits.bodyBytes`, and gives it more time; returns the response of a refusal.
    /// - Parameter declared: the Content-Length; nil for a chunked body.
    func admitLargeBody(_ exchange: Exchange, declared: Int?) -> Response? {
        guard let handler else { return Response(status: 503, headers: [], body: []) }
        let body: IncomingBody
        switch handler.bodyAllowance(of: exchange) {
        case .regular: return handler.refuse(.bodyTooLarge(limit: limits.bodyBytes), exchange)
        case .refused(let response): return response
        case .upTo(let bytes, let owners): body = IncomingBody(limit: max(bytes, limits.bodyBytes), owners: owners)
        }
        guard declared ?? 0 <= body.limit else { return handler.refuse(.bodyTooLarge(limit: body.limit), exchange) }
        guard budget.largeBodies.hasRoom(for: declared ?? 0, of: body) else {
            return handler.refuse(.tooManyLargeBodies, exchange)
        }
        exchange.largeBody = body
        table.setDeadline(now + limits.largeBodyMilliseconds, slot: exchange.connection.slot)
        return nil
    }

    /// Makes room for so many more bytes of the exchange's body; returns the response of a refusal.
    func makeRoom(for count: Int, of exchange: Exchange) -> Response? {
        let needed = exchange.body.count + count
        guard needed > limits.bodyBytes + (exchange.largeBody?.reserved ?? 0) else { return nil }
        // Chunked: its head did not announce the size.
        if exchange.largeBody == nil, let refusal = admitLargeBody(exchange, declared: nil) { return refusal }
        guard var body = exchange.largeBody, let handler else { return Response(status: 503, headers: [], body: []) }
        guard needed <= body.limit else { return handler.refuse(.bodyTooLarge(limit: body.limit), exchange) }
        let reserved = limits.bodyBytes + body.reserved
        let isReserved = budget.largeBodies.reserve(needed - reserved, upTo: body.limit - reserved, for: &body)
        exchange.largeBody = body
        return isReserved ? nil : handler.refuse(.tooManyLargeBodies, exchange)
    }

    func releaseLargeBody(_ exchange: Exchange) {
        if let body = exchange.largeBody { budget.largeBodies.release(body) }
        exchange.largeBody = nil
    }

    /// The response to a body that is complete already and too large; nil if it may be handled.
    func refusalOfSize(_ exchange: Exchange) -> Response? {
        guard exchange.body.count > limits.bodyBytes, let handler else { return nil }
        switch handler.bodyAllowance(of: exchange) {
        case .regular: return handler.refuse(.bodyTooLarge(limit: limits.bodyBytes), exchange)
        case .refused(let response): return response
        case .upTo(let bytes, _):
            return exchange.body.count > bytes ? handler.refuse(.bodyTooLarge(limit: bytes), exchange) : nil
        }
    }
}

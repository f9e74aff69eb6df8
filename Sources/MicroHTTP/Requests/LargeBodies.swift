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

/// Bounds the memory of the bodies that are larger than `HTTPLimits.bodyBytes`, in all loops together.
///
/// A body is reserved with its declared size before its first byte is read, so that a client learns at once whether there is room.
final class LargeBodyBudget: Sendable {
    /// What one request has reserved.
    struct Reservation {
        let bytes: Int
        let owners: [BodyOwner]
    }

    private struct State {
        var total = 0
        var perOwner: [BodyOwner: Int] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// Nil if there is no room now. A single body is always admitted where nothing else is reserved.
    func reserve(_ bytes: Int, for owners: [BodyOwner]) -> Reservation? {
        state.withLock { state in
            guard state.total == 0 || state.total + bytes <= limit else { return nil }
            for owner in owners {
                guard let reserved = state.perOwner[owner] else { continue }
                guard reserved + bytes <= limit / 4 else { return nil }
            }
            state.total += bytes
            for owner in owners { state.perOwner[owner, default: 0] += bytes }
            return Reservation(bytes: bytes, owners: owners)
        }
    }

    func release(_ reservation: Reservation) {
        state.withLock { state in
            state.total -= reservation.bytes
            for owner in reservation.owners {
                let left = state.perOwner[owner, default: 0] - reservation.bytes
                state.perOwner[owner] = left > 0 ? left : nil
            }
        }
    }
}

extension LoopCore {
    /// Reserves room for a body that is larger than `HTTPLimits.bodyBytes`, and gives it more time; returns the response of a refusal.
    /// - Parameter declared: the Content-Length; nil for a chunked body, which is reserved with the largest size allowed.
    func reserveBody(_ exchange: Exchange, declared: Int?) -> Response? {
        guard let handler else { return Response(status: 503, headers: [], body: []) }
        let (limit, owners): (Int, [BodyOwner])
        switch handler.bodyAllowance(of: exchange) {
        case .regular: (limit, owners) = (limits.bodyBytes, [])
        case .refused(let response): return response
        case .upTo(let bytes, let allowed): (limit, owners) = (max(bytes, limits.bodyBytes), allowed)
        }
        let bytes = declared ?? limit
        guard bytes <= limit, limit > limits.bodyBytes else { return handler.refuse(.bodyTooLarge(limit: limit), exchange) }
        guard let reservation = budget.largeBodies.reserve(bytes, for: owners) else {
            return handler.refuse(.tooManyLargeBodies, exchange)
        }
        exchange.largeBody = reservation
        table.setDeadline(now + limits.largeBodyMilliseconds, slot: exchange.connection.slot)
        return nil
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

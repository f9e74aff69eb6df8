internal import MicroHTTP

/// What a route does with a request.
enum Reply {
    case now(Response)
    /// The answer comes later, through the loop's deliveries.
    case later
}

/// One operation of the API.
struct Route: Sendable {
    enum Access: Sendable {
        /// Nobody asks who calls.
        case anybody
        /// A token is read if there is one.
        case optional
        case required
        /// Whoever runs the server; everybody else is told that there is nothing at this path.
        case `operator`
    }

    /// Whether it reads a room or rooms: what may be large, and is refused while too much waits for readers. Commands never are.
    let isRead: Bool
    let method: HTTPMethod
    /// Such as `/v1/rooms/{id}/bids`.
    let pattern: String
    let access: Access
    /// Whether the path names a room that must be in memory and visible before the route runs.
    let needsRoom: Bool
    /// Whether the room may be hidden from the caller: joining with an invite code.
    let opensHidden: Bool
    /// Whether a ticket in the address does for the token.
    let takesTicket: Bool
    /// Whether every answer, a refusal too, says when the request came and where the room stands.
    let givesReceipt: Bool
    /// What its answers can be; a caller who takes none of it gets 406.
    let mediaTypes: [String]
    /// Its place in `Routes.all`, from 1; 0 is what no route has.
    var index = 0
    let handle: @Sendable (RequestContext) throws(Problem) -> Reply

    init(
        _ method: HTTPMethod, _ pattern: String, _ access: Access, needsRoom: Bool = false, opensHidden: Bool = false,
        takesTicket: Bool = false, givesReceipt: Bool = false,
        mediaTypes: [String] = ["application/json"],
        handle: @escaping @Sendable (RequestContext) throws(Problem) -> Reply
    ) {
        self.method = method
        isRead = method == .get && pattern.hasPrefix("/v1/rooms")
        self.pattern = pattern
        self.access = access
        self.needsRoom = needsRoom
        self.opensHidden = opensHidden
        self.takesTicket = takesTicket
        self.givesReceipt = givesReceipt
        self.mediaTypes = mediaTypes
        self.handle = handle
    }
}

/// All operations; the contract in `openapi/` lists the same ones, which a test checks.
enum Routes {
    static let all: [Route] =
        identity + rooms + members + items + auction + bids + results + permissions + messages + events + stage + page + system
        + metrics

    static func router() -> Router<Route> {
        var router = Router<Route>()
        for (index, var route) in all.enumerated() {
            route.index = index + 1
            router.on(route.method, route.pattern, route)
        }
        return router
    }
}

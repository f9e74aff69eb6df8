internal import MicroHTTP

/// Result of handling a request.
enum Reply {
    case now(Response)
    /// The response is sent later, by one of the loop's deliveries.
    case later
}

/// One operation of the API.
struct Route: Sendable {
    enum Access: Sendable {
        /// Tokens are ignored.
        case anybody
        /// A token is verified if there is one.
        case optional
        case required
        /// For the server's operator; other callers get 404 as for an unknown path.
        case `operator`
    }

    /// Whether it reads rooms: such responses may be large and get 503 while too many response bytes are buffered. Commands do not.
    let isRead: Bool
    let method: HTTPMethod
    /// Such as `/v1/rooms/{id}/bids`.
    let pattern: String
    let access: Access
    /// Whether the path names a room that must be in memory and visible before the route runs.
    let needsRoom: Bool
    /// Whether the room may be hidden from the caller: joining with an invite code.
    let opensHidden: Bool
    /// Whether a ticket in the query may replace the token.
    let takesTicket: Bool
    /// Whether every response, including errors, has a receipt: the time of receipt and the room's state.
    let givesReceipt: Bool
    /// Media types of its responses; a request that accepts none of them gets 406.
    let mediaTypes: [String]
    /// Position in `Routes.all`, starting at 1; 0 means no route.
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

/// All operations; a test compares them with the contract in `openapi/`.
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

internal import ExactJSON
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

    /// The handler, and by its case what it needs: `LoopHandler.call` resolves the parameters from left to right, and refuses the request
    /// at the first that it lacks.
    enum Handler: Sendable {
        /// Tokens are ignored.
        case anybody(@Sendable (RequestContext) throws(Problem) -> Reply)
        case `operator`(@Sendable (RequestContext) throws(Problem) -> Reply)
        /// Reads something other than a room; nil without a token.
        case viewer(@Sendable (RequestContext, Caller?) throws(Problem) -> Reply)
        case caller(@Sendable (RequestContext, Caller) throws(Problem) -> Reply)
        /// Reads a public room, or with a token also a hidden one.
        case room(@Sendable (RequestContext, VisibleRoom) throws(Problem) -> Reply)
        case callerInRoom(@Sendable (RequestContext, Caller, VisibleRoom) throws(Problem) -> Reply)
        /// With the members of the body's object.
        case body(@Sendable (RequestContext, Caller, VisibleRoom, inout JSONFields) throws(Problem) -> Reply)
    }

    let method: HTTPMethod
    /// Such as `/v1/rooms/{id}/bids`; if the handler needs a room, the first parameter is its id.
    let pattern: String
    let handler: Handler
    /// Whether it reads rooms: such responses may be large and get 503 while too many response bytes are buffered. Commands do not.
    let isRead: Bool
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

    init(
        _ method: HTTPMethod, _ pattern: String, opensHidden: Bool = false, takesTicket: Bool = false,
        givesReceipt: Bool = false,
        mediaTypes: [String] = ["application/json"], _ handler: Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.handler = handler
        isRead = method == .get && pattern.hasPrefix("/v1/rooms")
        self.opensHidden = opensHidden
        self.takesTicket = takesTicket
        self.givesReceipt = givesReceipt
        self.mediaTypes = mediaTypes
    }

    var access: Access {
        switch handler {
        case .anybody: .anybody
        case .operator: .operator
        case .viewer, .room: .optional
        case .caller, .callerInRoom, .body: .required
        }
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

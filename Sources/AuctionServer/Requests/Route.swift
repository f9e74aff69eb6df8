internal import AuctionDomain
internal import AuctionService
internal import ExactJSON
internal import MicroHTTP

/// Result of handling a request.
enum Reply {
    case now(Response)
    /// The response is sent later, by one of the loop's deliveries.
    case later
}

/// One operation of the API. A class, because every request passes it on, and a copy would count the references of its parts.
final class Route: Sendable {
    enum Access: Sendable {
        /// Tokens are ignored.
        case anonymous
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
        case anonymous(@Sendable (RequestContext) throws(Problem) -> Reply)
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

    /// Names the limit of a route's body.
    typealias LargestBody = @Sendable (RequestLimits) -> Int

    let method: HTTPMethod
    /// Such as `/v1/rooms/{id}/bids`; if the handler needs a room, the first parameter is its id.
    let pattern: String
    let handler: Handler
    /// Whether it reads rooms, what a user has in them, or pictures: such responses may be large, so these requests get 503 while too many
    /// response bytes are buffered. Commands do not.
    let isRead: Bool
    /// Whether the room may be hidden from the caller: joining with an invite code.
    let opensHidden: Bool
    /// Whether a ticket in the query may replace the token.
    let takesTicket: Bool
    /// Whether it is a command on a room whose response is stored under its Idempotency-Key.
    let keepsResponse: Bool
    /// Whether every response, including errors, has a receipt: the time of receipt and the room's state.
    let givesReceipt: Bool
    /// Media types of its responses; a request that accepts none of them gets 406.
    let mediaTypes: [String]
    /// The limit of its body, where that is larger than those of other routes.
    let largestBody: LargestBody?
    /// Position in `Routes.all`, starting at 1; 0 means no route.
    let index: Int

    init(
        _ method: HTTPMethod, _ pattern: String, opensHidden: Bool = false, takesTicket: Bool = false,
        givesReceipt: Bool = false, keepsResponse: Bool = true, mediaTypes: [String] = ["application/json"],
        largestBody: LargestBody? = nil, _ handler: Handler, index: Int = 0
    ) {
        self.method = method
        self.pattern = pattern
        self.handler = handler
        isRead = method == .get && ["/v1/rooms", "/v1/me", "/v1/media"].contains(where: pattern.hasPrefix)
        self.opensHidden = opensHidden
        self.takesTicket = takesTicket
        self.givesReceipt = givesReceipt
        self.keepsResponse = keepsResponse && method != .get && pattern.hasPrefix("/v1/rooms/{id}")
        self.mediaTypes = mediaTypes
        self.largestBody = largestBody
        self.index = index
    }

    /// The same route at an index.
    func at(_ index: Int) -> Route {
        Route(
            method, pattern, opensHidden: opensHidden, takesTicket: takesTicket, givesReceipt: givesReceipt,
            keepsResponse: keepsResponse, mediaTypes: mediaTypes, largestBody: largestBody, handler, index: index)
    }

    var access: Access {
        switch handler {
        case .anonymous: .anonymous
        case .operator: .operator
        case .viewer, .room: .optional
        case .caller, .callerInRoom, .body: .required
        }
    }
}

/// All operations; a test compares them with the contract in `openapi/`.
enum Routes {
    static let all: [Route] =
        identity + me + rooms + members + items + lots + media + sale + auction + bids + results + permissions + messages
        + events
        + stage + page + documentation
        + system
        + metrics

    static func router() -> Router<Route> {
        var router = Router<Route>()
        for (index, route) in all.enumerated() { router.on(route.method, route.pattern, route.at(index + 1)) }
        return router
    }
}

/// A path parameter below a room, and the problem if its text is no such value.
struct PathParameter<Value>: Sendable {
    let parse: @Sendable (String) -> Value?
    let problem: Problem

    fileprivate func value(in context: RequestContext) throws(Problem) -> Value {
        guard let value = parse(context.parameters[1]) else { throw problem }
        return value
    }
}

// Handlers that submit a command to the room. They are given what they read; the caller and the idempotency key are the same for all.
extension Route.Handler {
    /// A command that `decode` reads from the body. Fields that it does not read are refused.
    static func command(
        _ decode: @escaping @Sendable (RequestContext, VisibleRoom, inout JSONFields) throws(Problem) -> Command
    ) -> Self {
        .body { context, caller, room, fields throws(Problem) in
            let command = try decode(context, room, &fields)
            try fields.end()
            return try context.submit(command, to: room.id, by: caller)
        }
    }

    /// A command on what the path names, which is checked before the body.
    static func command<Target>(
        on target: PathParameter<Target>,
        _ decode: @escaping @Sendable (RequestContext, VisibleRoom, Target, inout JSONFields) throws(Problem) -> Command
    ) -> Self {
        .callerInRoom { context, caller, room throws(Problem) in
            let target = try target.value(in: context)
            var fields = try context.bodyFields()
            let command = try decode(context, room, target, &fields)
            try fields.end()
            return try context.submit(command, to: room.id, by: caller)
        }
    }

    /// A command without a body.
    static func bodiless(_ command: Command) -> Self {
        .callerInRoom { context, caller, room throws(Problem) in try context.submit(command, to: room.id, by: caller) }
    }

    /// A command without a body on what the path names.
    static func bodiless<Target>(
        on target: PathParameter<Target>,
        _ command: @escaping @Sendable (RequestContext, Target) throws(Problem) -> Command
    ) -> Self {
        .callerInRoom { context, caller, room throws(Problem) in
            let command = try command(context, try target.value(in: context))
            return try context.submit(command, to: room.id, by: caller)
        }
    }
}

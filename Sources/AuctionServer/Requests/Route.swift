internal import AuctionContract
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

/// An operation of the API with its handler. A class, because every request passes it on, and a copy would count the references of its parts.
final class Route: Sendable {
    /// The handler, and by its case what it needs: `LoopHandler.call` resolves the parameters from left to right, and refuses the request
    /// at the first that it lacks.
    enum Handler: Sendable {
        /// Tokens are ignored.
        case anonymous(@Sendable (RequestContext) throws(Problem) -> Reply)
        case `operator`(@Sendable (RequestContext) throws(Problem) -> Reply)
        /// Gets the token of a program of the operator.
        case service(@Sendable (RequestContext, ServiceToken) throws(Problem) -> Reply)
        /// The same for any room that is not archived.
        case serviceInRoom(@Sendable (RequestContext, ServiceToken, VisibleRoom) throws(Problem) -> Reply)
        /// Reads something other than a room; nil without a token.
        case viewer(@Sendable (RequestContext, Caller?) throws(Problem) -> Reply)
        case caller(@Sendable (RequestContext, Caller) throws(Problem) -> Reply)
        /// Reads a public room, or with a token also a hidden one.
        case room(@Sendable (RequestContext, VisibleRoom) throws(Problem) -> Reply)
        case callerInRoom(@Sendable (RequestContext, Caller, VisibleRoom) throws(Problem) -> Reply)
        /// Reads the members of the body's object.
        case body(@Sendable (RequestContext, Caller, VisibleRoom, inout JSONFields) throws(Problem) -> Reply)
    }

    /// Names the limit of a route's body.
    typealias LargestBody = @Sendable (RequestLimits) -> Int

    /// Nil for a path that the served contract leaves out.
    let operation: Operation?
    let method: HTTPMethod
    /// Such as `/v1/rooms/{id}/bids`; if the handler needs a room, the first parameter is its id.
    let pattern: String
    let handler: Handler
    /// What else the path from a request to its handler asks of it.
    let traits: Traits
    /// Media types of its responses; a request that accepts none of them gets 406.
    let mediaTypes: [String]
    /// The limit of its body, where that is larger than those of other routes.
    let largestBody: LargestBody?
    /// Position in `Routes.all`, starting at 1; 0 means no route.
    let index: Int

    /// Mostly those of its operation.
    struct Traits: Sendable {
        /// Whether it reads rooms, what a user has in them, or pictures: such responses may be large, so these requests get 503 while too many
        /// response bytes are buffered. Commands do not.
        let isRead: Bool
        /// Whether the room may be hidden from the caller: joining with an invite code.
        let opensHidden: Bool
        /// Whether a ticket in the query may replace the token.
        let takesTicket: Bool
        /// Whether users whom an operator has banned are refused: commands and streams of rooms.
        let refusesBanned: Bool
        /// Whether programs of the operator may send it, with a reason.
        let takesOperators: Bool
        /// Whether programs of the operator may read it.
        let isReadByOperators: Bool
        /// Whether it is a command on a room whose response is stored under its Idempotency-Key.
        let keepsResponse: Bool
        /// Whether every response, including errors, has a receipt: the time of receipt and the room's state.
        let givesReceipt: Bool

        init(_ operation: Operation?, takesTicket: Bool, isRead: Bool) {
            self.isRead = isRead
            opensHidden = operation?.opensHidden ?? false
            self.takesTicket = takesTicket
            // A route that is not in the contract and takes tickets is a stream.
            refusesBanned = operation?.refusesBanned ?? takesTicket
            takesOperators = operation?.takesOperators ?? false
            isReadByOperators = operation?.isReadByOperators ?? false
            keepsResponse = operation?.keepsResponse ?? false
            givesReceipt = operation?.givesReceipt ?? false
        }
    }

    var isRead: Bool { traits.isRead }
    var opensHidden: Bool { traits.opensHidden }
    var takesTicket: Bool { traits.takesTicket }
    var refusesBanned: Bool { traits.refusesBanned }
    var takesOperators: Bool { traits.takesOperators }
    var isReadByOperators: Bool { traits.isReadByOperators }
    var keepsResponse: Bool { traits.keepsResponse }
    var givesReceipt: Bool { traits.givesReceipt }

    private init(
        _ operation: Operation?, _ pattern: String, takesTicket: Bool, mediaTypes: [String], largestBody: LargestBody?,
        _ handler: Handler, index: Int
    ) {
        self.operation = operation
        method = HTTPMethod(rawValue: (operation?.method ?? .get).rawValue)
        self.pattern = pattern
        self.handler = handler
        let isRead = method == .get && ["/v1/rooms", "/v1/me", "/v1/media"].contains(where: pattern.hasPrefix)
        traits = Traits(operation, takesTicket: takesTicket, isRead: isRead)
        self.mediaTypes = mediaTypes
        self.largestBody = largestBody
        self.index = index
    }

    /// What an operation of the contract does.
    convenience init(_ operation: Operation, largestBody: LargestBody? = nil, _ handler: Handler) {
        self.init(
            operation, operation.path, takesTicket: operation.takesTicket, mediaTypes: operation.mediaTypes,
            largestBody: largestBody, handler, index: 0)
    }

    /// A GET that the served contract leaves out, because generated clients have no use for it.
    convenience init(
        unlisted pattern: String, takesTicket: Bool = false, mediaTypes: [String] = ["application/json"], _ handler: Handler
    ) {
        self.init(nil, pattern, takesTicket: takesTicket, mediaTypes: mediaTypes, largestBody: nil, handler, index: 0)
    }

    /// The same route at an index.
    func at(_ index: Int) -> Route {
        Route(
            operation, pattern, takesTicket: takesTicket, mediaTypes: mediaTypes, largestBody: largestBody, handler,
            index: index)
    }

    /// Whether only servers with an RTC service have it.
    var needsVoice: Bool { operation?.needsVoice ?? false }

    var access: Operation.Access {
        switch handler {
        case .anonymous: .anonymous
        case .operator: .operator
        // The scope is the operation's: a route without one is for none.
        case .service, .serviceInRoom: operation?.access ?? .operator
        case .viewer, .room: .optional
        case .caller, .callerInRoom, .body: .required
        }
    }
}

/// All routes; a test compares them with the contract in `openapi/`.
enum Routes {
    static let all: [Route] =
        identity + sessions + pairing + me + blocks + rooms + members + applications + items + lots + absenteeBids + media
        + sale + auction + bids
        + results
        + permissions + messages
        + events
        + admin + adminUsers + adminRooms + feed + webhooks
        + stage + voice + page + documentation
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

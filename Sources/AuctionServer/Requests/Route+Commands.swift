internal import AuctionDomain
internal import AuctionService
internal import ExactJSON

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

extension RequestContext {
    /// Submits the command with the request's idempotency key.
    /// - Parameter headers: headers to add to the response.
    func submit(
        _ command: Command, to room: RoomID, by caller: Caller, headers: [(name: String, value: String)] = []
    ) throws(Problem) -> Reply {
        let key = try idempotencyKey(of: caller.person)
        try loop.submit(command, of: room, in: self, by: caller.person, idempotency: key, headers: headers)
        return .later
    }
}

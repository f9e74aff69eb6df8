internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let stage: [Route] = [
        Route(.get, "/v1/rooms/{id}/stage", .optional, needsRoom: true) { context throws(Problem) in
            .now(.json(StageRepresentation.stage(try context.requiredView().room)))
        },
        Route(.post, "/v1/rooms/{id}/stage/requests", .required, needsRoom: true) { context throws(Problem) in
            var fields = try context.bodyFields()
            let role = try fields.taking { fields throws(JSONError) in try fields.word("role", StageRole.self) }
            return try step(.request(role), fields, context)
        },
        Route(.post, "/v1/rooms/{id}/stage/invitations", .required, needsRoom: true) { context throws(Problem) in
            var fields = try context.bodyFields()
            let step = try fields.taking { fields throws(JSONError) in
                StageCommand.invite(try fields.identifier("userId"), try fields.word("role", StageRole.self))
            }
            return try Self.step(step, fields, context)
        },
        Route(.post, "/v1/rooms/{id}/stage/leave", .required, needsRoom: true) { context throws(Problem) in
            try step(.leave, try context.bodyFields(), context)
        },
        handshake("accept") { .accept($0) },
        handshake("confirm") { .confirm($0) },
        handshake("decline") { .decline($0) },
        handshake("cancel") { .cancel($0) },
        seat("close") { number, _ throws(JSONError) in .closeSeat(number) },
        seat("mute") { number, fields throws(JSONError) in
            .muteSeat(number, muted: try fields.optionalBool("muted") ?? true)
        },
        seat("clear") { number, _ throws(JSONError) in .clearSeat(number) },
    ]

    private static func handshake(_ word: String, _ command: @escaping @Sendable (StageID) -> StageCommand) -> Route {
        Route(.post, "/v1/rooms/{id}/stage/{stageId}/\(word)", .required, needsRoom: true) { context throws(Problem) in
            guard let id = StageID(context.parameters[1]) else {
                throw Problem(
                    .notFound, code: "stage.not_found",
                    .init("There is no such request or invitation any more.", "该申请或邀请不存在或已结束。"))
            }
            return try step(command(id), try context.bodyFields(), context)
        }
    }

    private static func seat(
        _ word: String,
        _ command: @escaping @Sendable (Int, inout JSONFields) throws(JSONError) -> StageCommand
    ) -> Route {
        Route(.post, "/v1/rooms/{id}/stage/seats/{seat}/\(word)", .required, needsRoom: true) { context throws(Problem) in
            guard let number = Int(context.parameters[1]), (1...StageLimits.seats).contains(number) else {
                throw Problem(
                    .notFound, code: "stage.seat_unknown",
                    .init("Seats are numbered from 1 to \(StageLimits.seats).", "座位编号为 1 至 \(StageLimits.seats)。"))
            }
            var fields = try context.bodyFields()
            let step = try fields.taking { fields throws(JSONError) in try command(number, &fields) }
            return try Self.step(step, fields, context)
        }
    }

    private static func step(
        _ step: StageCommand, _ fields: JSONFields, _ context: RequestContext
    ) throws(Problem) -> Reply {
        try fields.end()
        let caller = try context.requiredCaller()
        try context.loop.submit(
            .stage(step), of: try context.requiredRoom().id, in: context, by: caller,
            idempotency: try context.idempotencyKey(of: caller))
        return .later
    }
}

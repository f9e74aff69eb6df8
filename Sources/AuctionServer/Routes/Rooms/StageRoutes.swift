internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let stage: [Route] = [
        Route(
            .get, "/v1/rooms/{id}/stage",
            .room { context, room throws(Problem) in
                try context.endQuery()
                return .now(.json(StageRepresentation.stage(room.state)))
            }),
        Route(
            .post, "/v1/rooms/{id}/stage/requests",
            .command { _, _, fields throws(Problem) in
                try fields.taking { fields throws(JSONError) in .stage(.request(try fields.word("role", StageRole.self))) }
            }),
        Route(
            .post, "/v1/rooms/{id}/stage/invitations",
            .command { _, _, fields throws(Problem) in
                try fields.taking { fields throws(JSONError) in
                    .stage(.invite(try fields.identifier("userId"), try fields.word("role", StageRole.self)))
                }
            }),
        Route(.post, "/v1/rooms/{id}/stage/leave", .command { _, _, _ in .stage(.leave) }),
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

    private static let stageID = PathParameter(parse: StageID.init, problem: Problem(.stageNotFound))

    private static let seatNumber = PathParameter(
        parse: { text in Int(text).flatMap { (1...StageLimits.seats).contains($0) ? $0 : nil } },
        problem: Problem(
            .notFound, code: "stage.seat_unknown",
            .init("Seats are numbered from 1 to \(StageLimits.seats).", "座位编号为 1 至 \(StageLimits.seats)。")))

    private static func handshake(_ word: String, _ command: @escaping @Sendable (StageID) -> StageCommand) -> Route {
        Route(
            .post, "/v1/rooms/{id}/stage/{stageId}/\(word)", .command(on: stageID) { _, _, id, _ in .stage(command(id)) })
    }

    private static func seat(
        _ word: String, _ command: @escaping @Sendable (Int, inout JSONFields) throws(JSONError) -> StageCommand
    ) -> Route {
        Route(
            .post, "/v1/rooms/{id}/stage/seats/{seat}/\(word)",
            .command(on: seatNumber) { _, _, number, fields throws(Problem) in
                .stage(try fields.taking { fields throws(JSONError) in try command(number, &fields) })
            })
    }
}

internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let stage: [Route] = [
        Route(
            .readStage,
            .room { context, room throws(Problem) in
                try context.endQuery()
                return .now(.json(StageRepresentation.stage(room.state)))
            }),
        Route(
            .requestStage,
            .command { _, _, fields throws(Problem) in
                try fields.taking { fields throws(JSONError) in .stage(.request(try fields.word("role", StageRole.self))) }
            }),
        Route(
            .inviteToStage,
            .command { _, _, fields throws(Problem) in
                try fields.taking { fields throws(JSONError) in
                    .stage(.invite(try fields.identifier("userId"), try fields.word("role", StageRole.self)))
                }
            }),
        Route(
            .seatMember,
            .command { _, _, fields throws(Problem) in
                try fields.taking { fields throws(JSONError) in
                    .stage(.seatMember(try fields.identifier("userId"), try fields.word("role", StageRole.self)))
                }
            }),
        Route(.leaveStage, .command { _, _, _ in .stage(.leave) }),
        handshake(.acceptStage) { .accept($0) },
        handshake(.confirmStage) { .confirm($0) },
        handshake(.declineStage) { .decline($0) },
        handshake(.cancelStage) { .cancel($0) },
        seat(.closeSeat) { number, _ throws(JSONError) in .closeSeat(number) },
        seat(.muteSeat) { number, fields throws(JSONError) in
            .muteSeat(number, muted: try fields.optionalBool("muted") ?? true)
        },
        seat(.clearSeat) { number, _ throws(JSONError) in .clearSeat(number) },
        seat(.moveSeat) { number, fields throws(JSONError) in .moveSeat(number, to: try fields.int("to")) },
    ]

    private static let stageID = PathParameter(parse: StageID.init, problem: Problem(.stageNotFound))

    private static let seatNumber = PathParameter(
        parse: { text in Int(text).flatMap { (1...StageLimits.seats).contains($0) ? $0 : nil } },
        problem: Problem(
            .notFound, code: "stage.seat_unknown",
            .init("Seats are numbered from 1 to \(StageLimits.seats).", "座位编号为 1 至 \(StageLimits.seats)。")))

    private static func handshake(_ operation: Operation, _ command: @escaping @Sendable (StageID) -> StageCommand) -> Route {
        Route(operation, .command(on: stageID) { _, _, id, _ in .stage(command(id)) })
    }

    private static func seat(
        _ operation: Operation, _ command: @escaping @Sendable (Int, inout JSONFields) throws(JSONError) -> StageCommand
    ) -> Route {
        Route(
            operation,
            .command(on: seatNumber) { _, _, number, fields throws(Problem) in
                .stage(try fields.taking { fields throws(JSONError) in try command(number, &fields) })
            })
    }
}

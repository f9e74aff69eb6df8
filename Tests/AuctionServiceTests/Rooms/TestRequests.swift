import AuctionDomain
import AuctionService
import AuctionTestKit
import Permissions

extension CommandRequest {
    /// A command that only has to be told from others: by the exchange that waits for its response.
    static func any(_ room: RoomID, exchange: UInt64) -> CommandRequest {
        CommandRequest(
            room: room, command: .leave, caller: Person(id: UserID(bits: 9), nickname: "Xu"),
            info: RequestInfo(language: .english, path: "/", requestID: "r", receivedAt: Timestamp(milliseconds: 0)),
            idempotency: nil, reply: ReplyAddress(loop: 0, exchange: exchange), seed: exchange,
            drawSeed: DrawSeed(bits: SeededGenerator.wide(exchange)))
    }
}

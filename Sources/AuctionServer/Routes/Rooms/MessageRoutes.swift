internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import MicroHTTP
internal import Permissions

// Chat messages of members.
extension Routes {
    static let messages: [Route] = [
        Route(
            .sendMessage,
            .command { _, _, fields throws(Problem) in .sendMessage(try fields.wordedText("text", Message.textLimit)) }),
        Route(.removeMessage, .bodiless(on: message) { _, message in .removeMessage(message) }),
    ]

    private static let message = PathParameter(parse: MessageID.init, problem: Problem(.messageNotFound))
}

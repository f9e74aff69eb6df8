import AuctionClient
import Foundation

// The code of the article ABiddingScreen.md, word for word; TutorialTests compares them.

@MainActor
func biddingModel(
    of room: String, at address: URL, sessions: any SessionStore, commands: any CommandStore
) throws -> RoomModel {
    let transport = URLSessionTransport(baseURL: address)
    var configuration = ClientConfiguration()
    configuration.tokens = try GuestTokens(transport: transport, nickname: "Bea", store: sessions)
    configuration.commandStore = commands
    return RoomModel(client: AuctionClient(transport: transport, configuration: configuration), room: room)
}

func words(for standing: MyStanding) -> String {
    switch standing {
    case .watching: "You are watching."
    case .bidder: "You have not bid yet."
    case .leading: "You lead."
    case .outbid: "You are outbid."
    case .sealed: "Your sealed bid is in."
    case .won(let price): "Yours for \(price.formatted())."
    case .lost: "It went to another."
    case .banned: "The host has banned you."
    }
}

// main.swift: joins a room as a new guest, prints what happens, and bids while it does not lead.
import AuctionClient
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3, let address = URL(string: arguments[1]) else { exit(64) }

let log: ClientLog = { if $0.level >= .warning { print($0.message) } }
let guest = GuestTokens(transport: URLSessionTransport(baseURL: address), nickname: "Bea", log: log)
var configuration = ClientConfiguration()
configuration.tokens = guest
configuration.log = log
let client = AuctionClient(baseURL: address, configuration: configuration)
let room = client.room(arguments[2])

do {
    let me = try await guest.guest()
    try await room.join(as: .bidder)
    for try await update in room.follow().updates {
        let state = update.state
        if let event = update.event { print(event.seq, event.type, state.currentPrice?.formatted() ?? "–") }
        guard state.phase == .auctioning, state.currentBid?.bidder.id != me.id, let minimum = state.nextMinimum else {
            continue
        }
        print(await room.placeBid(minimum, round: state.round))
    }
} catch {
    print(error)
    exit(1)
}

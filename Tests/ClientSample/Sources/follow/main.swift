// follow ADDRESS ROOM: prints every event of a room once, whatever happens to the network and the server.
import AuctionClient
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3, let address = URL(string: arguments[1]) else { exit(64) }

var configuration = ClientConfiguration()
configuration.log = { FileHandle.standardError.write(Data("\($0.message)\n".utf8)) }
let client = AuctionClient(baseURL: address, configuration: configuration)

do {
    for try await update in client.room(arguments[2]).follow(from: .after(0)).updates {
        guard let event = update.event else { continue }
        let price = update.state.currentPrice?.formatted() ?? "-"
        FileHandle.standardOutput.write(Data("\(event.seq) \(event.type) \(update.state.phase) \(price)\n".utf8))
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}

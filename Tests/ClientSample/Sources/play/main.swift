// play ADDRESS: plays auctions in every format with the library's commands, and compares the state made of events with the server's.
import AuctionClient
import Foundation

guard CommandLine.arguments.count == 2, let address = URL(string: CommandLine.arguments[1]) else { exit(64) }
do {
    var checks = 0
    for format: AuctionFormat in [.english, .dutch, .sealedFirstPrice, .vickrey] {
        let sale = try await Sale(address, format)
        try await sale.play()
        checks += sale.checks
    }
    print("play: \(checks) checks in 4 formats")
} catch {
    FileHandle.standardError.write(Data("play: \(error)\n".utf8))
    exit(1)
}

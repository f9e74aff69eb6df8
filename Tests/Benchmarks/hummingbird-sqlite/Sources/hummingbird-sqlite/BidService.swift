import Hummingbird
import Logging

/// `hummingbird-sqlite PORT FILE`: what a plain service writes that takes bids, for comparison.
@main
struct BidService {
    struct Offer: Decodable {
        let amount: String
    }

    struct Receipt: ResponseEncodable {
        let room: String
        let amount: String
        let bidder: String
        let leading: Bool
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = Int(arguments[1]) else { throw BidStore.StoreError(message: "PORT FILE") }
        let store = try BidStore(path: arguments[2])
        let router = Router()
        router.post("/v1/rooms/:room/bids") { request, context in
            let offer = try await request.decode(as: Offer.self, context: context)
            let room = try context.parameters.require("room")
            guard let bidder = request.headers[.authorization] else { throw HTTPError(.unauthorized) }
            guard let amount = minorUnits(offer.amount) else { throw HTTPError(.badRequest) }
            guard try await store.place(amount, in: room, by: bidder) else { throw HTTPError(.unprocessableContent) }
            return EditedResponse(
                status: .created, response: Receipt(room: room, amount: offer.amount, bidder: bidder, leading: true))
        }
        var logger = Logger(label: "bids")
        logger.logLevel = .warning
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        try await application.runService()
    }

    /// `12.00` in minor units.
    private static func minorUnits(_ amount: String) -> Int64? {
        let parts = amount.split(separator: ".")
        guard parts.count == 2, parts[1].utf8.count == 2, let whole = Int64(parts[0]), let rest = Int64(parts[1]) else {
            return nil
        }
        let (units, isTooLarge) = whole.multipliedReportingOverflow(by: 100)
        return isTooLarge ? nil : units &+ rest
    }
}

@testable import AuctionServer
import AuctionDomain
import AuctionTestKit
import ExactJSON
import Testing

/// Bodies of bids that are read without a tree.
struct BidBodyTests {
    private static let currency = Currency.cny

    private func tree(_ body: [UInt8]) throws -> PlaceBid {
        var fields = try JSONFields(request: try JSONReader.read(body, limits: JSONLimits()))
        let bid = try BidBody.read(&fields, in: Self.currency)
        try fields.finish()
        return bid
    }

    @Test func `a body as clients write it is read in place`() throws {
        let item = ItemID(bits: 7)
        let bodies = [
            #"{"amount":"12.50"}"#, #"{"amount":120}"#, #"{ "maximum" : "1", "round":3 }"#,
            #"{"amount":"1","maximum":2,"round":1,"item":"\#(item)"}"#,
        ]
        for body in bodies {
            let bid = BidBody.readPlain(Array(body.utf8), in: Self.currency)
            #expect(try bid == tree(Array(body.utf8)), "\(body)")
        }
    }

    @Test func `a body that is read in place means the same as its tree`() throws {
        var generator = SeededGenerator(seed: 40)
        let members = ["amount": "\"1.50\"", "maximum": "12", "round": "3", "item": "\"\(ItemID(bits: 9))\""]
        let names = ["amount ", "Amount", "am\\u006funt", "other", ""]
        let values = [
            "1", "120", "01", "-1", "1.5", "1e2", "\"1\"", "\"1.50\"", "\"0\"", "\"1.505\"", "\"\"", "null", "true", "{}",
            "[1]", "\u{B}1", "\"\\u0031\"", "\"é\"", "99999999999999999999", "\"99999999999999999999\"", "x", "",
        ]
        let blanks = ["", "", "", " ", "\n", "\t "]
        var inPlace = 0
        for _ in 0..<4000 {
            var text = generator.pick(blanks) + "{"
            for number in 0..<generator.roll(0...4) {
                let name = generator.pick(generator.once(in: 20) ? names : members.keys.sorted())
                let value = generator.once(in: 5) ? generator.pick(values) : members[name] ?? "1"
                let parts = [number == 0 ? "" : ",", "\"\(name)\"", ":", value]
                for part in parts { text += part + generator.pick(blanks) }
            }
            var body = Array((text + "}" + generator.pick(blanks)).utf8)
            if generator.once(in: 4) { body[generator.roll(0...body.count - 1)] = UInt8(generator.roll(0...255)) }
            guard let bid = BidBody.readPlain(body, in: Self.currency) else { continue }
            inPlace += 1
            #expect(try bid == tree(body), "\(text)")
        }
        #expect(inPlace > 300, "\(inPlace)")
    }
}

import AuctionTestKit
import ExactJSON
import HTTPContract

// Files of lots.
extension RequestMaker {
    /// The body of an import, and its media type.
    func lotFile(_ room: Int?, _ generator: inout SeededGenerator) -> (body: [UInt8], type: String) {
        let lot = contract.operation("POST", "/v1/rooms/x/lots")
        if let lot, let schema = lot.node.at("requestBody.content.application/json.schema"), generator.once(in: 2) {
            let lines = (0..<generator.roll(1...4)).map { _ in bodyValue(schema, lot, room, &generator).written }
            return (changed(lines.joined(separator: "\n"), &generator), "application/x-ndjson")
        }
        let rows = (0..<generator.roll(1...4)).map { number in
            generator.pick(["R\(number),Vase,1,5%", ",Vase,2.00,", "R1,\"Cup, blue\",3,0:1 10:2", ",,1,", "R2,'=Jug,4,1"])
        }
        let columns = generator.once(in: 8) ? "name;startingPrice" : "reference,name,startingPrice,increment"
        return (changed(([columns] + rows).joined(separator: "\r\n"), &generator), "text/csv")
    }

    /// The text, with a few bytes replaced in odd requests.
    private func changed(_ text: String, _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(text.utf8)
        guard isOdd, !bytes.isEmpty else { return bytes }
        for _ in 0..<generator.roll(0...3) {
            bytes[generator.roll(0...(bytes.count - 1))] = generator.pick([0x22, 0x2C, 0x0A, 0x0D, 0x00, 0xFF, 0x27, 0x7B])
        }
        return bytes
    }
}

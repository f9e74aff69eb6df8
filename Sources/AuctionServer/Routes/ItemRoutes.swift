internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP

extension Routes {
    static let items: [Route] = [
        Route(.post, "/v1/rooms/{id}/items", .required, needsRoom: true) { context throws(Problem) in
            let caller = try context.requiredCaller()
            let (room, view) = (try context.requiredRoom(), try context.requiredView())
            var fields = try context.bodyFields()
            let name = try fields.text("name", 1...AuctionItem.nameLimit)
            let description = try fields.optionalText("description", 0...AuctionItem.descriptionLimit) ?? ""
            let media = try fields.taking { fields throws(JSONError) in try readMedia(&fields) }
            let currency = view.room.currency
            let formats = context.loop.shared.rulebook.formats
            let rules = try fields.taking { fields throws(JSONError) in
                let rules = try AuctionRules(try fields.object("rules"), currency: currency)
                guard formats[rules.format] != nil else {
                    let known = formats.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
                    throw JSONError(.invalidField, field: "rules.format", "\"rules.format\" must be one of \(known).")
                }
                return rules
            }
            try fields.end()
            try context.loop.submit(
                .uploadItem(UploadItem(name: name, description: description, media: media, rules: rules)), of: room.id,
                in: context, by: caller, idempotency: try context.idempotencyKey(of: caller))
            return .later
        }
    ]

    private static func readMedia(_ fields: inout JSONFields) throws(JSONError) -> [String] {
        let elements = try fields.optionalArray("media") ?? []
        guard elements.count <= AuctionItem.mediaLimit else {
            throw fields.invalid("media", "may have at most \(AuctionItem.mediaLimit) addresses, not \(elements.count)")
        }
        var media: [String] = []
        for element in elements {
            guard case .string(let address) = element, address.hasPrefix("https://"),
                address.utf8.count <= AuctionItem.mediaAddressLimit, address.utf8.count > 8,
                address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else {
                throw fields.invalid("media", "must be https:// addresses of at most \(AuctionItem.mediaAddressLimit) bytes")
            }
            media.append(address)
        }
        return media
    }
}

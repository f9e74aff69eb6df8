internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let items: [Route] = [
        Route(.post, "/v1/rooms/{id}/items", .command(uploadItem)),
        Route(.patch, "/v1/rooms/{id}/items/{itemId}", .command(on: item, adjustRules)),
    ]

    private static let item = PathParameter(parse: ItemID.init, problem: Problem(.itemNotFound))

    private static func uploadItem(
        _ context: RequestContext, _ room: VisibleRoom, _ fields: inout JSONFields
    ) throws(Problem) -> Command {
        let name = try fields.displayName("name", AuctionItem.nameLimit)
        let description = try fields.optionalText("description", 0...AuctionItem.descriptionLimit) ?? ""
        let media = try fields.taking { fields throws(JSONError) in try readMedia(&fields) }
        let formats = context.rulebook.formats
        let rules = try fields.taking { fields throws(JSONError) in
            let rules = try AuctionRules(try fields.object("rules"), currency: room.state.currency)
            try check(rules.format, formats)
            return rules
        }
        try fields.end()
        // Depends on the request only, so it is checked before any state of the room.
        if let problem = formats[rules.format]?.problem(with: rules) {
            throw .malformed(problem.text.english, problem.text.chinese, field: "rules.\(problem.field)")
        }
        return .uploadItem(UploadItem(name: name, description: description, media: media, rules: rules))
    }

    private static func adjustRules(
        _ context: RequestContext, _ room: VisibleRoom, _ item: ItemID, _ fields: inout JSONFields
    ) throws(Problem) -> Command {
        let formats = context.rulebook.formats
        return try fields.taking { fields throws(JSONError) in
            let patch = try RulesPatch(try fields.object("rules"), currency: room.state.currency)
            guard patch != RulesPatch() else { throw fields.invalid("rules", "must name at least one rule") }
            if let format = patch.format { try check(format, formats) }
            return .adjustRules(item, patch)
        }
    }

    private static func check(_ format: AuctionFormatName, _ formats: AuctionFormats) throws(JSONError) {
        guard formats[format] == nil else { return }
        let known = formats.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw JSONError(.invalidField, field: "rules.format", "\"rules.format\" must be one of \(known).")
    }

    private static func readMedia(_ fields: inout JSONFields) throws(JSONError) -> [String] {
        let elements = try fields.optionalArray("media") ?? []
        guard elements.count <= AuctionItem.mediaLimit else {
            throw fields.invalid("media", "may have at most \(AuctionItem.mediaLimit) addresses, not \(elements.count)")
        }
        var media: [String] = []
        for element in elements {
            guard case .string(let address) = element, (9...AuctionItem.mediaAddressLimit).contains(address.utf8.count),
                address.hasPrefix("https://"),
                address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else {
                throw fields.invalid("media", "must be https:// addresses of at most \(AuctionItem.mediaAddressLimit) bytes")
            }
            media.append(address)
        }
        return media
    }
}

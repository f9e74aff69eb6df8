internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import Permissions

// Reads items and lots of request bodies.
extension JSONFields {
    /// The members of an item, and no others.
    mutating func item(_ formats: AuctionFormats, _ currency: Currency) throws(Problem) -> UploadItem {
        let item = try uncheckedItem(formats, currency)
        // Depends on the request only, so it is checked before any state of the room.
        if let problem = formats[item.rules.format]?.problem(with: item.rules) {
            throw .malformed(problem.text.english, problem.text.chinese, field: "rules.\(problem.field)")
        }
        return item
    }

    /// The members of an item, of which the rules may contradict each other.
    private mutating func uncheckedItem(_ formats: AuctionFormats, _ currency: Currency) throws(Problem) -> UploadItem {
        let name = try displayName("name", AuctionItem.nameLimit)
        let description = try optionalText("description", 0...AuctionItem.descriptionLimit) ?? ""
        let media = try taking { fields throws(JSONError) in try fields.media() }
        let estimate = try taking { fields throws(JSONError) in try fields.estimate(in: currency) }
        let condition = try condition()
        let rules = try taking { fields throws(JSONError) in
            let rules = try AuctionRules(try fields.object("rules"), currency: currency)
            try Self.check(rules.format, formats)
            return rules
        }
        try end()
        return UploadItem(
            name: name, description: description, media: media, estimate: estimate, condition: condition, rules: rules)
    }

    /// The members of a lot to be queued, and no others.
    mutating func queuedLot(_ formats: AuctionFormats, _ currency: Currency) throws(Problem) -> QueueLot {
        let reference = try reference()
        return QueueLot(item: try item(formats, currency), reference: reference)
    }

    /// The members of a lot in a row of a file, and no others. Its rules are checked with those of the lot that it changes, if any.
    mutating func importRow(
        _ line: Int, _ formats: AuctionFormats, _ currency: Currency
    ) throws(Problem) -> ImportLots.Row {
        let reference = try reference()
        var named = self
        let item = try uncheckedItem(formats, currency)
        var changes = LotChanges()
        changes.name = item.name
        if !named.isAbsent("description") { changes.description = item.description }
        if !named.isAbsent("media") { changes.media = item.media }
        if named.has("estimate") { changes.estimate = item.estimate }
        if named.has("condition") { changes.condition = item.condition }
        changes.rules = try named.rulesPatch(formats, currency)
        return ImportLots.Row(line: line, lot: QueueLot(item: item, reference: reference), changes: changes)
    }

    /// The changes in `rules`; nil if that is absent.
    mutating func rulesPatch(_ formats: AuctionFormats, _ currency: Currency) throws(Problem) -> RulesPatch? {
        try taking { fields throws(JSONError) in
            guard !fields.isAbsent("rules") else { return nil }
            let patch = try RulesPatch(try fields.object("rules"), currency: currency)
            guard patch != RulesPatch() else { throw fields.invalid("rules", "must name at least one rule", "须至少包含一项规则") }
            if let format = patch.format { try Self.check(format, formats) }
            return patch
        }
    }

    private static func check(_ format: AuctionFormatName, _ formats: AuctionFormats) throws(JSONError) {
        guard formats[format] == nil else { return }
        let known = formats.all.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw JSONError(
            .invalidField, field: "rules.format", "\"rules.format\" must be one of \(known).", "须为 \(known) 之一。")
    }

    /// The addresses in `media`; empty if that is absent.
    mutating func media() throws(JSONError) -> [String] {
        let elements = try optionalArray("media") ?? []
        guard elements.count <= AuctionItem.mediaLimit else {
            throw invalid(
                "media", "may have at most \(AuctionItem.mediaLimit) addresses, not \(elements.count)",
                "最多 \(AuctionItem.mediaLimit) 个地址,不能是 \(elements.count) 个")
        }
        var media: [String] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element else { throw invalid("media", "must be addresses", "须为地址") }
            let address = MediaAddress.normalized(text)
            if PictureID(path: address) == nil, let problem = MediaAddress.problem(in: address) {
                throw JSONError(
                    .invalidField, field: fullName("media"),
                    "\"\(fullName("media"))\": address \(index + 1) \(problem.english).",
                    "第 \(index + 1) 个地址\(problem.chinese)。")
            }
            media.append(address)
        }
        return media
    }

    /// The state that the item is in; nil if it is absent.
    mutating func condition() throws(Problem) -> String? {
        isAbsent("condition") ? nil : try displayName("condition", AuctionItem.conditionLimit)
    }

    /// The changes of the estimate and the condition, which a null removes.
    mutating func appraisal(_ currency: Currency) throws(Problem) -> (estimate: Estimate??, condition: String??) {
        let (hasEstimate, hasCondition) = (has("estimate"), has("condition"))
        let estimate = try taking { fields throws(JSONError) in try fields.estimate(in: currency) }
        let condition = try condition()
        return (hasEstimate ? .some(estimate) : nil, hasCondition ? .some(condition) : nil)
    }

    /// The seller's own number of a lot; nil if it is absent.
    mutating func reference() throws(Problem) -> String? {
        try optionalLine("reference", Lot.referenceLimit)
    }

    /// Nil: absent; `.some(nil)`: null, which removes it.
    mutating func removableReference() throws(Problem) -> String?? {
        let isNull = try taking { fields throws(JSONError) in try fields.removable("reference") { _, _ in true } } == .some(nil)
        return isNull ? .some(nil) : try reference().map { .some($0) }
    }
}

internal import AuctionContract
internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let permissions: [Route] = [
        Route(.readPermissions, .callerInRoom(readPermissions)),
        Route(
            .listPermissionRules,
            .room { context, room throws(Problem) in
                try context.endQuery()
                return .now(ruleList(room.state, context))
            }),
        Route(
            .readPermissionRule,
            .room { context, room throws(Problem) in
                try context.endQuery()
                guard let rule = context.rulebook.permissions[context.parameters[1]] else { throw Problem(.ruleNotFound) }
                return .now(
                    .json(reserving: 256) {
                        PermissionRuleRepresentation.write(rule, room.state.configuration, context.language, to: &$0)
                    })
            }),
        Route(
            .configurePermissions,
            .command { context, _, fields throws(Problem) in
                try fields.taking { fields throws(JSONError) in .configureRule(try readChange(&fields, context.parameters[1])) }
            }),
    ]

    private static func readPermissions(
        _ context: RequestContext, by caller: Caller, in room: VisibleRoom
    ) throws(Problem) -> Reply {
        let items = try context.query("action", "amount", "maximum", "round", "item", "target", "bid", "lot", "explain")
        let explain = try items.flag("explain")
        let question = try question(items, room.state, by: caller.id, context)
        guard let name = items["action"] else { return .now(matrix(question, context.language)) }
        guard let action = RoomAction(rawValue: name) else {
            let known = RoomAction.allCases.map(\.rawValue).joined(separator: ", ")
            throw .malformed("\"action\" must be one of \(known).", "action 须为 \(known) 之一。", field: "action")
        }
        return .now(decision(action, question, explain: explain, context.language))
    }

    private static func ruleList(_ room: Room, _ context: RequestContext) -> Response {
        let rules = context.rulebook.permissions.rules(configuration: room.configuration)
        return .object(reserving: 8192) { json in
            json.member("rules", each: rules) {
                PermissionRuleRepresentation.write($0, room.configuration, context.language, to: &$1)
            }
        }
    }

    private static func readChange(_ fields: inout JSONFields, _ rule: String) throws(JSONError) -> ConfigureRule {
        let isEnabled = try fields.optionalBool("enabled")
        let priority = try fields.optionalInt("priority")
        try fields.finish()
        if let priority, !ConfigureRule.priorityRange.contains(priority) {
            let range = ConfigureRule.priorityRange
            throw fields.invalid(
                "priority", "must be from \(range.lowerBound) to \(range.upperBound), not \(priority)",
                "须为 \(range.lowerBound) 至 \(range.upperBound),不能是 \(priority)")
        }
        guard isEnabled != nil || priority != nil else {
            throw fields.invalid("enabled", "or \"priority\" is required", "与 priority 须至少有一个")
        }
        return ConfigureRule(rule: rule, isEnabled: isEnabled, priority: priority)
    }

    private static func question(
        _ items: QueryItems, _ room: Room, by caller: UserID, _ context: RequestContext
    ) throws(Problem) -> RuleContext {
        let amount = try money("amount", items, room.currency)
        let maximum = try money("maximum", items, room.currency)
        try checkMaximum(maximum, amount)
        let target = try items.value("target", LocalizedText("must be a user's id.", "须为用户编号。"), UserID.init)
        let round = try items.int("round", in: 1...Int(Int32.max))
        let item = try items.value("item", LocalizedText("must be an item's id.", "须为物品编号。"), ItemID.init)
        let bid =
            amount == nil && maximum == nil && round == nil && item == nil
            ? nil : PlaceBid(amount: amount, maximum: maximum, round: round, item: item)
        let retracted = try items.value("bid", LocalizedText("must be a bid's id.", "须为出价编号。"), BidID.init)
        let lot = try items.value("lot", LocalizedText("must be a lot's id.", "须为拍品编号。"), LotID.init)
        return RuleContext(
            room: room, rulebook: context.rulebook, caller: caller, at: context.now.wall,
            RuleRequest(bid: bid, target: target, retracted: retracted, lot: lot))
    }

    private static func money(_ name: String, _ items: QueryItems, _ currency: Currency) throws(Problem) -> Money? {
        guard let text = items[name] else { return nil }
        do throws(MoneyError) {
            return try currency.money(text)
        } catch {
            throw Problem(
                JSONError(.malformedMoney, field: name, "\"\(name)\": \(error.description)", error.text.chinese))
        }
    }

    private static func matrix(_ question: RuleContext, _ language: Language) -> Response {
        .object(reserving: 2048) { json in
            json.member("role", question.member?.role.rawValue)
            json.member("permissions", each: RoomAction.allCases) { action, json in
                json.object { writeDecision(action, question, language, to: &$0) }
            }
        }
    }

    private static func decision(
        _ action: RoomAction, _ question: RuleContext, explain: Bool, _ language: Language
    ) -> Response {
        .object(reserving: 2048) { json in
            writeDecision(action, question, language, isAlone: true, to: &json)
            guard explain else { return }
            let trace = question.rulebook.permissions.explain(
                action, in: question, configuration: question.room.configuration)
            json.member("trace", each: trace) { write($0, language, to: &$1) }
        }
    }

    /// - Parameter isAlone: Whether the response has no other decision; a denial then says what is allowed instead.
    private static func writeDecision(
        _ action: RoomAction, _ question: RuleContext, _ language: Language, isAlone: Bool = false, to json: inout JSONWriter
    ) {
        let denial = question.rulebook.denial(of: action, in: question)
        json.member("action", action.rawValue)
        json.member("allowed", denial == nil)
        json.name("denial")
        guard let denial else { return json.null() }
        json.object { json in
            json.member("rule", denial.rule)
            json.member("category", denial.category.rawValue)
            json.member("priority", denial.priority)
            json.member("detail", denial.reason.text[language])
            json.member("required", denial.reason.required)
            json.member("actual", denial.reason.actual)
            guard isAlone else { return }
            json.member(
                "allowedActions",
                question.rulebook.allowedActions(of: question.caller, in: question.room, at: question.instant))
        }
    }

    private static func write(_ entry: PermissionTraceEntry, _ language: Language, to json: inout JSONWriter) {
        json.object { json in
            json.member("rule", entry.rule)
            json.member("category", entry.category.rawValue)
            json.member("priority", entry.priority)
            json.member("description", entry.description[language])
            switch entry.verdict {
            case .passed: json.member("verdict", "passed")
            case .disabled: json.member("verdict", "disabled")
            case .denied(let reason):
                json.member("verdict", "denied")
                json.member("detail", reason.text[language])
                json.member("required", reason.required)
                json.member("actual", reason.actual)
            }
        }
    }
}

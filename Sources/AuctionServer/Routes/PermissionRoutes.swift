internal import AuctionDomain
internal import AuctionService
internal import EventLog
internal import ExactJSON
internal import MicroHTTP
internal import Permissions

extension Routes {
    static let permissions: [Route] = [
        Route(.get, "/v1/rooms/{id}/permissions", .required, needsRoom: true) { context throws(Problem) in
            let items = try context.query("action", "amount", "round", "target", "explain")
            let explain = try items.flag("explain")
            let room = try context.requiredView().room
            let question = try question(items, room, context)
            guard let name = items["action"] else { return .now(matrix(question, context.language)) }
            guard let action = RoomAction(rawValue: name) else {
                let known = RoomAction.allCases.map(\.rawValue).joined(separator: ", ")
                throw .malformed("\"action\" must be one of \(known).", "action 须为 \(known) 之一。", field: "action")
            }
            return .now(decision(action, question, explain: explain, context.language))
        },
        Route(.get, "/v1/rooms/{id}/permission-rules", .optional, needsRoom: true) { context throws(Problem) in
            var json = JSONWriter(reserving: 4096)
            json.object { json in
                json.member(
                    "rules",
                    array: { rules in
                        for rule in context.loop.shared.rulebook.permissions.rules {
                            write(rule, context.language, to: &rules)
                        }
                    })
            }
            return .now(.json(json.bytes))
        },
    ]

    private static func question(
        _ items: QueryItems, _ room: Room, _ context: RequestContext
    ) throws(Problem) -> RuleContext {
        var amount: Money?
        if let text = items["amount"] {
            do throws(MoneyError) {
                amount = try room.currency.money(text)
            } catch {
                throw Problem(JSONError(.malformedMoney, field: "amount", "\"amount\": \(error.description)"))
            }
        }
        let target = try items["target"].map { text throws(Problem) in
            guard let user = UserID(text) else {
                throw Problem.malformed("\"target\" must be a user's id.", "target 须为用户编号。", field: "target")
            }
            return user
        }
        let round = items["round"] == nil ? nil : try items.int("round", in: 1...Int(Int32.max), default: 1)
        let bid = amount == nil && round == nil ? nil : PlaceBid(amount: amount, round: round)
        return RuleContext(
            room: room, rulebook: context.loop.shared.rulebook, caller: try context.requiredCaller().id,
            at: context.now.wall, RuleRequest(bid: bid, target: target))
    }

    private static func matrix(_ question: RuleContext, _ language: Language) -> Response {
        var json = JSONWriter(reserving: 2048)
        json.object { json in
            json.member("role", question.member?.role.rawValue)
            json.member(
                "permissions",
                array: { array in
                    for action in RoomAction.allCases {
                        array.object { writeDecision(action, question, language, to: &$0) }
                    }
                })
        }
        return .json(json.bytes)
    }

    private static func decision(
        _ action: RoomAction, _ question: RuleContext, explain: Bool, _ language: Language
    ) -> Response {
        var json = JSONWriter(reserving: 2048)
        json.object { json in
            writeDecision(action, question, language, to: &json)
            guard explain else { return }
            json.member(
                "trace",
                array: { trace in
                    for entry in question.rulebook.permissions.explain(
                        action, in: question, configuration: question.room.configuration)
                    {
                        write(entry, language, to: &trace)
                    }
                })
        }
        return .json(json.bytes)
    }

    private static func writeDecision(
        _ action: RoomAction, _ question: RuleContext, _ language: Language, to json: inout JSONWriter
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

    private static func write(
        _ rule: PermissionRule<RoomAction, RuleContext>, _ language: Language, to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("id", rule.id)
            json.member("action", rule.action.rawValue)
            json.member("priority", rule.priority)
            json.member("category", rule.category.rawValue)
            json.member("enabled", rule.isPermanent || rule.isEnabledByDefault)
            json.member("permanent", rule.isPermanent)
            json.member("description", rule.description[language])
        }
    }
}

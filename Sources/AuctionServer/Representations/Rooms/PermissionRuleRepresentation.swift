internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import Permissions

/// The JSON of a permission rule with its setting in one room.
enum PermissionRuleRepresentation {
    static func write(
        _ rule: PermissionRule<RoomAction, RuleContext>, _ configuration: RuleConfiguration, _ language: Language,
        to json: inout JSONWriter
    ) {
        json.object { json in
            json.member("id", rule.id)
            json.member("action", rule.action.rawValue)
            json.member("priority", configuration.priority(of: rule))
            json.member("category", rule.category.rawValue)
            json.member("enabled", configuration.isEnabled(rule))
            json.member("permanent", rule.isPermanent)
            json.member("description", rule.description[language])
        }
    }
}

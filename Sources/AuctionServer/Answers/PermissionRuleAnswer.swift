internal import AuctionDomain
internal import EventLog
internal import ExactJSON
internal import Permissions

/// The JSON of a permission rule as one room has it.
enum PermissionRuleAnswer {
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

    /// All rules in the order in which the room asks them: by action, then by priority.
    static func ordered(
        _ rules: [PermissionRule<RoomAction, RuleContext>], _ configuration: RuleConfiguration
    ) -> [PermissionRule<RoomAction, RuleContext>] {
        if configuration.priorities.isEmpty { return rules }
        var places: [RoomAction: Int] = [:]
        for rule in rules where places[rule.action] == nil { places[rule.action] = places.count }
        return rules.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            // Rules of equal priority keep their order.
            return (places[first.action] ?? 0, -configuration.priority(of: first), left.offset)
                < (places[second.action] ?? 0, -configuration.priority(of: second), right.offset)
        }.map(\.element)
    }
}

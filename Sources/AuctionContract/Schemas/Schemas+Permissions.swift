extension Schema {
    /// Decisions and their rules.
    static let permissions: [Schema] = [
        .request(
            "ConfigureRule",
            #"""
            {
              "enabled?": "boolean: A permanent rule cannot be switched off.",
              "priority?": "integer 0...1000: Higher is asked first."
            }
            """#, "At least one of them.", isEmptyAllowed: false),
        .object(
            "Denial",
            #"""
            {
              "rule": "text 1...", "category": "Category", "priority": "integer", "detail": "text 1...", "required": "text?",
              "actual": "text?",
              "allowedActions?": "[Action]: Only with `action`: what the caller may do now. The matrix says it by itself."
            }
            """#, "The rule that denies the action, or null if it is allowed.", isNullable: true),
        .object(
            "Decision",
            #"""
            {
              "action": "Action", "allowed": "boolean", "denial": "Denial",
              "trace?": "[TraceEntry]: Only with `explain=true`: every rule of the action in the order it is asked; the first denial decides."
            }
            """#, "Whether the caller may perform an action, and why not."),
        .object(
            "TraceEntry",
            #"""
            {
              "rule": "text 1...", "category": "Category", "priority": "integer", "description": "text 1...",
              "verdict": "one of passed | disabled | denied",
              "detail?": "text 1...: Why, in the caller's language; it and the two below only with `denied`.",
              "required?": "text?", "actual?": "text?"
            }
            """#, "One rule and its verdict."),
        .object("PermissionMatrix", #"{"role": "Role?", "permissions": "[Decision]"}"#),
        .object(
            "PermissionRule",
            #"""
            {
              "id": "text 1...", "action": "Action", "priority": "integer: Higher is asked first.", "category": "Category",
              "enabled": "boolean: Whether it is asked in this room.",
              "permanent": "boolean: Whether it can never be switched off.", "description": "text 1..."
            }
            """#),
        .object("PermissionRuleList", #"{"rules": "[PermissionRule]"}"#),
    ]
}

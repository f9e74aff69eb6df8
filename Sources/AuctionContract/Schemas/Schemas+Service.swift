extension Schema {
    /// The service, and its problems.
    static let service: [Schema] = [
        .object(
            "StateDescription",
            #"""
            {
              "name": "StateName", "description": "text 1...", "allows": "{Action}: The actions whose state rules pass here."
            }
            """#, "A state of the room."),
        .object(
            "StateTransition",
            #"""
            {
              "from": "StateName", "to": "StateName", "cause": "Cause",
              "by": "one of host | the clock | the bidder: Who may cause it, or what does."
            }
            """#, "A step from one state to another."),
        .object(
            "StateMachine",
            #"""
            {
              "initial": "StateName", "states": "[StateDescription]", "transitions": "[StateTransition]"
            }
            """#),
        .object(
            "ServiceLinks",
            #"""
            {
              "openapi": "text: This contract.", "asyncapi": "text: The contract of the streams.", "stateMachine": "text",
              "guests": "text", "rooms": "text", "client": "text: The JavaScript client.",
              "documentation": "text: This contract and the articles for people.",
              "voice?": "text: Where tokens for a room's sound are; only on servers with an RTC service."
            }
            """#, "Paths of this server."),
        .object(
            "Service",
            #"""
            {
              "name": {"type": "string", "const": "auction-room"},
              "version": "text 1...: The version of the program (Semantic Versioning).",
              "contractVersion": "text 1...: The `info.version` of the contract.", "serverTime": "Time",
              "links": "ServiceLinks"
            }
            """#),
        .object("Health", #"{"status": {"type": "string", "const": "ok"}}"#),
        .object("Readiness", #"{"status": {"type": "string", "const": "ready"}}"#),
        .object(
            "Unreadiness",
            #"""
            {
              "status": {"type": "string", "const": "not ready"},
              "waitingFor": "[one of log | recovering | draining] 1...: The log takes no events; open rooms are being loaded after a start; the server stops, or has announced that it will."
            }
            """#),
        .value("ProblemCode", "one of \(ProblemCode.all.map(\.code).joined(separator: " | ")): See the table above."),
        .value(
            "ProblemType",
            """
            one of \(ProblemKind.allCases.map(\.path).joined(separator: " | ")): The kind of problem: a path of this server \
            that explains it.
            """),
        .object(
            "ProblemExplanation",
            #"""
            {
              "type": "ProblemType", "title": "text 1...", "status": "integer 400...599", "explanation": "text 1..."
            }
            """#),
        .object(
            "Permission",
            #"""
            {
              "action": "Action", "rule": "text: The rule that denied; the same as `code`.", "category": "Category",
              "priority": "integer",
              "required": "text?: What would have been right; null if nothing the caller can do makes it right.",
              "actual": "text?: What was found.", "allowedActions": "{Action}: What the caller may do now."
            }
            """#, "Why the permission center refused."),
        .object(
            "Problem",
            #"""
            {
              "type": "ProblemType", "title": "text 1...", "status": "integer 400...599", "code": "ProblemCode",
              "detail": "text 1...: For people; in the caller's language where it concerns the auction.",
              "instance?": {"type": "string", "description": "The path of the request.", "pattern": "^/"},
              "field?": "text: The member of the body, the parameter or the header at fault.",
              "rows?": "[RowProblem]: The wrong rows of an import.", "required?": "text: What would have been right.",
              "actual?": "text: What was found.",
              "permission?": "Permission: Present if a permission rule denied the action; `code` is then the id of the rule.",
              "receivedAt?": "Time: When the bid reached the server. It and the three below are present in refusals of a bid, but for those of requests that could not be read (408, 413, 414, 431) and of the connection (503).",
              "serverTime?": "Time", "endsAt?": "Time?: When the running countdown ends; null where there is none.",
              "seq?": "integer? 1...: The seq of the room; null where there is none, or none that the caller may know.",
              "requestId?": "text 1...128"
            }
            """#,
            """
            A refusal (RFC 9457). `type` is a path of this server that explains the kind, `code` is for programs, `detail` for \
            people.
            """),
    ]
}

extension Schema {
    /// Events, and what streams say beside them.
    static let streams: [Schema] = [
        .value(
            "EventType",
            "one of \(EventSchema.all.map(\.type).joined(separator: " | ")): The type of an event; new ones may come."),
        .object(
            "Event",
            #"""
            {
              "seq": "Seq", "type": "EventType", "at": "Time", "round": "Round",
              "data": {"type": "object", "description": "As in the schema of the type in `KnownEvent`.", "additionalProperties": true}
            }
            """#,
            """
            One thing that happened in the room. Its data depend on `type`: `KnownEvent` has the schema of each known type. \
            Ignore an event of a type that you do not know.
            """),
        .object("Presence", #"{"viewers": "integer 0..."}"#, "Who follows the room now."),
        .object(
            "EventPage",
            #"""
            {
              "events": "[Event] ...256", "next": "integer 0...: The `after` of the next call.",
              "more": "boolean: Whether there are more events already.", "serverTime": "Time", "presence": "Presence"
            }
            """#),
        .object("Ticket", #"{"ticket": {"type": "string", "pattern": "^[0-9a-f]{32}$"}, "expiresAt": "Time"}"#),
        .object(
            "Notice", #"{"notice": "one of presence", "viewers": "integer 0...", "serverTime": "Time"}"#,
            "A notice is not an event and not part of the room's history.",
            more: #"{"examples": [{"notice": "presence", "viewers": 3, "serverTime": "2026-11-21T08:57:12.005Z"}]}"#),
    ]
}

internal import ExactJSON

/// A schema of the contract: a value, an object with its members, or the nullable form of another one.
struct Schema: Sendable {
    private enum Form: Sendable {
        /// In the short form of `ShortSchema`.
        case value(String)
        /// Members in that form, as a JSON object, and other keywords.
        case object(members: String, more: String, isNullable: Bool)
        /// The members of the object of this name, none of which is required or has a default.
        case patch(String)
        /// The schema of this name, or null.
        case optional(String)
    }

    let name: String
    private let description: String?
    private let form: Form

    /// Whether it is the nullable form of another schema.
    var isOptional: Bool { if case .optional = form { true } else { false } }

    static func value(_ name: String, _ text: String) -> Schema { Schema(name: name, description: nil, form: .value(text)) }

    /// An identifier. Those of rooms are random; those of other kinds sort by age.
    static func id(_ name: String, _ what: String, _ example: String) -> Schema {
        let prefix = example.prefix { $0 != "_" }
        return .value(
            name,
            #"""
            {
              "type": "string", "pattern": "^\#(prefix)_[0-7][0-9a-hjkmnp-tv-z]{25}$", "examples": ["\#(example)"],
              "description": "Identifier of \#(what). Opaque\#(prefix == "room" ? "" : "; ids of one kind sort by age")."
            }
            """#)
    }

    static func object(
        _ name: String, _ members: String, _ description: String? = nil, more: String = "{}", isNullable: Bool = false
    ) -> Schema {
        Schema(name: name, description: description, form: .object(members: members, more: more, isNullable: isNullable))
    }

    /// The body of a request, or a part of one. Members that it does not name are refused.
    static func request(
        _ name: String, _ members: String, _ description: String? = nil, examples: String? = nil, isNullable: Bool = false,
        isEmptyAllowed: Bool = true, hasOneMember: Bool = false
    ) -> Schema {
        let least = isEmptyAllowed && !hasOneMember ? "" : #", "minProperties": 1"#
        let most = hasOneMember ? #", "maxProperties": 1"# : ""
        let more = #"{"additionalProperties": false\#(least)\#(most)\#(examples.map { #", "examples": \#($0)"# } ?? "")}"#
        return .object(name, members, description, more: more, isNullable: isNullable)
    }

    /// A page of a list: its rows and what else it has, and where the next one begins.
    static func page(_ name: String, _ members: String, _ description: String? = nil) -> Schema {
        let cursor = #", "nextCursor": "text? 1...: Send it as `cursor` for the next page; null on the last one."}"#
        return .object(name, members.dropLast() + cursor, description)
    }

    /// The nullable form of a schema, `Optional…`.
    static func optional(_ name: String, _ description: String? = nil) -> Schema {
        Schema(name: "Optional\(name)", description: description, form: .optional(name))
    }

    /// Changes of an object: its members, each of which may be absent.
    static func patch(_ name: String, of whole: String, _ description: String) -> Schema {
        Schema(name: name, description: description, form: .patch(whole))
    }

    /// As a component of the contract.
    func json() throws(JSONError) -> JSONValue {
        let description = self.description.map { JSONValue.string($0) }
        switch form {
        case .value(let text): return try Self.short.schema(text)
        case .optional(let name): return try Self.nullable(name, description)
        case .patch(let name):
            guard case .object(let members)? = try Self.named[name]?.json()["properties"] else { return .object([]) }
            return .members([
                ("type", .string("object")), ("description", description),
                ("properties", .members(members.map { ($0.name, $0.value.without("default")) })),
                ("additionalProperties", .bool(false)),
            ])
        case .object(_, let more, let isNullable):
            let type: JSONValue = isNullable ? .array([.string("object"), .string("null")]) : .string("object")
            let (properties, required) = try properties()
            return .members([
                ("type", type), ("description", description), ("properties", properties), ("required", .texts(required)),
            ]).changed(by: try .reading(more))
        }
    }

    /// The body of a request with the reason of an operator, which is required.
    private func withReason() throws(JSONError) -> JSONValue {
        let whole = try json()
        let text = "prose 1...500: Why an operator acts; all in the room see it."
        var members: [JSONMember] = []
        if case .object(let own) = whole["properties"] { members = own }
        members.append(JSONMember(name: Operation.operatorReason, value: try Self.short.schema(text)))
        var required: [JSONValue] = []
        if case .array(let own) = whole["required"] { required = own }
        func oneMore(_ name: String) -> JSONValue? {
            guard case .number(let count) = whole[name], let count = Int(count) else { return nil }
            return .number(String(count + 1))
        }
        return .members([
            ("type", .string("object")), ("description", .string("`\(name)`, as operators send it with a service token.")),
            ("properties", .object(members)), ("required", .array(required + [.string(Operation.operatorReason)])),
            ("additionalProperties", .bool(false)), ("minProperties", oneMore("minProperties")),
            ("maxProperties", oneMore("maxProperties")),
        ])
    }

    /// The `properties` of an object, and the names of those that are required.
    func properties() throws(JSONError) -> (properties: JSONValue, required: [String]) {
        guard case .object(let members, _, _) = form else { return (.object([]), []) }
        return try Self.short.properties(try .reading(members))
    }
}

extension Schema {
    /// All of them, in the order of the contract.
    static let all: [Schema] = [
        values, items, lots, rooms, auction, accounts, bids, permissions, stage, streams, webhooks, service,
    ].flatMap(\.self)

    static let named = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The short form, with the names and patterns of this contract.
    static let short = ShortSchema(patterns: ["line": line, "prose": prose, "worded": worded]) { (name) throws(JSONError) in
        named["Optional\(name)"] == nil ? try nullable(name, nil) : .reference("schemas", "Optional\(name)")
    }

    /// All of them as components of the contract.
    static func components() throws(JSONError) -> JSONValue {
        var components: [(name: String, value: JSONValue?)] = []
        for schema in all { components.append((schema.name, try schema.json())) }
        for name in Operation.bodiesWithoutReason {
            if let schema = named[name] { components.append((Operation.byOperator(name), try schema.withReason())) }
        }
        return .members(components)
    }

    /// An enumeration of all values of a type, which may grow.
    static func oneOf<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> String {
        "one of " + type.allCases.map(\.rawValue).joined(separator: " | ")
    }

    private static func nullable(_ name: String, _ description: JSONValue?) throws(JSONError) -> JSONValue {
        // One that is nullable by itself has no other form.
        guard let whole = try named[name]?.json(), let type = whole["type"], case .string = type else {
            return .reference("schemas", name)
        }
        return whole.without("description", "examples").changed(
            by: .members([("type", .array([type, .string("null")])), ("description", description)]))
    }

    /// One line without control characters and marks of direction.
    static let line = #"^[^\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]*$"#

    /// Lines without control characters and overrides of direction.
    private static let prose = "^\(proseCharacter)*$"

    /// The same, with a character that shows something.
    private static let worded = #"^\#(proseCharacter)*[^\s\u0000-\u001F\u007F-\u009F\u202D\u202E]\#(proseCharacter)*$"#

    private static let proseCharacter = #"[^\u0000-\u0008\u000E-\u001F\u007F-\u0084\u0086-\u009F\u202D\u202E]"#
}

internal import ExactJSON

/// Writes schemas as types of TypeScript.
struct TypeScriptWriter {
    /// The type of the schema of a name.
    let named: (String) -> String

    /// A declaration. Where several schemas have one type, it has the members of all, and the last of them says what a member is.
    func declaration(_ name: String, of schemas: [JSONValue]) -> [String] {
        let whole = schemas.reduce(JSONValue.object([])) { $0.changed(by: $1) }
        let description = comment(schemas[0]).map { [$0] } ?? []
        guard case .object? = whole["properties"], whole["maxProperties"] == nil else {
            return description + ["export type \(name) = \(type(of: whole));"]
        }
        let required = schemas.map(Self.required).reduce(Self.required(whole)) { $0.intersection($1) }
        var lines = description + ["export interface \(name) {"]
        for member in Self.members(whole) {
            if let comment = comment(member.value) { lines.append("  " + comment) }
            lines.append("  \(self.member(member, required));")
        }
        return lines + ["}"]
    }

    /// The type of a value.
    func type(of schema: JSONValue) -> String {
        if case .string(let target)? = schema["$ref"] { return named(String(target.split(separator: "/").last ?? "")) }
        if let value = schema["const"] { return Self.literal(value) }
        if case .array(let values)? = schema["enum"] { return values.map(Self.literal).joined(separator: " | ") }
        if case .array(let schemas)? = schema["oneOf"] ?? schema["anyOf"] { return schemas.map(type).joined(separator: " | ") }
        guard case .array(let types)? = schema["type"], let first = types.first else { return plainType(of: schema) }
        return plainType(of: schema.changed(by: .members([("type", first)]))) + " | null"
    }

    private func plainType(of schema: JSONValue) -> String {
        if case .array(let values)? = schema["x-extensible-enum"] {
            return "Open<\(values.map(Self.literal).joined(separator: " | "))>"
        }
        switch schema["type"] {
        case .string("integer"), .string("number"): return "number"
        case .string("boolean"): return "boolean"
        case .string("array"):
            let element = schema["items"].map(type) ?? "unknown"
            return (element.contains(" ") && !element.hasPrefix("{") ? "(\(element))" : element) + "[]"
        case .string("object"):
            let (members, required) = (Self.members(schema), Self.required(schema))
            if members.isEmpty { return "Record<string, any>" }
            if schema["maxProperties"] != nil {
                return members.map { "{ \($0.name): \(type(of: $0.value)) }" }.joined(separator: " | ")
            }
            return "{ \(members.map { member($0, required) }.joined(separator: "; ")) }"
        default: return "string"
        }
    }

    private func member(_ member: JSONMember, _ required: Set<String>) -> String {
        "\(member.name)\(required.contains(member.name) ? "" : "?"): \(type(of: member.value))"
    }

    private func comment(_ schema: JSONValue) -> String? {
        guard case .string(let text)? = schema["description"] else { return nil }
        return "/** \(text.split(separator: "\n").joined(separator: " ")) */"
    }

    private static func members(_ schema: JSONValue) -> [JSONMember] {
        guard case .object(let members)? = schema["properties"] else { return [] }
        return members
    }

    private static func required(_ schema: JSONValue) -> Set<String> {
        guard case .array(let names)? = schema["required"] else { return [] }
        return Set(names.map(literal).map { $0.filter { $0 != "\"" } })
    }

    private static func literal(_ value: JSONValue) -> String {
        if case .string(let text) = value { "\"\(text)\"" } else { "null" }
    }
}

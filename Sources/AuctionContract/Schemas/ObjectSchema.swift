internal import ExactJSON

/// Schemas of objects in a short form, as JSON: an object with the members of such a value, each the name of a schema of the contract, or a
/// schema. `?` after a member's name: it may be absent. A `$ref` is the name of a schema too.
enum ObjectSchema {
    /// The `properties` and the names of those that are required.
    static func properties(_ members: String) throws(JSONError) -> (properties: JSONValue, required: [String]) {
        guard case .object(let members) = try JSONValue.reading(members) else { return (.object([]), []) }
        var properties: [JSONMember] = []
        var required: [String] = []
        for member in members {
            let isOptional = member.name.hasSuffix("?")
            let name = isOptional ? String(member.name.dropLast()) : member.name
            if !isOptional { required.append(name) }
            let named: JSONValue? = if case .string(let schema) = member.value { .reference("schemas", schema) } else { nil }
            properties.append(JSONMember(name: name, value: named ?? expanded(member.value)))
        }
        return (.object(properties), required)
    }

    /// The schema with whole references.
    private static func expanded(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .object(let members):
            .object(
                members.map { member in
                    guard member.name == "$ref", case .string(let name) = member.value else {
                        return JSONMember(name: member.name, value: expanded(member.value))
                    }
                    return JSONMember(name: "$ref", value: .string("#/components/schemas/\(name)"))
                })
        default: schema
        }
    }
}

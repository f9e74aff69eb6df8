internal import ExactJSON

/// The schema of a request's body. Members that it does not name are refused.
struct RequestSchema: Sendable {
    let name: String
    let description: String?
    /// In the short form of `ObjectSchema`.
    let members: String
    let isEmptyAllowed: Bool

    init(_ name: String, _ members: String, _ description: String? = nil, isEmptyAllowed: Bool = true) {
        self.name = name
        self.description = description
        self.members = members
        self.isEmptyAllowed = isEmptyAllowed
    }

    /// All of them as components of the contract.
    static func components() throws(JSONError) -> JSONValue {
        var components: [(name: String, value: JSONValue?)] = []
        for schema in all {
            let (properties, required) = try ObjectSchema.properties(schema.members)
            let object: JSONValue = .members([
                ("type", .string("object")), ("description", schema.description.map { .string($0) }),
                ("properties", properties), ("required", .texts(required)), ("additionalProperties", .bool(false)),
                ("minProperties", schema.isEmptyAllowed ? nil : .number("1")),
            ])
            components.append((schema.name, object))
        }
        return .members(components)
    }
}

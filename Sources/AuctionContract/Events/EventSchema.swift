internal import ExactJSON

/// What the contract says of one kind of event; tests compare it with the events that the log writes.
package struct EventSchema: Sendable {
    /// The name of its schema.
    let name: String
    /// Such as `bid.placed`.
    package let type: String
    let description: String
    /// The members of `data`, in the short form of `ShortSchema`.
    let members: String
    private let seq: Int
    private let at: String
    private let round: Int
    /// The `data` of an example, as JSON.
    private let example: String

    init(
        _ name: String, _ type: String, _ description: String, _ members: String, seq: Int, at: String, round: Int = 1,
        _ example: String
    ) {
        self.name = name
        self.type = type
        self.description = description
        self.members = members
        self.seq = seq
        self.at = at
        self.round = round
        self.example = example
    }

    /// All kinds of this version, in the order of the contract.
    package static let all: [EventSchema] = room + round + messages + stage + sale

    /// The schemas of the events and of their data, as components of the contract.
    static func components() throws(JSONError) -> JSONValue {
        var components: [(name: String, value: JSONValue?)] = []
        for event in all {
            components.append((event.name + "Data", try event.dataSchema()))
            components.append((event.name, try event.schema()))
        }
        return .members(components + [("KnownEvent", known)])
    }

    /// One of the known events, as a component of the contract.
    private static var known: JSONValue {
        let mapping: [(name: String, value: JSONValue?)] = all.map { ($0.type, .string("#/components/schemas/\($0.name)")) }
        return .members([
            ("description", .string("An event of a type that this version of the contract knows, with its data.")),
            ("oneOf", .array(all.map { .reference("schemas", $0.name) })),
            ("discriminator", .members([("propertyName", .string("type")), ("mapping", .members(mapping))])),
        ])
    }

    private func dataSchema() throws(JSONError) -> JSONValue {
        let (properties, required) = try Schema.short.properties(try .reading(members))
        let isEmpty = properties == .object([])
        let description = "The data of an event of the type `\(type)`" + (isEmpty ? "; empty." : ".")
        return .members([
            ("type", .string("object")), ("description", .string(description)),
            ("properties", isEmpty ? nil : properties), ("required", .texts(required)),
        ])
    }

    private func schema() throws(JSONError) -> JSONValue {
        let properties: JSONValue = .members([
            ("seq", .reference("schemas", "Seq")),
            ("type", .members([("type", .string("string")), ("const", .string(type))])),
            ("at", .reference("schemas", "Time")), ("round", .reference("schemas", "Round")),
            ("data", .reference("schemas", name + "Data")),
        ])
        let whole: JSONValue = .members([
            ("seq", .number(String(seq))), ("type", .string(type)), ("at", .string(at)), ("round", .number(String(round))),
            ("data", try .reading(example)),
        ])
        return .members([
            ("type", .string("object")), ("description", .string(description)), ("properties", properties),
            ("required", .texts(["seq", "type", "at", "round", "data"])), ("examples", .array([whole])),
        ])
    }
}

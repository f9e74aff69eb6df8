internal import ExactJSON

/// What people say in the contract of one kind of event. Its members follow from the code that writes them.
struct EventSchema: Sendable {
    /// Such as `bid.placed`.
    let type: String
    private let description: String
    /// On members of `data`, as a JSON object: `: words` describes the member; any other text, or a schema, is its whole schema.
    private let notes: String
    /// The name of its schema.
    private let name: String

    init(_ type: String, _ description: String, _ notes: String = "{}", name: String? = nil) {
        self.type = type
        self.description = description
        self.notes = notes
        self.name = name ?? type.split(separator: ".").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// All kinds of this version, in the order of the contract.
    static let all: [EventSchema] = room + round + offers + others

    /// The schemas of the events and of their data, as components of the contract.
    /// - Throws: `MissingPart` for a kind that only the code or only the contract has, and for a note on a member that an event has not.
    static func components(of kinds: [ContractDocuments.EventKind]) throws -> JSONValue {
        var components: [(name: String, value: JSONValue?)] = []
        for event in all {
            guard let kind = kinds.first(where: { $0.type == event.type }) else { throw MissingPart(name: event.type) }
            components.append((event.name + "Data", try event.dataSchema(kind.members)))
            components.append((event.name, event.schema(example: try JSONReader.read(kind.example))))
        }
        for kind in kinds where !all.contains(where: { $0.type == kind.type }) { throw MissingPart(name: kind.type) }
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

    private func dataSchema(_ members: [ContractDocuments.EventMember]) throws -> JSONValue {
        guard case .object(var notes) = try JSONValue.reading(notes) else { throw MissingPart(name: type) }
        var short: [(name: String, value: JSONValue?)] = []
        for (name, schema, isOptional) in members {
            var value = JSONValue.string(schema)
            if let index = notes.firstIndex(where: { $0.name == name }) {
                value = notes.remove(at: index).value
                if case .string(let text) = value, text.hasPrefix(":") { value = .string(schema + text) }
            }
            short.append((name + (isOptional ? "?" : ""), value))
        }
        if let note = notes.first { throw MissingPart(name: "\(type).\(note.name)") }
        let (properties, required) = try Schema.short.properties(.members(short))
        let description = "The data of an event of the type `\(type)`" + (short.isEmpty ? "; empty." : ".")
        return .members([
            ("type", .string("object")), ("description", .string(description)),
            ("properties", short.isEmpty ? nil : properties), ("required", .texts(required)),
        ])
    }

    private func schema(example: JSONValue) -> JSONValue {
        let properties: JSONValue = .members([
            ("seq", .reference("schemas", "Seq")),
            ("type", .members([("type", .string("string")), ("const", .string(type))])),
            ("at", .reference("schemas", "Time")), ("round", .reference("schemas", "Round")),
            ("data", .reference("schemas", name + "Data")),
        ])
        return .members([
            ("type", .string("object")), ("description", .string(description)), ("properties", properties),
            ("required", .texts(["seq", "type", "at", "round", "data"])), ("examples", .array([example])),
        ])
    }
}

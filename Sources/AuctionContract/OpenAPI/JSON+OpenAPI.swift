internal import ExactJSON

extension JSONValue {
    /// An object without the members that are nil.
    static func members(_ members: [(name: String, value: JSONValue?)]) -> JSONValue {
        .object(members.compactMap { member in member.value.map { JSONMember(name: member.name, value: $0) } })
    }

    /// A reference to a component of the contract.
    static func reference(_ kind: String, _ name: String) -> JSONValue {
        .object([JSONMember(name: "$ref", value: .string("#/components/\(kind)/\(name)"))])
    }

    /// What the text of a JSON document says.
    static func reading(_ text: String) throws(JSONError) -> JSONValue { try JSONReader.read(Array(text.utf8)) }

    /// A schema in the short form.
    static func schema(_ text: String) throws(JSONError) -> JSONValue { try Schema.short.schema(text) }

    /// It as JSON.
    var written: String {
        var writer = JSONWriter(reserving: 16)
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// An object without the members of these names.
    func without(_ names: String...) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !names.contains($0.name) })
    }

    /// An array of texts; nil if there are none.
    static func texts(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : .array(texts.map { .string($0) }) }

    /// The object with the members of another one, which replace those of the same name.
    func changed(by other: JSONValue) -> JSONValue {
        guard case .object(let members) = self, case .object(let changes) = other else { return other }
        let kept = members.map { member in
            JSONMember(name: member.name, value: other[member.name].map { member.value.changed(by: $0) } ?? member.value)
        }
        return .object(kept + changes.filter { self[$0.name] == nil })
    }
}

extension Operation.Value {
    func json() throws(JSONError) -> JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .json(let text): try JSONValue.reading(text).withoutLikes()
        }
    }
}

extension JSONValue {
    /// The example with every object that is `like` a shared one written out (`SharedExample`).
    fileprivate func withoutLikes() throws(JSONError) -> JSONValue {
        switch self {
        case .array(let values):
            return .array(try values.map { value throws(JSONError) in try value.withoutLikes() })
        case .object(let members):
            guard case .string(let name)? = self["like"] else {
                return .object(
                    try members.map { member throws(JSONError) in
                        JSONMember(name: member.name, value: try member.value.withoutLikes())
                    })
            }
            guard let base = SharedExample.named[name] else {
                throw JSONError(.missingField, "There is no shared example \"\(name)\".")
            }
            let changes = members.filter { $0.name != "like" && $0.name != "without" }
            let whole = try JSONValue.reading(base).changed(by: .object(changes)).withoutLikes()
            guard case .array(let absent)? = self["without"], case .object(let all) = whole else { return whole }
            return .object(all.filter { !absent.contains(.string($0.name)) })
        default:
            return self
        }
    }
}

extension Operation.Content {
    /// A Media Type Object.
    func object() throws(JSONError) -> JSONValue {
        var members: [(name: String, value: JSONValue?)] = [("schema", try .schema(schema))]
        if examples.count == 1, examples[0].name.isEmpty {
            members.append(("example", try examples[0].value.json()))
        } else {
            var named: [(name: String, value: JSONValue?)] = []
            for example in examples {
                let value: JSONValue = .members([("summary", .string(example.summary)), ("value", try example.value.json())])
                named.append((example.name, value))
            }
            members.append(("examples", .members(named)))
        }
        return .members(members)
    }
}

extension Operation.Parameter {
    /// A Parameter Object.
    func object() throws(JSONError) -> JSONValue {
        .members([
            ("name", .string(name)), ("in", .string(place.rawValue)), ("description", .string(description)),
            ("required", isRequired ? .bool(true) : nil), ("allowEmptyValue", mayBeEmpty ? .bool(true) : nil),
            ("schema", try .schema(schema)), ("example", try example.json()),
        ])
    }
}

internal import ExactJSON

/// Reads schemas in a short form: `Name`, `integer 1...8`, `text 1...200`, `[Name] ...20`, `{Name}` (an array without repeats),
/// `one of a | b` (an enumeration that may grow), `only a | b`.
///
/// `?` after the first word: it may be null. ` = 3` after that is the default, `: words` the description. JSON that begins with `{` is a
/// schema, in which `$ref` and `items` may have the short form; `members` are those of an object, `?` after a name: it may be absent.
struct ShortSchema: Sendable {
    /// Patterns of texts, by the words that stand for them.
    let patterns: [String: String]
    /// The nullable form of the schema of a name.
    let nullable: @Sendable (String) throws(JSONError) -> JSONValue

    /// The schema of a text.
    func schema(_ text: String) throws(JSONError) -> JSONValue {
        let isJSON = text.hasPrefix("{") && text.dropFirst().first?.isLetter == false
        if isJSON, case .object(let members) = try JSONValue.reading(text) { return try expanded(members) }
        let (head, description) = Self.parts(text[...], between: ": ")
        let (type, normal) = Self.parts(head, between: " = ")
        let changes: JSONValue = .members([
            ("default", normal.map { Self.literal(String($0)) }), ("description", description.map { .string(String($0)) }),
        ])
        return try self.type(type).changed(by: changes)
    }

    /// The `properties` of an object's members, and the names of those that are required.
    func properties(_ members: JSONValue) throws(JSONError) -> (properties: JSONValue, required: [String]) {
        guard case .object(let members) = members else { return (.object([]), []) }
        var (properties, required): ([JSONMember], [String]) = ([], [])
        for member in members {
            let isOptional = member.name.hasSuffix("?")
            let name = isOptional ? String(member.name.dropLast()) : member.name
            if !isOptional { required.append(name) }
            properties.append(JSONMember(name: name, value: try expanded(member.value)))
        }
        return (.object(properties), required)
    }

    private func expanded(_ value: JSONValue) throws(JSONError) -> JSONValue {
        switch value {
        case .string(let text): try schema(text)
        case .object(let members): try expanded(members)
        default: value
        }
    }

    private func expanded(_ members: [JSONMember]) throws(JSONError) -> JSONValue {
        var whole: [(name: String, value: JSONValue?)] = []
        for member in members {
            switch (member.name, member.value) {
            case ("$ref", .string(let name)): whole.append(("$ref", JSONValue.reference("schemas", name)["$ref"]))
            case ("items", let items): whole.append(("items", try expanded(items)))
            case ("members", let members):
                let (properties, required) = try properties(members)
                whole += [("type", .string("object")), ("properties", properties), ("required", .texts(required))]
            default: whole.append((member.name, member.value))
            }
        }
        return .members(whole)
    }

    private func type(_ text: Substring) throws(JSONError) -> JSONValue {
        if let end = text.lastIndex(where: { $0 == "]" || $0 == "}" }), text.hasPrefix("[") || text.hasPrefix("{") {
            let items = try schema(String(text[..<end].dropFirst()))
            let isSet: JSONValue? = text.hasPrefix("{") ? .bool(true) : nil
            return .members(
                [("type", .string("array")), ("items", items), ("uniqueItems", isSet)]
                    + Self.bounds(text[end...].dropFirst(2), "minItems", "maxItems"))
        }
        for (mark, keyword) in [("one of", "x-extensible-enum"), ("only", "enum")] where text.hasPrefix(mark) {
            let (rest, isNullable) = Self.nullMark(text.dropFirst(mark.count))
            return .members([("type", Self.type("string", isNullable)), (keyword, .texts(Self.words(rest)))])
        }
        let word = text.prefix { $0 != " " && $0 != "?" }
        let (rest, isNullable) = Self.nullMark(text.dropFirst(word.count))
        let pattern = patterns[String(word)]
        switch word {
        case "boolean": return .members([("type", Self.type("boolean", isNullable))])
        case "integer", "number":
            return .members([("type", Self.type(String(word), isNullable))] + Self.bounds(rest, "minimum", "maximum"))
        case _ where word == "text" || pattern != nil:
            let bounds = Self.bounds(rest, "minLength", "maxLength")
            return .members([("type", Self.type("string", isNullable))] + bounds + [("pattern", pattern.map { .string($0) })])
        default: return isNullable ? try nullable(String(word)) : .reference("schemas", String(word))
        }
    }

    private static func type(_ name: String, _ isNullable: Bool) -> JSONValue {
        isNullable ? .array([.string(name), .string("null")]) : .string(name)
    }

    private static func nullMark(_ text: Substring) -> (rest: Substring, isNullable: Bool) {
        let isNullable = text.hasPrefix("?")
        return (text.dropFirst(isNullable ? 2 : 1), isNullable)
    }

    /// The two ends of `1...8`, either of which may be left out.
    private static func bounds(_ text: Substring, _ lower: String, _ upper: String) -> [(name: String, value: JSONValue?)] {
        let (first, last) = parts(text, between: "...")
        func number(_ text: Substring?) -> JSONValue? { text.flatMap { $0.isEmpty ? nil : .number(String($0)) } }
        return [(lower, number(first)), (upper, number(last))]
    }

    private static func literal(_ text: String) -> JSONValue {
        do throws(JSONError) { return try .reading(text) } catch { return .string(text) }
    }

    private static func words(_ text: Substring) -> [String] {
        var (words, rest): ([String], Substring?) = ([], text)
        while let text = rest {
            let (word, more) = parts(text, between: " | ")
            words.append(String(word))
            rest = more
        }
        return words
    }

    private static func parts(_ text: Substring, between separator: String) -> (Substring, Substring?) {
        var start = text.startIndex
        while start < text.endIndex, !text[start...].hasPrefix(separator) { start = text.index(after: start) }
        return start < text.endIndex ? (text[..<start], text[start...].dropFirst(separator.count)) : (text, nil)
    }
}

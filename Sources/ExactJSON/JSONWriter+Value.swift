extension JSONWriter {
    /// Appends a value; numbers keep their literal.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let bool): self.bool(bool)
        case .number(let literal): raw(literal)
        case .string(let text): string(text)
        case .array(let elements): array { json in for element in elements { json.value(element) } }
        case .object(let members):
            object { json in
                for member in members {
                    json.foreignName(member.name)
                    json.value(member.value)
                }
            }
        }
    }
}

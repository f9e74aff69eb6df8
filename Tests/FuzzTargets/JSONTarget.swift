import ExactJSON

/// The whole input is a JSON document.
enum JSONTarget {
    static func run(_ input: [UInt8]) throws(PropertyViolation) {
        try plain(input)
        guard let value = try? JSONReader.read(input) else { return }
        var writer = JSONWriter()
        write(value, to: &writer)
        let again = try? JSONReader.read(writer.bytes)
        try require(again == value, "written again it is \(String(decoding: writer.bytes, as: UTF8.self))")
        // A duplicate name would make a command ambiguous: the reader must refuse it.
        try require(hasDistinctNames(value), "a name is there twice")
    }

    /// A plain object that is read in place must have the members of its tree.
    private static func plain(_ input: [UInt8]) throws(PropertyViolation) {
        var members: [JSONMember] = []
        let isPlain = JSONReader.readPlain(input) { name, value, isText in
            let isNew = !members.contains { $0.name == name }
            members.append(JSONMember(name: name, value: isText ? .string(value) : .number(value)))
            return isNew
        }
        guard isPlain else { return }
        try require((try? JSONReader.read(input)) == .object(members), "in place it has the members \(members)")
    }

    static func write(_ value: JSONValue, to writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .bool(let bool): writer.bool(bool)
        case .number(let literal): writer.raw(literal)
        case .string(let text): writer.string(text)
        case .array(let elements): writer.array { writer in for element in elements { write(element, to: &writer) } }
        case .object(let members):
            writer.object { writer in
                for member in members { writer.raw(text(member)) }
            }
        }
    }

    /// Encodes a member. `JSONWriter` does not escape names, which are constants of the program; names from an input need escapes.
    private static func text(_ member: JSONMember) -> String {
        var name = JSONWriter()
        var value = JSONWriter()
        name.string(member.name)
        write(member.value, to: &value)
        return String(decoding: name.bytes + Array(":".utf8) + value.bytes, as: UTF8.self)
    }

    private static func hasDistinctNames(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.allSatisfy(hasDistinctNames)
        case .object(let members):
            Set(members.map { Array($0.name.utf8) }).count == members.count && members.allSatisfy { hasDistinctNames($0.value) }
        default: true
        }
    }
}

import AuctionTestKit
import ExactJSON
import HTTPContract

/// Samples values that are valid for a schema of the contract; most of them are accepted.
struct JSONSampler {
    let contract: Contract
    /// Supplies members whose value depends on the room, such as ids, rounds and amounts; nil to sample by schema.
    let known: (String, inout SeededGenerator) -> JSONValue?

    func value(_ schema: JSONValue, named name: String = "", _ generator: inout SeededGenerator) -> JSONValue {
        if let value = known(name, &generator), !generator.once(in: 8) { return value }
        guard let schema = contract.resolved(schema) else { return .null }
        if let all = schema["allOf"]?.elements, let first = all.first { return value(first, named: name, &generator) }
        // A schema with alternatives but no properties only lists which members are required.
        if schema["properties"] == nil, let choices = (schema["oneOf"] ?? schema["anyOf"])?.elements, !choices.isEmpty {
            return value(generator.pick(choices), named: name, &generator)
        }
        if let value = schema["const"] { return value }
        if let values = (schema["enum"] ?? schema["x-extensible-enum"])?.elements, !values.isEmpty {
            return generator.pick(values)
        }
        if schema["x-accepts-number"] != nil, generator.once(in: 3) {
            return .number(generator.pick(["1", "100", "12.5", "120.00"]))
        }
        if schema["maxProperties"] == .number("1"), let choice = schema["properties"]?.members.map({ generator.pick($0) }) {
            return .object([JSONMember(name: choice.name, value: value(choice.value, named: choice.name, &generator))])
        }
        let types = schema["type"].map { $0.elements ?? [$0] }?.compactMap(\.text) ?? []
        switch types.isEmpty ? (schema["properties"] == nil ? "string" : "object") : generator.pick(types) {
        case "null": return .null
        case "boolean": return .bool(generator.once(in: 2))
        case "integer": return .number(String(whole(schema, &generator)))
        case "number": return .number(generator.pick(["1", "5", "12.5", "100", "120.00"]))
        case "array": return array(schema, name, &generator)
        case "object": return object(schema, &generator)
        default: return .string(text(schema, name, &generator))
        }
    }

    private func whole(_ schema: JSONValue, _ generator: inout SeededGenerator) -> Int {
        let least = schema["minimum"]?.int ?? 0
        let most = max(least, schema["maximum"]?.int ?? 1000)
        switch generator.roll(0...4) {
        case 0: return least
        case 1: return most
        default: return generator.roll(least...min(most, least + 20))
        }
    }

    private func array(_ schema: JSONValue, _ name: String, _ generator: inout SeededGenerator) -> JSONValue {
        guard let items = schema["items"] else { return .array([]) }
        let least = schema["minItems"]?.int ?? 0
        return .array((0..<generator.roll(least...(least + 2))).map { _ in value(items, named: name, &generator) })
    }

    private func object(_ schema: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
        let members = (schema["properties"]?.members ?? []).filter { required.contains($0.name) || generator.once(in: 3) }
        return .object(members.map { JSONMember(name: $0.name, value: value($0.value, named: $0.name, &generator)) })
    }

    private func text(_ schema: JSONValue, _ name: String, _ generator: inout SeededGenerator) -> String {
        if let examples = schema["examples"]?.elements?.compactMap(\.text), !examples.isEmpty {
            return generator.pick(examples)
        }
        if schema.text("pattern")?.hasPrefix("^[0-9]") == true {
            return generator.pick(["1", "10", "100", "120", "500", "9999"])
        }
        if schema.text("format") == "uri" { return "https://example.org/\(generator.roll(0...9)).jpg" }
        return generator.pick(["Teapot", "Night market", "甲乙", "Ann", "It is time.", "é 👩‍👩‍👧‍👦"])
    }
}

import AuctionTestKit
import ExactJSON
import HTTPContract

/// Makes values that a schema of the contract allows, as far as a schema says so: most of them are accepted.
struct JSONSampler {
    let contract: Contract
    /// What stands for members whose value depends on the room: ids, rounds, amounts.
    let known: (String, inout Dice) -> JSONValue?

    func value(_ schema: JSONValue, named name: String = "", _ dice: inout Dice) -> JSONValue {
        if let value = known(name, &dice), !dice.once(in: 8) { return value }
        guard let schema = contract.resolved(schema) else { return .null }
        if let all = schema["allOf"]?.elements, let first = all.first { return value(first, named: name, &dice) }
        // An object with alternatives only says which members it needs.
        if schema["properties"] == nil, let choices = (schema["oneOf"] ?? schema["anyOf"])?.elements, !choices.isEmpty {
            return value(dice.pick(choices), named: name, &dice)
        }
        if let value = schema["const"] { return value }
        if let values = schema["enum"]?.elements, !values.isEmpty { return dice.pick(values) }
        let types = schema["type"].map { $0.elements ?? [$0] }?.compactMap(\.text) ?? []
        switch types.isEmpty ? (schema["properties"] == nil ? "string" : "object") : dice.pick(types) {
        case "null": return .null
        case "boolean": return .bool(dice.once(in: 2))
        case "integer": return .number(String(whole(schema, &dice)))
        case "number": return .number(dice.pick(["1", "5", "12.5", "100", "120.00"]))
        case "array": return array(schema, name, &dice)
        case "object": return object(schema, &dice)
        default: return .string(text(schema, name, &dice))
        }
    }

    private func whole(_ schema: JSONValue, _ dice: inout Dice) -> Int {
        let least = schema["minimum"]?.int ?? 0
        let most = max(least, schema["maximum"]?.int ?? 1000)
        switch dice.roll(0...4) {
        case 0: return least
        case 1: return most
        default: return dice.roll(least...min(most, least + 20))
        }
    }

    private func array(_ schema: JSONValue, _ name: String, _ dice: inout Dice) -> JSONValue {
        guard let items = schema["items"] else { return .array([]) }
        let least = schema["minItems"]?.int ?? 0
        return .array((0..<dice.roll(least...(least + 2))).map { _ in value(items, named: name, &dice) })
    }

    private func object(_ schema: JSONValue, _ dice: inout Dice) -> JSONValue {
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
        let members = (schema["properties"]?.members ?? []).filter { required.contains($0.name) || dice.once(in: 3) }
        return .object(members.map { JSONMember(name: $0.name, value: value($0.value, named: $0.name, &dice)) })
    }

    private func text(_ schema: JSONValue, _ name: String, _ dice: inout Dice) -> String {
        if let examples = schema["examples"]?.elements?.compactMap(\.text), !examples.isEmpty { return dice.pick(examples) }
        if schema.text("pattern")?.hasPrefix("^[0-9]") == true { return dice.pick(["1", "10", "100", "120", "500", "9999"]) }
        if schema.text("format") == "uri" { return "https://example.org/\(dice.roll(0...9)).jpg" }
        return dice.pick(["Teapot", "Night market", "甲乙", "Ann", "It is time.", "é 👩‍👩‍👧‍👦"])
    }
}

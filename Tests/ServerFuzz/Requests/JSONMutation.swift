import AuctionTestKit
import ExactJSON
import HTTPContract

/// Mutates a JSON value into one that a hostile client might send.
enum JSONMutation {
    private typealias Path = [Int]

    static func mutate(_ value: JSONValue, bytes: Int, _ generator: inout SeededGenerator) -> JSONValue {
        if generator.once(in: 25) { return leaf(bytes, &generator) }
        var paths: [Path] = []
        collect(value, [], &paths)
        let path = generator.pick(paths)
        return change(value, path[...]) { inner(of: $0, bytes, &generator) }
    }

    /// Replaces one value of the tree.
    private static func inner(of value: JSONValue, _ bytes: Int, _ generator: inout SeededGenerator) -> JSONValue {
        if case .object(let members) = value, !generator.once(in: 4) { return .object(change(members, bytes, &generator)) }
        if case .array(let elements) = value, generator.once(in: 2) {
            return .array(Array(repeating: elements.first ?? 0, count: generator.pick([0, 1, 21, 51, 1000, bytes / 4])))
        }
        return leaf(bytes, &generator)
    }

    private static func change(_ members: [JSONMember], _ bytes: Int, _ generator: inout SeededGenerator) -> [JSONMember] {
        var members = members
        let name = members.isEmpty ? "amount" : generator.pick(members).name
        switch generator.roll(0...9) {
        case 0: members.append(JSONMember(name: name, value: leaf(0, &generator)))
        case 1: members.append(JSONMember(name: generator.pick(OddValues.texts), value: leaf(0, &generator)))
        case 2: members.removeAll { $0.name == name }
        case 3: members.reverse()
        case 4: members += wide(bytes, &generator)
        case 5: members.append(JSONMember(name: name.uppercased(), value: 1))
        case 6: members.append(JSONMember(name: name + "\u{301}", value: 1))
        case 7: members = []
        default:
            for index in members.indices where members[index].name == name {
                members[index] = JSONMember(name: name, value: leaf(bytes, &generator))
            }
        }
        return members
    }

    private static func wide(_ bytes: Int, _ generator: inout SeededGenerator) -> [JSONMember] {
        OddValues.names(bytes: generator.pick([100, 1000, bytes]), &generator).map { JSONMember(name: $0, value: 1) }
    }

    private static func leaf(_ bytes: Int, _ generator: inout SeededGenerator) -> JSONValue {
        switch generator.roll(0...11) {
        case 0...4: return .number(generator.pick(OddValues.numbers))
        case 5, 6: return .string(generator.pick(OddValues.texts))
        case 7: return generator.pick([.null, .bool(true), .bool(false), .array([]), .object([])])
        case 8: return .string(generator.pick(OddValues.numbers))
        case 9 where bytes > 0 && generator.once(in: 3):
            return nested(generator.pick([15, 16, 17, 100, 10_000, 30_000]), &generator)
        case 10 where bytes > 0 && generator.once(in: 3): return .object(wide(bytes, &generator))
        case 11 where bytes > 0 && generator.once(in: 3):
            let length = generator.pick([255, 256, 501, 2001, 5001, 60_000, bytes, 100_000])
            return generator.once(in: 4)
                ? .number(String(repeating: generator.pick(["1", "9", "0"]), count: length))
                : .string(OddValues.long(length, &generator))
        default: return .number(String(generator.roll(-5...100)))
        }
    }

    private static func nested(_ depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
        // Written as a number literal: building, comparing and freeing a nested value would need a stack of that depth here.
        let (open, close) = generator.pick([("[", "]"), ("{\"a\":", "}")])
        return .number(String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
    }

    private static func collect(_ value: JSONValue, _ path: Path, _ paths: inout [Path]) {
        guard paths.count < 200 else { return }
        paths.append(path)
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() { collect(element, path + [index], &paths) }
        case .object(let members):
            for (index, member) in members.enumerated() { collect(member.value, path + [index], &paths) }
        default: break
        }
    }

    private static func change(_ value: JSONValue, _ path: Path.SubSequence, _ make: (JSONValue) -> JSONValue) -> JSONValue {
        guard let index = path.first else { return make(value) }
        switch value {
        case .array(var elements):
            elements[index] = change(elements[index], path.dropFirst(), make)
            return .array(elements)
        case .object(var members):
            members[index] = JSONMember(
                name: members[index].name, value: change(members[index].value, path.dropFirst(), make))
            return .object(members)
        default: return value
        }
    }
}

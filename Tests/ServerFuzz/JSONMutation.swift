import AuctionTestKit
import ExactJSON
import HTTPContract

/// Changes a value into one that a stranger might send.
enum JSONMutation {
    private typealias Path = [Int]

    static func mutate(_ value: JSONValue, bytes: Int, _ dice: inout Dice) -> JSONValue {
        if dice.once(in: 25) { return leaf(bytes, &dice) }
        var paths: [Path] = []
        collect(value, [], &paths)
        let path = dice.pick(paths)
        return change(value, path[...]) { inner(of: $0, bytes, &dice) }
    }

    /// What stands at one place becomes something else.
    private static func inner(of value: JSONValue, _ bytes: Int, _ dice: inout Dice) -> JSONValue {
        if case .object(let members) = value, !dice.once(in: 4) { return .object(change(members, bytes, &dice)) }
        if case .array(let elements) = value, dice.once(in: 2) {
            return .array(Array(repeating: elements.first ?? 0, count: dice.pick([0, 1, 21, 51, 1000, bytes / 4])))
        }
        return leaf(bytes, &dice)
    }

    private static func change(_ members: [JSONMember], _ bytes: Int, _ dice: inout Dice) -> [JSONMember] {
        var members = members
        let name = members.isEmpty ? "amount" : dice.pick(members).name
        switch dice.roll(0...9) {
        case 0: members.append(JSONMember(name: name, value: leaf(0, &dice)))
        case 1: members.append(JSONMember(name: dice.pick(OddValues.texts), value: leaf(0, &dice)))
        case 2: members.removeAll { $0.name == name }
        case 3: members.reverse()
        case 4: members += wide(bytes, &dice)
        case 5: members.append(JSONMember(name: name.uppercased(), value: 1))
        case 6: members.append(JSONMember(name: name + "\u{301}", value: 1))
        case 7: members = []
        default:
            for index in members.indices where members[index].name == name {
                members[index] = JSONMember(name: name, value: leaf(bytes, &dice))
            }
        }
        return members
    }

    private static func wide(_ bytes: Int, _ dice: inout Dice) -> [JSONMember] {
        OddValues.names(bytes: dice.pick([100, 1000, bytes]), &dice).map { JSONMember(name: $0, value: 1) }
    }

    private static func leaf(_ bytes: Int, _ dice: inout Dice) -> JSONValue {
        switch dice.roll(0...11) {
        case 0...4: return .number(dice.pick(OddValues.numbers))
        case 5, 6: return .string(dice.pick(OddValues.texts))
        case 7: return dice.pick([.null, .bool(true), .bool(false), .array([]), .object([])])
        case 8: return .string(dice.pick(OddValues.numbers))
        case 9 where bytes > 0 && dice.once(in: 3): return nested(dice.pick([15, 16, 17, 100, 10_000, 30_000]), &dice)
        case 10 where bytes > 0 && dice.once(in: 3): return .object(wide(bytes, &dice))
        case 11 where bytes > 0 && dice.once(in: 3):
            let length = dice.pick([255, 256, 501, 2001, 5001, 60_000, bytes, 100_000])
            return dice.once(in: 4)
                ? .number(String(repeating: dice.pick(["1", "9", "0"]), count: length))
                : .string(OddValues.long(length, &dice))
        default: return .number(String(dice.roll(-5...100)))
        }
    }

    private static func nested(_ depth: Int, _ dice: inout Dice) -> JSONValue {
        // As a literal: building, comparing and freeing the value itself would need a stack of that depth here.
        let (open, close) = dice.pick([("[", "]"), ("{\"a\":", "}")])
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

package import ExactJSON
internal import Foundation
internal import Synchronization

/// Validates JSON against the part of JSON Schema 2020-12 that the contract uses. An unsupported keyword is a violation, because
/// ignoring it would let tests pass without checking anything.
package struct SchemaChecker {
    /// Resolves a `$ref`; nil if its target does not exist.
    private let resolve: (String) -> JSONValue?
    /// Whether members beside `properties`, and values that `x-extensible-enum` does not list, are violations.
    private let isClosed: Bool

    package init(isClosed: Bool = false, resolve: @escaping (String) -> JSONValue?) {
        self.isClosed = isClosed
        self.resolve = resolve
    }

    private static let annotations: Set<String> = [
        "description", "title", "default", "example", "examples", "discriminator", "summary",
    ]

    /// Every violation, prefixed with its path; empty if the value is valid.
    package func violations(of value: JSONValue, against schema: JSONValue, at place: String = "$") -> [String] {
        guard case .object(let keywords) = schema else {
            return schema == .bool(true) ? [] : ["\(place): the schema \(schema.written) allows nothing"]
        }
        var value = value
        if case .number(let literal) = value, schema["x-accepts-number"] == .bool(true) { value = .string(literal) }
        return keywords.flatMap { keyword in
            check(keyword.name, keyword.value, value, schema).map { "\(place)\($0)" }
        }
    }

    private func check(_ keyword: String, _ wanted: JSONValue, _ value: JSONValue, _ schema: JSONValue) -> [String] {
        switch keyword {
        case "$ref":
            guard let target = wanted.text.flatMap(resolve) else { return [": \(wanted.written) points at nothing"] }
            return violations(of: value, against: target, at: "")
        case "allOf": return (wanted.elements ?? []).flatMap { violations(of: value, against: $0, at: "") }
        case "anyOf", "oneOf":
            if let named = named(by: schema["discriminator"], value) { return violations(of: value, against: named, at: "") }
            return alternatives(wanted.elements ?? [], exactlyOne: keyword == "oneOf", value)
        case "type": return type(wanted, value)
        case "const": return value == wanted ? [] : [": \(value.written) is not \(wanted.written)"]
        case "enum":
            return wanted.elements?.contains(value) == true ? [] : [": \(value.written) is none of \(wanted.written)"]
        case "x-extensible-enum":
            guard isClosed, value != .null, wanted.elements?.contains(value) == false else { return [] }
            return [": \(value.written) is none of \(wanted.written)"]
        case "properties", "required", "additionalProperties", "dependentRequired":
            guard let members = value.members else { return [] }
            return object(keyword, wanted, members, schema)
        case "minProperties", "maxProperties":
            guard let count = value.members?.count, let limit = wanted.int else { return [] }
            let holds = keyword == "minProperties" ? count >= limit : count <= limit
            return holds ? [] : [": \(count) members are beyond the \(keyword) \(limit)"]
        case "items", "minItems", "maxItems", "uniqueItems":
            guard let elements = value.elements else { return [] }
            return array(keyword, wanted, elements)
        case "pattern", "format", "minLength", "maxLength":
            guard let text = value.text else { return [] }
            return string(keyword, wanted, text)
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            guard case .number(let literal) = value, case .number(let limit) = wanted else { return [] }
            return number(keyword, Double(limit) ?? .nan, Double(literal) ?? .nan)
        case let name where Self.annotations.contains(name) || name == "x-accepts-number": return []
        default: return [": the checker does not know the keyword \(keyword)"]
        }
    }

    /// The alternative that the discriminator selects; checking only that one keeps the violations short.
    private func named(by discriminator: JSONValue?, _ value: JSONValue) -> JSONValue? {
        guard let property = discriminator?["propertyName"]?.text, let name = value[property]?.text else { return nil }
        return discriminator?["mapping"]?[name]?.text.flatMap(resolve)
    }

    private func alternatives(_ schemas: [JSONValue], exactlyOne: Bool, _ value: JSONValue) -> [String] {
        let tries = schemas.map { violations(of: value, against: $0, at: "") }
        let matches = tries.count { $0.isEmpty }
        if matches == 1 || matches > 1 && !exactlyOne { return [] }
        if matches > 1 { return [": \(matches) alternatives match, only one may"] }
        // The violations of the closest alternative are the most useful ones.
        let nearest = tries.min { $0.count < $1.count } ?? []
        return [": no alternative matches"] + nearest
    }

    private func type(_ wanted: JSONValue, _ value: JSONValue) -> [String] {
        let names = (wanted.elements ?? [wanted]).compactMap(\.text)
        let fits = names.contains { name in
            switch (name, value) {
            case ("null", .null), ("boolean", .bool), ("string", .string), ("number", .number), ("array", .array),
                ("object", .object):
                true
            case ("integer", .number(let literal)): Self.isWhole(literal)
            default: false
            }
        }
        return fits ? [] : [": \(value.kind) is not \(names.joined(separator: " or "))"]
    }

    /// Whether a JSON number is an integer in any notation, such as `1e2` or `10.0`.
    static func isWhole(_ literal: String) -> Bool {
        if Int(literal) != nil { return true }
        let parts = literal.lowercased().split(separator: "e", maxSplits: 1)
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        var fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let digits = String(mantissa[0].drop { $0 == "-" }) + fraction
        guard digits.contains(where: { $0 != "0" }) else { return true }
        // An exponent that overflows `Int` shifts every digit to one side of the decimal point.
        guard parts.count > 1 else { return fraction.isEmpty }
        guard let exponent = Int(parts[1]) else { return !parts[1].hasPrefix("-") }
        let trailing = fraction.isEmpty ? digits.reversed().prefix { $0 == "0" }.count : 0
        return exponent >= fraction.count - trailing
    }

    private func object(
        _ keyword: String, _ wanted: JSONValue, _ members: [JSONMember], _ schema: JSONValue
    ) -> [String] {
        let names = Set(members.map(\.name))
        switch keyword {
        case "properties":
            return members.flatMap { member in
                if let known = wanted[member.name] {
                    return violations(of: member.value, against: known, at: ".\(member.name)")
                }
                return isClosed && schema["additionalProperties"] == nil ? [": \(member.name) is unknown"] : []
            }
        case "required":
            return (wanted.elements ?? []).compactMap(\.text).filter { !names.contains($0) }.map { ": \($0) is missing" }
        case "dependentRequired":
            return (wanted.members ?? []).filter { names.contains($0.name) }.flatMap { member in
                (member.value.elements ?? []).compactMap(\.text).filter { !names.contains($0) }
                    .map { ": \(member.name) needs \($0)" }
            }
        default:
            let known = Set((schema["properties"]?.members ?? []).map(\.name))
            return members.filter { !known.contains($0.name) }.flatMap { member in
                wanted == .bool(false)
                    ? [": \(member.name) is unknown"]
                    : violations(of: member.value, against: wanted, at: ".\(member.name)")
            }
        }
    }

    private func array(_ keyword: String, _ wanted: JSONValue, _ elements: [JSONValue]) -> [String] {
        switch keyword {
        case "items":
            return elements.enumerated().flatMap { violations(of: $1, against: wanted, at: "[\($0)]") }
        case "minItems": return elements.count >= wanted.int ?? 0 ? [] : [": fewer than \(wanted.written) elements"]
        case "maxItems": return elements.count <= wanted.int ?? 0 ? [] : [": more than \(wanted.written) elements"]
        default:
            return wanted == .bool(false) || Set(elements).count == elements.count ? [] : [": an element stands twice"]
        }
    }

    private func string(_ keyword: String, _ wanted: JSONValue, _ text: String) -> [String] {
        switch keyword {
        case "minLength": text.unicodeScalars.count >= wanted.int ?? 0 ? [] : [": shorter than \(wanted.written)"]
        case "maxLength": text.unicodeScalars.count <= wanted.int ?? 0 ? [] : [": longer than \(wanted.written)"]
        case "pattern":
            Self.matches(text, wanted.text ?? "") ? [] : [": \"\(text)\" does not match \(wanted.written)"]
        default: format(wanted.text ?? "", text)
        }
    }

    private func format(_ name: String, _ text: String) -> [String] {
        switch name {
        case "date-time":
            let isTime = Self.matches(
                text, #"^\d{4}-(0[1-9]|1[0-2])-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})$"#)
            return isTime ? [] : [": \"\(text)\" is no time"]
        case "uri": return URL(string: text)?.scheme == nil ? [": \"\(text)\" is no address"] : []
        case "uri-reference": return URL(string: text) == nil ? [": \"\(text)\" is no address"] : []
        case "binary": return []
        default: return [": the checker does not know the format \(name)"]
        }
    }

    private func number(_ keyword: String, _ limit: Double, _ number: Double) -> [String] {
        let holds =
            switch keyword {
            case "minimum": number >= limit
            case "maximum": number <= limit
            case "exclusiveMinimum": number > limit
            default: number < limit
            }
        return holds ? [] : [": \(number) is beyond the \(keyword) \(limit)"]
    }

    private static let expressions = Mutex<[String: NSRegularExpression]>([:])

    /// Whether the regular expression matches anywhere in the text; an invalid expression never matches.
    package static func matches(_ text: String, _ pattern: String) -> Bool {
        let expression = expressions.withLock { known -> NSRegularExpression? in
            if let expression = known[pattern] { return expression }
            do {
                let expression = try NSRegularExpression(pattern: pattern)
                known[pattern] = expression
                return expression
            } catch { return nil }
        }
        return expression?.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}

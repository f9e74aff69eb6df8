/// A response or an event without a member that the contract promises, or with one of another kind.
public struct MalformedJSON: Error, Hashable, Sendable {
    /// The member, such as `currentBid.amount`.
    public let member: String
}

/// The members of an object on the way to a typed value. Members that are not asked for are ignored.
struct JSONFields {
    private let members: [String: JSONValue]
    private let path: String

    init(_ value: JSONValue, path: String = "") throws(MalformedJSON) {
        guard case .object(let members) = value else { throw MalformedJSON(member: path) }
        self.members = members
        self.path = path
    }

    private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private func malformed(_ name: String) -> MalformedJSON { MalformedJSON(member: path(of: name)) }

    /// A member that is there and is not null.
    func optional(_ name: String) -> JSONValue? {
        guard let value = members[name], !value.isNull else { return nil }
        return value
    }

    func value(_ name: String) throws(MalformedJSON) -> JSONValue {
        guard let value = optional(name) else { throw malformed(name) }
        return value
    }

    func string(_ name: String) throws(MalformedJSON) -> String {
        guard let text = optional(name)?.string else { throw malformed(name) }
        return text
    }

    func optionalString(_ name: String) throws(MalformedJSON) -> String? {
        optional(name) == nil ? nil : try string(name)
    }

    func bool(_ name: String) throws(MalformedJSON) -> Bool {
        guard let value = optional(name)?.bool else { throw malformed(name) }
        return value
    }

    func optionalBool(_ name: String) throws(MalformedJSON) -> Bool? {
        optional(name) == nil ? nil : try bool(name)
    }

    func integer(_ name: String) throws(MalformedJSON) -> Int64 {
        guard let value = optional(name)?.integer else { throw malformed(name) }
        return value
    }

    func optionalInteger(_ name: String) throws(MalformedJSON) -> Int64? {
        optional(name) == nil ? nil : try integer(name)
    }

    func count(_ name: String) throws(MalformedJSON) -> Int {
        guard let value = Int(exactly: try integer(name)) else { throw malformed(name) }
        return value
    }

    func name<Name: OpenName>(_ name: String) throws(MalformedJSON) -> Name { Name(rawValue: try string(name)) }

    func time(_ name: String) throws(MalformedJSON) -> ServerTime {
        guard let time = ServerTime(rfc3339: try string(name)) else { throw malformed(name) }
        return time
    }

    func optionalTime(_ name: String) throws(MalformedJSON) -> ServerTime? {
        optional(name) == nil ? nil : try time(name)
    }

    func money(_ name: String, _ currency: Currency) throws(MalformedJSON) -> Money {
        guard let money = Money(wire: try string(name), currency: currency) else { throw malformed(name) }
        return money
    }

    func optionalMoney(_ name: String, _ currency: Currency) throws(MalformedJSON) -> Money? {
        optional(name) == nil ? nil : try money(name, currency)
    }

    func fields(_ name: String) throws(MalformedJSON) -> JSONFields {
        try JSONFields(try value(name), path: path(of: name))
    }

    func optionalFields(_ name: String) throws(MalformedJSON) -> JSONFields? {
        optional(name) == nil ? nil : try fields(name)
    }

    func list(_ name: String) throws(MalformedJSON) -> [JSONValue] {
        guard let values = optional(name)?.elements else { throw malformed(name) }
        return values
    }

    func names<Name: OpenName>(_ name: String) -> [Name] {
        (optional(name)?.elements ?? []).compactMap { $0.string.map(Name.init(rawValue:)) }
    }

    func strings(_ name: String) -> [String] { (optional(name)?.elements ?? []).compactMap(\.string) }

    func objects<Value>(
        _ name: String, _ make: (JSONFields) throws(MalformedJSON) -> Value
    ) throws(MalformedJSON) -> [Value] {
        var values: [Value] = []
        for (index, element) in try list(name).enumerated() {
            values.append(try make(try JSONFields(element, path: "\(path(of: name))[\(index)]")))
        }
        return values
    }
}

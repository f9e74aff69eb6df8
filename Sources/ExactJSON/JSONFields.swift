/// Reads the members of one object by name and removes each that was read; `finish` rejects the remaining, unknown ones.
///
///     var fields = try JSONFields(value)
///     let name = try fields.string("name")
///     try fields.finish()
///
/// Every error names the field by its path, such as `rules.startingPrice`.
package struct JSONFields {
    /// Those that were not read so far, in the order sent.
    package private(set) var members: [JSONMember]
    private let path: String

    /// - Parameter path: path of this object in the document; empty for the body itself.
    /// - Throws: `invalidField` if the value is not an object.
    package init(_ value: JSONValue, path: String = "") throws(JSONError) {
        guard case .object(let members) = value else {
            let what = path.isEmpty ? "The body" : "\"\(path)\""
            throw JSONError(
                .invalidField, field: path.isEmpty ? nil : path, "\(what) must be an object, not \(value.kind).",
                "须为对象,不能是\(value.chineseKind)。")
        }
        self.members = members
        self.path = path
    }

    /// The value, or nil if the member is absent. A null is a value.
    package mutating func take(_ name: String) -> JSONValue? {
        guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { return nil }
        return members.remove(at: index).value
    }

    /// Whether there is such a member, also one that is null.
    package func has(_ name: String) -> Bool { members.contains { $0.name.hasSameBytes(as: name) } }

    /// Whether the member is absent or null; a null is removed, so that `finish` accepts it.
    package mutating func isAbsent(_ name: String) -> Bool {
        guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { return true }
        guard case .null = members[index].value else { return false }
        members.remove(at: index)
        return true
    }

    /// Removes and returns a required member, of any kind; throws `missingField` if it is absent.
    package mutating func value(_ name: String) throws(JSONError) -> JSONValue {
        guard let value = take(name) else {
            throw JSONError(.missingField, field: fullName(name), "\"\(fullName(name))\" is required.")
        }
        return value
    }

    /// A required string; throws `missingField` if absent, `invalidField` for any other kind, including null.
    package mutating func string(_ name: String) throws(JSONError) -> String {
        let value = try value(name)
        guard case .string(let text) = value else {
            throw invalid(name, "must be a string, not \(value.kind)", "须为字符串,不能是\(value.chineseKind)")
        }
        return text
    }

    /// Nil if absent or null.
    package mutating func optionalString(_ name: String) throws(JSONError) -> String? {
        isAbsent(name) ? nil : try string(name)
    }

    /// A keyword, truncated to 100 Unicode scalars, which is longer than any known keyword; nil if absent or null.
    package mutating func optionalKeyword(_ name: String) throws(JSONError) -> String? { try optionalString(name)?.excerpt }

    /// A required whole number in the range of `Int`; throws `missingField` or `invalidField`.
    package mutating func int(_ name: String) throws(JSONError) -> Int {
        let value = try value(name)
        guard case .number(let literal) = value, let int = JSONValue.whole(literal) else {
            throw invalid(name, "must be a whole number", "须为整数")
        }
        return int
    }

    /// Nil if absent or null.
    package mutating func optionalInt(_ name: String) throws(JSONError) -> Int? { isAbsent(name) ? nil : try int(name) }

    /// The literal of a number, unchanged; nil if absent or null.
    package mutating func optionalNumber(_ name: String) throws(JSONError) -> String? {
        guard let value = take(name), value != .null else { return nil }
        guard case .number(let literal) = value else { throw invalid(name, "must be a number", "须为数字") }
        return literal
    }

    /// Distinguishes an absent member (nil) from a null (`.some(nil)`: remove the stored value).
    package mutating func removable<Value>(
        _ name: String, _ read: (inout JSONFields, String) throws(JSONError) -> Value?
    ) throws(JSONError) -> Value?? {
        guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else { return nil }
        guard members[index].value != .null else {
            members.remove(at: index)
            return .some(nil)
        }
        return .some(try read(&self, name))
    }

    /// A required boolean; throws `missingField` or `invalidField`.
    package mutating func bool(_ name: String) throws(JSONError) -> Bool {
        let value = try value(name)
        guard case .bool(let bool) = value else {
            throw invalid(name, "must be true or false, not \(value.kind)", "须为 true 或 false,不能是\(value.chineseKind)")
        }
        return bool
    }

    /// Nil if absent or null.
    package mutating func optionalBool(_ name: String) throws(JSONError) -> Bool? { isAbsent(name) ? nil : try bool(name) }

    /// The fields of a required nested object; throws `missingField` or `invalidField`.
    package mutating func object(_ name: String) throws(JSONError) -> JSONFields {
        try JSONFields(try value(name), path: fullName(name))
    }

    /// A required array; throws `invalidField` if absent, null or of another kind.
    package mutating func array(_ name: String) throws(JSONError) -> [JSONValue] {
        guard let elements = try optionalArray(name) else { throw invalid(name, "is required", "不能缺少") }
        return elements
    }

    /// Nil if absent or null.
    package mutating func optionalArray(_ name: String) throws(JSONError) -> [JSONValue]? {
        guard let value = take(name), value != .null else { return nil }
        guard case .array(let elements) = value else {
            throw invalid(name, "must be an array, not \(value.kind)", "须为数组,不能是\(value.chineseKind)")
        }
        return elements
    }

    /// Rejects null members, also in nested objects: an optional member is omitted, not null.
    ///
    /// - Parameter removable: names of the members that may be null, at any depth of nested objects.
    /// - Throws: `invalidField` for the first other null.
    package func refuseNulls(except removable: [String]) throws(JSONError) {
        for member in members {
            switch member.value {
            case .null where !removable.contains(where: { $0.hasSameBytes(as: member.name) }):
                throw invalid(member.name, "must not be null; leave it out", "不能为 null,请省略该字段")
            case .object: try JSONFields(member.value, path: fullName(member.name)).refuseNulls(except: removable)
            default: break
            }
        }
    }

    /// Throws `unknownField` if a member has not been read.
    package func finish() throws(JSONError) {
        guard let member = members.first else { return }
        throw JSONError(.unknownField, field: fullName(member.name), "There is no field \"\(fullName(member.name))\" here.")
    }

    /// An error about the member `name`: "`problem`" completes the sentence that the name begins.
    /// - Parameter chinese: The same in Chinese, without the full stop; made when it is read.
    package func invalid(
        _ name: String, _ problem: String, _ chinese: @autoclosure @escaping @Sendable () -> String? = nil
    ) -> JSONError {
        JSONError(
            .invalidField, field: fullName(name), "\"\(fullName(name))\" \(problem).", chinese().map { $0 + "。" })
    }

    /// The same about this object, which is no document of its own.
    package func invalidObject(
        _ problem: String, _ chinese: @autoclosure @escaping @Sendable () -> String? = nil
    ) -> JSONError {
        JSONError(.invalidField, field: path, "\"\(path)\" \(problem).", chinese().map { $0 + "。" })
    }

    /// The path of a member, with the name truncated to 100 Unicode scalars because clients may send any name.
    package func fullName(_ name: String) -> String { path.isEmpty ? name.excerpt : "\(path).\(name.excerpt)" }
}
